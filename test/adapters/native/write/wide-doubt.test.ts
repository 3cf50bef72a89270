/** A split whose edit of the manifest falls in doubt while a change with many cells is being prepared for the region. */

import { afterEach, expect, test, vi } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { GradualInserts } from '../../../../adapters/native/region/gradual-inserts.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { failSyncs } from '../../../harness/simulation/failing-syncs.ts'
import { TABLE } from '../store-under-test.ts'

const FAMILY = Buffer.from('f')
/** Two of them are prepared in a turn: a split ends long before all are. */
const CELLS = 2000

afterEach(() => vi.restoreAllMocks())

test('the change is refused: the region may be gone with the next start', async () => {
  const fileSystem = new CrashableFileSystem()
  let isFailing = false
  failSyncs(fileSystem, (path) => isFailing && (path === '/s/manifest' || path.endsWith('.new')))
  let ms = 0
  const store = await openNativeStore({
    directory: '/s',
    fileSystem,
    // Each look at the clock is later than a turn.
    clock: { now: () => 1_700_000_000_000 + ms++, monotonicMs: () => (ms += 30) },
    random: () => 0.5,
    options: { wideCost: 2 },
  })
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const small = new MutationBatch()
  for (const row of ['a', 'n']) small.put(Buffer.from(row), FAMILY, FAMILY, FAMILY).endMutation()
  await store.rows.mutate(TABLE, small, OWN_CALL)
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)

  const begin = Reflect.get(GradualInserts.prototype, 'begin')
  let isInDoubt = false
  const begunInDoubt: boolean[] = []
  vi.spyOn(GradualInserts.prototype, 'begin').mockImplementation(function (this: GradualInserts) {
    begunInDoubt.push(isInDoubt)
    return begin.call(this)
  })
  const row = Buffer.from('b')
  const wide = new MutationBatch()
  for (let index = 0; index < CELLS; index++) wide.put(row, FAMILY, Buffer.from(`q${index}`), FAMILY)
  wide.endMutation()
  const operations = [{ kind: 'mutate', cells: wide.blockOf(0) }] as const
  const options = { durability: 'USE_DEFAULT' } as const
  const changed = store.rows.mutateRow(TABLE, { row, operations, options }, OWN_CALL)
  const refused = expect(changed).rejects.toMatchObject({ code: 'REGION_TOO_BUSY' })
  isFailing = true
  await expect(store.upkeep.regions!.splitTable(TABLE, Buffer.from('m'), OWN_CALL)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
  isInDoubt = true
  await refused
  expect(begunInDoubt).toEqual([true])
  const { counts } = await store.rows.get(TABLE, [get(row)], { bytes: 1 << 20 }, OWN_CALL)
  expect(counts).toEqual([0])
  isFailing = false
  await store.close()
})
