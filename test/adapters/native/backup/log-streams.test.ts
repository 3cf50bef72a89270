/** The log as one who follows it reads it: every acknowledged row once, in order, with its time, whatever becomes of the files. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeEdit } from '../../../../adapters/native/manifest/manifest-edit.ts'
import { LogFollower } from '../../../../adapters/native/wal/log-follower.ts'
import {
  RECORD_CELLS_OFFSET,
  recordBytesAt,
  recordSequenceId,
} from '../../../../adapters/native/wal/wal-format.ts'
import { CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import {
  type LogStreams,
  STREAM_PART_BYTES_MAX,
  type StreamEntry,
} from '../../../../src/store/log-streams.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const options = { numRuns: testRuns(60), ...(SEED !== undefined && { seed: SEED }) }
const SMALL_LOGS = { wal: { logBytesMax: 500, syncEveryBytes: 150 } }
const KEEP = 1_000_000

function streamsOf({ store }: StoreUnderTest): LogStreams {
  return store.upkeep.logStreams!
}

interface ReadRow {
  readonly row: string
  readonly at: number
}

class Reader {
  readonly entries: StreamEntry[] = []
  readonly #session: StoreUnderTest
  readonly #id: string

  private constructor(session: StoreUnderTest, id: string) {
    this.#session = session
    this.#id = id
  }

  static async of(session: StoreUnderTest, keepBytesMax = KEEP): Promise<Reader> {
    return new Reader(session, await streamsOf(session).followLog(keepBytesMax, OWN_CALL))
  }

  async read(): Promise<number> {
    const part = await streamsOf(this.#session).readLog(this.#id, OWN_CALL)
    this.entries.push(...part.entries)
    expect(part.at).toBeGreaterThanOrEqual(part.entries.at(-1)?.at ?? 0)
    return part.left
  }

  /** Resolves to whether the store has let go of the rest, since its log could not be written. */
  async readAll(): Promise<boolean> {
    try {
      while ((await this.read()) > 0);
      return false
    } catch (error) {
      expect(String(error)).toContain('could not be written')
      return true
    }
  }

  leave(): Promise<void> {
    return streamsOf(this.#session).leaveLog(this.#id, OWN_CALL)
  }

  /** The rows of all records; a copied tail brings some of them again. */
  rows(): ReadRow[] {
    const rows: ReadRow[] = []
    let last = 0
    for (const entry of this.entries) {
      if (entry.kind !== 'records') continue
      const { bytes, at } = entry
      for (let start = 0; start < bytes.length; ) {
        const length = recordBytesAt(bytes, start)
        expect(length).toBeGreaterThan(0)
        const id = recordSequenceId(bytes, start)
        if (id > last) {
          last = id
          for (const cell of cellsOf(new CellBlock(bytes, start + RECORD_CELLS_OFFSET, start + length)))
            rows.push({ row: cell.row.toString(), at })
        }
        start += length
      }
    }
    return rows
  }

  kinds(): string[] {
    return this.entries.map((entry) => {
      if (entry.kind === 'change') return `change ${decodeEdit(entry.bytes)!.kind}`
      return entry.kind === 'unlogged' ? `unlogged ${entry.table}` : entry.kind
    })
  }
}

async function opened(more: object = {}): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ ...SMALL_LOGS, ...more }, undefined, Math.random)
  await session.createTable(tableOf('f'))
  return session
}

function logsOf(session: StoreUnderTest): string[] {
  return session.paths('/s/wal/')
}

const anyAction = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('put' as const), rows: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'flush' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'read' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'back' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'full' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'no sync' as const }) },
)

test('every acknowledged row comes once, in order and with its time; refused ones do not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 5, maxLength: 40 }), async (actions) => {
      const session = await opened()
      const reader = await Reader.of(session)
      const expected: ReadRow[] = []
      let [count, latest] = [0, 0]
      for (const action of actions) {
        // A read says that all up to its time has come: no later entry has a lower one.
        if (action.kind === 'read' || action.kind === 'full') latest = Math.max(latest, session.time)
        if (action.kind === 'put') {
          const rows = Array.from({ length: action.rows }, () => `r${String(count++).padStart(5, '0')}`)
          latest = Math.max(latest, session.time)
          const failures = await session.put(rows).catch(() => rows)
          if (failures.length === 0) expected.push(...rows.map((row) => ({ row, at: latest })))
        } else if (action.kind === 'flush') await session.flush().catch(() => undefined)
        else if (action.kind === 'read') await reader.read().catch(() => undefined)
        else if (action.kind === 'tick') session.time += 3
        else if (action.kind === 'back') session.time -= 5000
        else if (action.kind === 'full') {
          session.fileSystem.failAppends({ after: 0, writtenBytes: 30 })
          await session.put(['refused']).catch(() => undefined)
          session.fileSystem.repair()
          await session.store.outage()
          await session.put(['tried']).catch(() => undefined)
          await reader.read().catch(() => undefined)
          await session.put(['probe']).catch(() => undefined)
        } else {
          session.fileSystem.failSyncing = (path) => path.endsWith('.log')
          await session.put(['synced'], { durability: 'FSYNC_WAL' }).catch(() => undefined)
          session.fileSystem.failSyncing = () => false
          await session.store.outage()
        }
      }
      const isLost = await reader.readAll()
      const atAll = new Set(expected.map(({ row }) => row))
      const numbered = reader.rows().filter(({ row }) => atAll.has(row))
      const due = isLost ? expected.slice(0, numbered.length) : expected
      // After a failed sync the end of a log comes once more, in the next one, and may come there only.
      const isMoved = actions.some(({ kind }) => kind === 'no sync')
      if (isMoved) expect(numbered.map(({ row }) => row)).toEqual(due.map(({ row }) => row))
      else expect(numbered).toEqual(due)
      for (const [index, { at }] of numbered.entries()) expect(at).toBeGreaterThanOrEqual(due[index]!.at)
      expect(reader.rows().some(({ row }) => row === 'refused')).toBe(false)
      // Rows that are in the store are in the log, too: a restore has the same.
      const found = new Set(reader.rows().map(({ row }) => row))
      for (const row of isLost ? [] : await session.rows())
        expect(found.has(row.slice(0, row.indexOf('=')))).toBe(true)
      await reader.leave()
      await session.store.close()
    }),
    options,
  )
})

describe('logs that are flushed', () => {
  test('stay until they are read, and go then', async () => {
    const session = await opened()
    const reader = await Reader.of(session)
    for (let i = 0; i < 30; i++) await session.put([`r${i}`])
    await session.flush()
    const kept = logsOf(session).length
    expect(kept).toBeGreaterThan(3)
    while ((await reader.read()) > 0);
    await session.put(['later'])
    await reader.read()
    expect(logsOf(session).length).toBeLessThan(3)
    expect(reader.rows()).toHaveLength(31)
    await session.store.close()
  })

  test('go at the next flush where more waits than may, and the reader learns of it', async () => {
    const session = await opened()
    const reader = await Reader.of(session, 900)
    for (let i = 0; i < 30; i++) await session.put([`r${i}`])
    await session.flush()
    expect(logsOf(session).length).toBeLessThan(3)
    await expect(reader.read()).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: expect.stringContaining('more than the 900 that are kept') as string,
    })
    await session.store.close()
  })

  test('go where the log cannot be written: clients need the room', async () => {
    const session = await opened()
    const reader = await Reader.of(session)
    for (let i = 0; i < 30; i++) await session.put([`r${i}`])
    await session.flush()
    session.fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    await session.put(['x']).catch(() => undefined)
    session.fileSystem.repair()
    await expect(reader.read()).rejects.toThrow('could not be written')
    expect(logsOf(session).length).toBeLessThan(4)
    await session.store.close()
  })

  test('are gone after a start that follows a kill, and no row comes twice', async () => {
    const session = await opened()
    await Reader.of(session)
    for (let i = 0; i < 30; i++) await session.put([`r${i}`])
    await session.flush()
    const again = await session.killed(SMALL_LOGS)
    expect(await again.rows()).toHaveLength(30)
    expect(again.paths('/s/lost')).toEqual([])
    expect(logsOf(again).length).toBeLessThan(3)
    await again.store.close()
  })
})

test('changes of the catalog, moments and loaded cells come in their places', async () => {
  const session = await opened()
  const { catalog, upkeep } = session.store
  const reader = await Reader.of(session)
  const other = parseTableName('other')
  await session.put(['a'])
  await upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  const { id } = await upkeep.backups!.beginBackup(OWN_CALL)
  await upkeep.snapshots!.cloneSnapshot('s', other, OWN_CALL)
  await session.put(['b'])
  await catalog.disableTable(TABLE, OWN_CALL)
  await catalog.truncateTable(TABLE, true, OWN_CALL)
  await catalog.createNamespace({ name: 'n', properties: new Map() }, OWN_CALL)
  await reader.read()
  expect(reader.kinds()).toEqual([
    'records',
    'change snapshot',
    'moment',
    'change table',
    'unlogged other',
    'records',
    'change table',
    'change table',
    'change namespace',
  ])
  expect(reader.entries[2]).toMatchObject({ id })
  await session.store.close()
})

test('a part is not larger than it may be, and the rest follows', async () => {
  const session = await StoreUnderTest.open({ wal: { logBytesMax: 1 << 26, syncEveryBytes: 1 << 26 } })
  await session.createTable(tableOf('f'))
  const reader = await Reader.of(session, 1 << 30)
  for (let i = 0; i < 20; i++) {
    await session.put([`r${i}`], { value: 'v'.repeat(1 << 20) })
    session.time++
  }
  let parts = 0
  for (let left = 1; left > 0; parts++) {
    const before = reader.entries.length
    left = await reader.read()
    const bytes = reader.entries.slice(before).map((entry) => ('bytes' in entry ? entry.bytes.length : 0))
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(STREAM_PART_BYTES_MAX)
  }
  expect(parts).toBe(3)
  expect(reader.rows()).toHaveLength(20)
  await session.store.close()
})

test('very many commits that nothing has read become fewer steps, each with its time or a later one', async () => {
  const commits = 200_000
  const fileSystem = new CrashableFileSystem()
  fileSystem.replace('/1.log', Buffer.alloc(16 + commits))
  const find = (number: number) => ({ number, path: '/1.log', bytes: 16 + commits })
  const follower = new LogFollower({ fileSystem, find, keepBytesMax: KEEP }, { number: 1, bytes: 16 })
  for (let i = 1; i <= commits; i++) follower.committed(i, { number: 1, bytes: 16 + i })
  const { entries, left } = await follower.read(commits)
  expect(left).toBe(0)
  expect(entries.length).toBeLessThan(66_000)
  let end = 16
  for (const entry of entries) {
    if (entry.kind !== 'records') expect.unreachable(entry.kind)
    expect(entry.offset).toBe(end)
    end += entry.bytes.length
    expect(entry.at).toBe(end - 16)
  }
  expect(end).toBe(16 + commits)
})

test('a commit of the same millisecond as one that is being read is read, too', async () => {
  const fileSystem = new CrashableFileSystem()
  fileSystem.replace('/1.log', Buffer.alloc(200))
  const log = { number: 1, path: '/1.log', bytes: 200 }
  const follower = new LogFollower(
    { fileSystem, find: () => log, keepBytesMax: KEEP },
    { number: 1, bytes: 16 },
  )
  follower.committed(1000, { number: 1, bytes: 100 })
  const first = follower.read(1000)
  // The first read waits for the disk now.
  follower.committed(1000, { number: 1, bytes: 150 })
  const parts = [await first, await follower.read(1000)]
  expect(parts[1]!.left).toBe(0)
  const bytes = parts.flatMap(({ entries }) =>
    entries.map((entry) => ('bytes' in entry ? entry.bytes.length : 0)),
  )
  expect(bytes.reduce((sum, length) => sum + length, 0)).toBe(150 - 16)
})

test('readers are limited, and each is one reader', async () => {
  const session = await opened()
  const readers = await Promise.all(Array.from({ length: 16 }, () => Reader.of(session)))
  await expect(Reader.of(session)).rejects.toThrow('16 follow the log')
  await readers[0]!.leave()
  await readers[0]!.leave()
  await expect(readers[0]!.read()).rejects.toThrow('has no follower')
  await Reader.of(session)
  await session.put(['a'])
  const both = await Promise.allSettled([readers[1]!.read(), readers[1]!.read()])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await session.store.close()
})
