/** Batches with changes that take several turns of the event loop. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowPart,
  valueCondition,
} from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { TABLE, tableOf } from '../store-under-test.ts'

const [WIDE, OTHER, FAMILY] = ['a', 'n', 'f'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
const COLUMNS = 40

function batchOf(): MutationBatch {
  const batch = new MutationBatch()
  for (let i = 0; i < COLUMNS; i++) batch.put(WIDE, FAMILY, Buffer.from(`q${i}`), Buffer.from('v'))
  batch.endMutation()
  batch.put(OTHER, FAMILY, Buffer.from('q'), Buffer.from('v')).endMutation()
  return batch
}

test('a region that is closed meanwhile fails its own changes alone', async () => {
  let refused = 0
  for (let turns = 0; turns < 25; turns++) {
    let ms = 0
    const store = await openNativeStore({
      directory: '/s',
      fileSystem: new CrashableFileSystem(),
      // A turn is over after each step.
      clock: { now: () => (ms += 100) },
      random: () => 0.5,
      options: { wideCost: 2 },
    })
    await store.catalog.createTable(tableOf('f'), [Buffer.from('m')], OWN_CALL)
    const [first] = await store.catalog.regions(TABLE, OWN_CALL)
    const written = store.rows.mutate(TABLE, batchOf(), OWN_CALL)
    for (let turn = 0; turn < turns; turn++) await nextTurn()
    await store.upkeep.regions!.unassignRegion(first!.name, OWN_CALL)
    const failures = await written
    for (const { index, error } of failures) expect([index, error.code]).toEqual([0, 'NOT_SERVING_REGION'])
    refused += failures.length
    const read = await store.rows.get(TABLE, [get(OTHER)], { bytes: 1000 }, OWN_CALL)
    expect(read.counts).toEqual([1])
    await store.close()
  }
  expect(refused).toBeGreaterThan(0)
})

test.each([2, undefined])(
  'puts have the time of a later cell that the condition of one row has read, and of that alone (wideCost %j)',
  async (wideCost) => {
    let ms = 0
    const store = await openNativeStore({
      directory: '/s',
      fileSystem: new CrashableFileSystem(),
      clock: { now: () => (ms += 100) },
      random: () => 0.5,
      options: wideCost === undefined ? {} : { wideCost },
    })
    await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
    const later = 10n ** 12n
    const [read, value] = [Buffer.from('read'), Buffer.from('v')]
    for (const row of [WIDE, OTHER]) {
      const batch = new MutationBatch()
      batch.put(row, FAMILY, read, value, later).endMutation()
      await store.rows.mutate(TABLE, batch, OWN_CALL)
    }
    const part = (row: Buffer): RowPart => {
      const puts = new MutationBatch()
      for (let i = 0; i < COLUMNS; i++) puts.put(row, FAMILY, Buffer.from(`q${i}`), value)
      const condition = valueCondition(FAMILY, read, 'EQUAL', value)
      const operations = [{ kind: 'mutate', cells: puts.cells.block() }] as const
      return { row, operations, condition, options: DEFAULT_MUTATION_OPTIONS }
    }
    const timesOf = async (row: Buffer): Promise<Set<bigint>> => {
      const { cells } = await store.rows.get(TABLE, [get(row)], { bytes: 100_000 }, OWN_CALL)
      const puts = cellsOf(cells).filter(({ qualifier }) => !qualifier.equals(read))
      expect(puts).toHaveLength(COLUMNS)
      return new Set(puts.map(({ timestamp }) => timestamp))
    }
    expect((await store.rows.mutateRow(TABLE, part(WIDE), OWN_CALL)).applied).toBe(true)
    expect(await timesOf(WIDE)).toEqual(new Set([later]))
    expect(await store.rows.mutateRows(TABLE, { parts: [part(OTHER)] }, OWN_CALL)).toBe(true)
    const [time, ...others] = await timesOf(OTHER)
    expect(others).toEqual([])
    expect(time).toBeLessThan(later)
    await store.close()
  },
)
