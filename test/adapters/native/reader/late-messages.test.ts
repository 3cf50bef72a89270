/** Reads of a reader beside what comes late or fails: its messages, the log, files, its turns. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NativeStore } from '../../../../adapters/native/native-store.ts'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { ThreadWords } from '../../../../adapters/native/platform/thread-words.ts'
import type { StoreReader } from '../../../../adapters/native/reader/open-reader.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { LoopTurns } from '../../../../src/model/loop-turns.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { readerOfStore } from '../../../harness/readers/reader-of-store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const TABLE = parseTableName('t')
const LIMITS = { rows: 1, bytes: 1 << 24, allowPartial: false }

/** Turns whose share of the event loop is used up where a test says so. */
class LateTurns extends LoopTurns {
  isLate = false
  resume: () => void = () => undefined

  override get isUsedUp(): boolean {
    return this.isLate
  }

  override next(): Promise<void> {
    if (!this.isLate) return super.next()
    this.isLate = false
    return new Promise((resolve) => (this.resume = resolve))
  }
}

let fileSystem: CrashableFileSystem
let store: NativeStore
let reader: StoreReader
let turns: LateTurns
/** Messages of the reader that are held back; undefined: none is. */
let heldBack: (() => void)[] | undefined

beforeEach(async () => {
  fileSystem = new CrashableFileSystem()
  turns = new LateTurns(() => performance.now())
  heldBack = undefined
  const clock = { now: (): number => 1_700_000_000_000 }
  const options = { poisonReleased: true, heldSnapshotBytesMax: 300_000 }
  const config = { directory: '/s', fileSystem, clock, random: (): number => 0.5, options }
  store = await openNativeStore({ ...config, words: new ThreadWords(ThreadWords.memoryFor(1)) })
  reader = readerOfStore(store, { ...config, turns }, (post) =>
    heldBack === undefined ? post() : void heldBack.push(post),
  )
  const family = familyDescriptor('f', [['IN_MEMORY_COMPACTION', 'EAGER']])
  await store.catalog.createTable(tableDescriptor(TABLE, [family]), [Buffer.from('m')], OWN_CALL)
})

afterEach(async () => {
  reader.close()
  await store.close()
})

async function put(row: string, value: string | Buffer): Promise<void> {
  const batch = new MutationBatch()
  batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from(value))
  batch.endMutation()
  await store.rows.mutate(TABLE, batch, OWN_CALL)
}

async function read(row: string): Promise<string[]> {
  const { cells } = await reader.rows.get(TABLE, [get(Buffer.from(row))], { bytes: 1 << 24 }, OWN_CALL)
  return cellsOf(cells).map(({ value }) => value.toString())
}

async function split(at: string): Promise<void> {
  await store.upkeep.regions!.splitTable(TABLE, Buffer.from(at), OWN_CALL)
}

async function flush(): Promise<void> {
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

async function sendAll(): Promise<void> {
  const messages = heldBack ?? []
  heldBack = undefined
  for (const post of messages) post()
  await someTurns()
}

async function heldBytes(): Promise<number> {
  const all = await store.metrics()
  return all.find(({ name }) => name === 'tidegate_native_held_snapshot_bytes')!.samples[0]!.value
}

test('rows stay after a write that the log has refused, before another one is committed', async () => {
  await put('a', 'old')
  expect(await read('a')).toEqual(['old'])
  fileSystem.failAppends({ after: 0, writtenBytes: 0 })
  await expect(put('b', 'new')).rejects.toThrow(/write-ahead log/)
  expect([await read('a'), await read('b')]).toEqual([['old'], []])
  fileSystem.repair()
})

test('a scan over several regions keeps its rows where the first one is split before its message arrives', async () => {
  const rows = ['a0', 'a1', 'n0', 'n1', 'n2']
  for (const row of rows) await put(row, 'old')
  await read('a0')
  heldBack = []
  const { id } = await reader.rows.openScanner(TABLE, scan({}), OWN_CALL)
  await nextTurn()
  await split('a1')
  await sendAll()
  for (let round = 0; round < 20; round++) {
    for (const row of rows) await put(row, `v${round}`)
    await nextTurn()
  }
  const found: string[] = []
  for (let isOver = false; !isOver; ) {
    const { results, ended } = await reader.handouts.next(id, LIMITS, OWN_CALL)
    found.push(
      ...cellsOf(gathered(results).cells).map(({ row, value }) => `${row.toString()}=${value.toString()}`),
    )
    isOver = ended === 'scan'
  }
  expect(found).toEqual(rows.map((row) => `${row}=old`))
})

test('memstores that scans hold are limited, though the scans say so after the flush', async () => {
  for (let round = 0; round < 10; round++) {
    await put('n', Buffer.alloc(100_000, round))
    heldBack = []
    await reader.rows.openScanner(TABLE, scan({ startRow: Buffer.from('n') }), OWN_CALL)
    await nextTurn()
    await flush()
    await sendAll()
    expect(await heldBytes()).toBeLessThanOrEqual(300_000)
  }
})

test('a get that waits for its turn finds its row, though the region is split meanwhile', async () => {
  await put('a', 'v')
  await put('b', 'v')
  await read('a')
  turns.isLate = true
  const answer = reader.rows.get(TABLE, [get(Buffer.from('a'), { raw: true })], { bytes: 1 << 24 }, OWN_CALL)
  await nextTurn()
  await split('b')
  await someTurns()
  turns.resume()
  expect((await answer).counts).toEqual([1])
})

test('a file that could not be opened is opened by the next read', async () => {
  await put('a', 'v')
  await flush()
  const open = fileSystem.open.bind(fileSystem)
  fileSystem.open = () => {
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }
  await expect(read('a')).rejects.toMatchObject({ code: 'IO' })
  fileSystem.open = open
  expect(await read('a')).toEqual(['v'])
})
