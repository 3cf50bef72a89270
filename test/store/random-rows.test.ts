import { describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { type CellBlock, cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import type { Filter } from '../../src/model/filter.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { get, scan } from '../../src/model/query.ts'
import { gathered } from '../../src/model/results.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { CrashableFileSystem } from '../harness/simulation/crashable-file-system.ts'

const TABLE = parseTableName('t')
const KEYS = Array.from({ length: 60 }, (_, i) => Buffer.from(`r${String(i).padStart(2, '0')}`))
const HALF: Filter = {
  kind: 'FilterList',
  operator: 'MUST_PASS_ALL',
  filters: [{ kind: 'RandomRowFilter', chance: 0.5 }],
}
const clock = { now: () => 1000 }

/** A linear congruential generator. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const stores: readonly [string, (random: () => number) => Promise<Store>][] = [
  ['memory', async (random) => openMemoryStore({ clock, random })],
  [
    'native',
    (random) => openNativeStore({ directory: '/s', fileSystem: new CrashableFileSystem(), clock, random }),
  ],
]

const rowsIn = (cells: CellBlock): string[] => cellsOf(cells).map(({ row }) => row.toString())

/** The rows that a scan, and a get of every row, show through the filter. */
async function rowsOf(open: (random: () => number) => Promise<Store>, seed: number): Promise<string[][]> {
  // A store may draw numbers of its own while it is opened.
  let next = seeded(seed)
  const store = await open(() => next())
  next = seeded(seed)
  const { catalog, rows, handouts } = store
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [Buffer.from('r30')], OWN_CALL)
  const batch = new MutationBatch()
  for (const row of KEYS) batch.put(row, Buffer.from('f'), Buffer.from('q'), row).endMutation()
  await rows.mutate(TABLE, batch, OWN_CALL)
  const { id } = await rows.openScanner(TABLE, scan({ filter: HALF }), OWN_CALL)
  const scanned: string[] = []
  for (let isOver = false; !isOver; ) {
    const limits = { rows: 1000, bytes: 1 << 20, allowPartial: false }
    const { results, ended } = await handouts.next(id, limits, OWN_CALL)
    scanned.push(...rowsIn(gathered(results).cells))
    isOver = ended === 'scan'
  }
  const gets = KEYS.map((row) => get(row, { filter: HALF }))
  const got = await rows.get(TABLE, gets, { bytes: 1 << 20 }, OWN_CALL)
  const shown = [scanned, rowsIn(got.cells)]
  await store.close()
  return shown
}

describe.each(stores)('a random filter on the %s store', (_, open) => {
  test('shows the same rows with the same seed', async () => {
    const [scanned, got] = await rowsOf(open, 7)
    expect(scanned!.length).toBeGreaterThan(10)
    expect(scanned!.length).toBeLessThan(50)
    expect(got!.length).toBeGreaterThan(10)
    expect(got!.length).toBeLessThan(50)
    expect(await rowsOf(open, 7)).toEqual([scanned, got])
    expect(await rowsOf(open, 8)).not.toEqual([scanned, got])
  })
})

test('a random filter shows the same rows on both stores with the same seed', async () => {
  const [memory, native] = stores
  expect(await rowsOf(memory![1], 9)).toEqual(await rowsOf(native![1], 9))
})
