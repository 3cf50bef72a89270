/** Edits of tables with very many regions are checked, applied and encoded in steps, between which other requests have their turn. */

import { afterEach, expect, test, vi } from 'vitest'
import { Catalog } from '../../../../adapters/native/manifest/catalog.ts'
import { DiscardedFiles } from '../../../../adapters/native/manifest/discarded-files.ts'
import {
  encodeEdit,
  type ManifestEdit,
  type RegionRecord,
} from '../../../../adapters/native/manifest/manifest-edit.ts'
import { encodeRecord, recordInSteps } from '../../../../adapters/native/manifest/manifest-file.ts'
import type { Steps } from '../../../../src/model/steps.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const REGIONS = 2560
/** Steps of one pass over all regions. */
const PASS = 9

afterEach(() => vi.restoreAllMocks())

const keyOf = (index: number): Buffer =>
  Buffer.from(index % REGIONS === 0 ? '' : `k${String(index).padStart(6, '0')}`)

function regions(firstNumber: number): RegionRecord[] {
  return Array.from({ length: REGIONS }, (_, index) => ({
    number: firstNumber + index,
    regionId: 1,
    startKey: keyOf(index),
    endKey: keyOf(index + 1),
    flushedSequenceId: 0,
    files: [{ number: firstNumber + REGIONS + index, family: Buffer.from('f'), maxSequenceId: 7 }],
  }))
}

function tableEdit(firstNumber: number): ManifestEdit & { kind: 'table' } {
  const table = { name: 't', attributes: [], state: 'ENABLED', families: [], regions: regions(firstNumber) }
  return { kind: 'table', table: table as (ManifestEdit & { kind: 'table' })['table'] }
}

function count(steps: Steps<unknown>, each: () => void = () => undefined): number {
  let made = 0
  for (; steps.next().done !== true; made++) each()
  return made
}

const FIRST = tableEdit(1)
const LATER = tableEdit(10_001)
const SNAPSHOT: ManifestEdit = {
  kind: 'snapshot',
  snapshot: { name: 's', number: 7, createdAt: 1, type: 'FLUSH', table: FIRST.table } as (ManifestEdit & {
    kind: 'snapshot'
  })['snapshot'],
}
const REPLACED: ManifestEdit = {
  kind: 'regions',
  table: 't',
  replaced: [1],
  regions: [{ ...FIRST.table.regions[0]!, number: 9000 }],
}

/** Passes over all regions: of a check, of the discarded files, and of applying the edit. */
test.each<[name: string, ManifestEdit, before: ManifestEdit[], passes: [number, number, number]]>([
  ['a new table', FIRST, [], [1, 0, 2]],
  ['a table with other regions', LATER, [FIRST], [1, 2, 6]],
  ['a table with the same regions', FIRST, [FIRST], [1, 2, 5]],
  ['a table that goes', { kind: 'table-gone', name: 't' }, [FIRST], [0, 1, 2]],
  ['a region that is replaced', REPLACED, [FIRST], [1, 0, 2]],
  ['a snapshot', SNAPSHOT, [], [1, 0, 1]],
])('%s', (_, edit, before, passes) => {
  const catalog = new Catalog()
  const discarded = new DiscardedFiles()
  for (const each of before) catalog.apply(each)
  const seen = [catalog.tables.get('t'), catalog.snapshots.get('s')]
  const counts = [
    count(catalog.checkInSteps(edit)),
    count(discarded.noteInSteps(edit, catalog)),
    count(catalog.applyInSteps(edit), () => {
      expect(catalog.tables.get('t')).toBe(seen[0])
      expect(catalog.snapshots.get('s')).toBe(seen[1])
    }),
  ]
  for (const [index, made] of counts.entries()) expect(made).toBeGreaterThanOrEqual(passes[index]! * PASS)
})

test('the bytes of an edit are put together in steps, too', () => {
  expect(count(recordInSteps(FIRST))).toBeGreaterThan(count(encodeEdit(FIRST)) + 2 * PASS)
  const steps = recordInSteps(FIRST)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  expect(step.value).toEqual(encodeRecord(FIRST))
})

test('the store applies no edit at a stretch', async () => {
  const session = await StoreUnderTest.open()
  const stretches = [
    vi.spyOn(Catalog.prototype, 'check'),
    vi.spyOn(Catalog.prototype, 'apply'),
    vi.spyOn(DiscardedFiles.prototype, 'note'),
  ]
  await session.createTable(tableOf('f'), ['m'])
  await session.store.catalog.disableTable(TABLE, OWN_CALL)
  await session.store.catalog.deleteTable(TABLE, OWN_CALL)
  for (const stretch of stretches) expect(stretch).not.toHaveBeenCalled()
  await session.store.close()
})
