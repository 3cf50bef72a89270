/** A thread that ends while it reads: the writer lets go of all that it has kept for it. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NativeStore } from '../../../../adapters/native/native-store.ts'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { ThreadWords } from '../../../../adapters/native/platform/thread-words.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { type ReaderOfStore, readerOfStore } from '../../../harness/readers/reader-of-store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const TABLE = parseTableName('t')
const OTHER = parseTableName('other')
const ROWS = ['a', 'b', 'c', 'd']
const KIB = 1024

let fileSystem: CrashableFileSystem
let words: ThreadWords
let store: NativeStore
let reader: ReaderOfStore

beforeEach(async () => {
  fileSystem = new CrashableFileSystem()
  words = new ThreadWords(ThreadWords.memoryFor(1))
  const config = {
    directory: '/s',
    fileSystem,
    clock: { now: (): number => 1_700_000_000_000 },
    random: (): number => 0.5,
    options: { poisonReleased: true, wal: { logBytesMax: 256 * KIB, syncEveryBytes: 256 * KIB } },
  }
  store = await openNativeStore({ ...config, words })
  reader = readerOfStore(store, config)
  const family = familyDescriptor('f', [['IN_MEMORY_COMPACTION', 'EAGER']])
  for (const table of [TABLE, OTHER])
    await store.catalog.createTable(tableDescriptor(table, [family]), [], OWN_CALL)
})

afterEach(async () => {
  reader.close()
  await store.close()
})

async function put(table: TableName, value: string): Promise<void> {
  const batch = new MutationBatch()
  for (const row of ROWS) {
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from(value))
    batch.endMutation()
  }
  await store.rows.mutate(table, batch, OWN_CALL)
}

async function flush(table: TableName): Promise<void> {
  await store.upkeep.flushes!.flushTable(table, OWN_CALL)
}

async function compact(table: TableName): Promise<void> {
  const compactions = store.upkeep.compactions!
  await compactions.compactTable(table, { major: true }, OWN_CALL)
  while ((await compactions.compactionState(table, OWN_CALL)) !== 'NONE') await nextTurn()
}

async function metric(name: string): Promise<number> {
  const all = await store.metrics()
  return all.find((each) => each.name === `tidegate_native_${name}`)!.samples[0]!.value
}

async function next(id: number): Promise<string[]> {
  const limits = { rows: 1, bytes: 1 << 20, allowPartial: false }
  const { results } = await reader.handouts.next(id, limits, OWN_CALL)
  return cellsOf(gathered(results).cells).map(({ value }) => value.toString())
}

function filesOf(table: TableName): string[] {
  return fileSystem.paths().filter((path) => path.includes(`/${table}/`) && /\/f\/\d+$/.test(path))
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

test.each([false, true])(
  'its runs, read points and memory are let go of; the writer has heard of its scan: %s',
  async (isHeard) => {
    await put(TABLE, 'first')
    await flush(TABLE)
    await put(TABLE, 'old')
    const { id } = await reader.rows.openScanner(TABLE, scan({}), OWN_CALL)
    expect(await next(id)).toEqual(['old'])
    if (isHeard) {
      await someTurns()
      await flush(TABLE)
      await put(TABLE, 'newer')
      await flush(TABLE)
      expect(await metric('held_snapshot_bytes')).toBeGreaterThan(0)
      expect(words.oldestReader).toBe(Number.POSITIVE_INFINITY)
    } else expect(words.oldestReader).toBeLessThan(Number.POSITIVE_INFINITY)
    reader.die()
    expect(words.oldestReader).toBe(Number.POSITIVE_INFINITY)
    expect(words.oldestPin).toBe(words.epoch)
    await put(TABLE, 'newest')
    await flush(TABLE)
    await compact(TABLE)
    await someTurns()
    expect(filesOf(TABLE)).toHaveLength(1)
    expect(await metric('held_snapshot_bytes')).toBe(0)
    expect(await metric('held_snapshots')).toBe(0)
    const dropped = await metric('dropped_versions_total')
    for (let round = 0; round < 10; round++) await put(TABLE, `v${round}`)
    expect(await metric('dropped_versions_total')).toBeGreaterThan(dropped + ROWS.length * 5)
  },
)

test('an idle scanner of a small table keeps nothing of others, though many megabytes of them are flushed', async () => {
  await put(TABLE, 'small')
  const { id } = await reader.rows.openScanner(TABLE, scan({}), OWN_CALL)
  expect(await next(id)).toEqual(['small'])
  const large = 'x'.repeat(256 * KIB)
  const liveBytes = ROWS.length * large.length
  for (let round = 0; round < 16; round++) {
    await put(OTHER, large)
    await flush(OTHER)
    if (round % 4 === 3) await compact(OTHER)
    await someTurns()
    expect(await metric('held_snapshot_bytes')).toBeLessThan(16 * KIB)
    expect(await metric('memstore_bytes')).toBeLessThan(16 * KIB)
    expect(filesOf(OTHER).length).toBeLessThanOrEqual(4)
  }
  expect(filesOf(OTHER)).toHaveLength(1)
  const diskBytes = fileSystem.paths().reduce((sum, path) => sum + fileSystem.bytesOf(path).length, 0)
  // The file, and the log, which rolls after a change and has the small table's rows.
  expect(diskBytes).toBeLessThan(4 * liveBytes)
  expect([await next(id), await next(id), await next(id)]).toEqual([['small'], ['small'], ['small']])
  await reader.handouts.closeScanner(id)
})
