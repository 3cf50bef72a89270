/** A reader keeps few of the store files open that it has come to, and reads all of them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { ThreadWords } from '../../../../adapters/native/platform/thread-words.ts'
import type { StoreReader } from '../../../../adapters/native/reader/open-reader.ts'
import { OpenedFiles, openedBytes } from '../../../../adapters/native/reader/opened-files.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets } from '../../../../src/store/decorate.ts'
import { threadStore } from '../../../../src/store/port/thread-store.ts'
import type { Store } from '../../../../src/store/store.ts'
import { readerOfStore } from '../../../harness/readers/reader-of-store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { rest } from '../store-under-test.ts'

const TABLE = parseTableName('t')
const ROWS = Array.from({ length: 40 }, (_, i) => `r${String(i).padStart(2, '0')}`)
/** An eighth of it has three files. */
const BLOCK_CACHE_BYTES = 8 * 3 * 44_000

let store: Store
let reader: StoreReader

beforeEach(async () => {
  const options = { poisonReleased: true, blockCacheBytes: BLOCK_CACHE_BYTES }
  const clock = { now: (): number => 1_700_000_000_000 }
  const config = { directory: '/s', fileSystem: new CrashableFileSystem(), clock, random: () => 0.5, options }
  const native = await openNativeStore({ ...config, words: new ThreadWords(ThreadWords.memoryFor(1)) })
  reader = readerOfStore(native, config)
  store = { ...threadStore(withFacets(native, {}), reader), close: () => native.close() }
  const splits = ROWS.slice(1).map((row) => Buffer.from(row))
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), splits, OWN_CALL)
  const batch = new MutationBatch()
  for (const row of ROWS) {
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from(`of ${row}`)).endMutation()
  }
  await store.rows.mutate(TABLE, batch, OWN_CALL)
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
})

afterEach(async () => {
  reader.close()
  await store.close()
})

function openFiles(): number {
  const metric = reader.metrics.find(({ name }) => name === 'tidegate_native_open_store_files')!
  return [...metric.read()][0]!.value
}

async function readAll(): Promise<void> {
  for (const row of ROWS) {
    const { cells } = await store.rows.get(TABLE, [get(Buffer.from(row))], { bytes: 1 << 20 }, OWN_CALL)
    expect(cells.buffer.toString('latin1', cells.start, cells.end)).toContain(`of ${row}`)
  }
}

test('files that no read has used for long close, and open again for a read', async () => {
  for (let round = 0; round < 3; round++) await readAll()
  await nextTurn()
  expect(openFiles()).toBeGreaterThan(0)
  expect(openFiles()).toBeLessThanOrEqual(4)
})

test('gets of one call may need more files than stay open', async () => {
  const gets = ROWS.map((row) => get(Buffer.from(row)))
  const { counts } = await store.rows.get(TABLE, gets, { bytes: 1 << 20 }, OWN_CALL)
  expect(counts).toEqual(ROWS.map(() => 1))
  await nextTurn()
  expect(openFiles()).toBeLessThanOrEqual(4)
})

test('a scan goes on in its file while reads of others open and close theirs', async () => {
  const scanner = await openScanner(store, TABLE, scan({}), OWN_CALL)
  await scanner.next({ rows: 1, bytes: 1 << 20, allowPartial: false }, OWN_CALL)
  await nextTurn()
  await readAll()
  await nextTurn()
  expect(await rest(scanner)).toHaveLength(ROWS.length - 1)
  await scanner.close()
})

test('a file in which a scan stands stays open, and closes for others after it', async () => {
  const files = new OpenedFiles(2 * openedBytes(0))
  const closed: string[] = []
  const fileOf = (name: string, isHeld: boolean): Parameters<OpenedFiles['opened']>[0] => {
    const file = { isUsed: false, isHeld, bytes: openedBytes(0), close: () => closing() }
    const closing = (): void => {
      closed.push(name)
      files.closed(file)
    }
    return file
  }
  files.opened(fileOf('held', true))
  files.opened(Object.assign(fileOf('used', false), { isUsed: true }))
  files.opened(fileOf('first', false))
  files.opened(fileOf('second', false))
  expect(closed).toEqual([])
  await nextTurn()
  expect(closed).toEqual(['first', 'second'])
  expect([files.count, files.bytes]).toEqual([2, 2 * openedBytes(0)])
})

test('scans may hold more files than stay open without them', async () => {
  const files = new OpenedFiles(1)
  const held = Array.from({ length: 5 }, () => ({
    isUsed: true,
    isHeld: true,
    bytes: openedBytes(0),
    close: () => expect.unreachable(),
  }))
  for (const file of held) files.opened(file)
  await nextTurn()
  expect(files.count).toBe(5)
})
