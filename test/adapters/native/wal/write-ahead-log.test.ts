import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_WAL_OPTIONS, type WalOptions } from '../../../../adapters/native/options/wal-options.ts'
import { LostAndFound } from '../../../../adapters/native/platform/lost-and-found.ts'
import type { NativeLog } from '../../../../adapters/native/platform/native-log.ts'
import { encodeMark } from '../../../../adapters/native/wal/log-mark.ts'
import { recordBytesAt, sealRecord } from '../../../../adapters/native/wal/wal-format.ts'
import { WriteAheadLog } from '../../../../adapters/native/wal/write-ahead-log.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, type CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { LOOP_TURNS } from '../../../../src/model/loop-turns.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { documentedBytes } from '../hexdump.ts'

interface Read {
  readonly sequenceId: number
  readonly region: number
  readonly rows: string[]
}

const nothing = (): void => undefined
const NO_EVENTS = {
  lastSequenceId: () => 0,
  onCommit: nothing,
  onRoll: nothing,
  onFailure: nothing,
  onRestart: nothing,
}
const NO_LOG: NativeLog = () => undefined
const FIRST = '/wal/0000000001.log'

function block(...rows: string[]): CellBlock {
  return blockOf(
    rows.map((row) => ({
      row: Buffer.from(row),
      family: Buffer.from('f'),
      qualifier: Buffer.from('q'),
      timestamp: 1n,
      type: CellType.Put,
      value: Buffer.from('v'),
    })),
  )
}

/** A log that no manifest knows, as in a store of the time before it did. */
function newLog(
  fileSystem: CrashableFileSystem,
  options: WalOptions = DEFAULT_WAL_OPTIONS,
  events = NO_EVENTS,
): WriteAheadLog {
  const lost = new LostAndFound(fileSystem, '', NO_LOG)
  const registry = { logs: undefined, recordLogs: async () => undefined, undo: () => undefined }
  return new WriteAheadLog({ fileSystem, directory: '/wal', registry, lost, log: NO_LOG, events, options })
}

async function open(
  fileSystem: CrashableFileSystem,
  options?: WalOptions,
): Promise<{ wal: WriteAheadLog; read: Read[]; tornBytes: number }> {
  const wal = newLog(fileSystem, options)
  const read: Read[] = []
  const tornBytes = await wal.recover({
    turns: LOOP_TURNS,
    onRecord: ({ sequenceId, region, cells }) => {
      read.push({ sequenceId, region, rows: cellsOf(cells).map((cell) => cell.row.toString()) })
    },
  })
  return { wal, read, tornBytes }
}

function append(wal: WriteAheadLog, sequenceId: number, ...rows: string[]): void {
  const { buffer, start, end } = block(...rows)
  wal.append(7, sequenceId, buffer, start, end)
}

describe('the write-ahead log', () => {
  it('gives back what was committed, after a kill', async () => {
    const fileSystem = new CrashableFileSystem()
    const { wal } = await open(fileSystem)
    append(wal, 1, 'a', 'b')
    append(wal, 2 ** 40, 'c')
    await wal.committed(false)
    append(wal, 2 ** 40 + 1, 'never committed')
    const { read, tornBytes } = await open(fileSystem.killed())
    expect(read).toEqual([
      { sequenceId: 1, region: 7, rows: ['a', 'b'] },
      { sequenceId: 2 ** 40, region: 7, rows: ['c'] },
    ])
    expect(tornBytes).toBe(0)
  })

  it('commits what one turn of the event loop brought in one append', async () => {
    const fileSystem = new CrashableFileSystem()
    const { wal } = await open(fileSystem)
    const before = fileSystem.appends
    const waits: Promise<void>[] = []
    for (let i = 1; i <= 50; i++) {
      append(wal, i, `row${i}`)
      waits.push(wal.committed(false))
    }
    await Promise.all(waits)
    expect(fileSystem.appends - before).toBe(1)
  })

  it('answers a wait for the disk after a sync only, and shares syncs', async () => {
    const fileSystem = new CrashableFileSystem()
    const { wal } = await open(fileSystem)
    const before = fileSystem.syncs
    append(wal, 1, 'a')
    append(wal, 2, 'b')
    await Promise.all([wal.committed(true), wal.committed(true), wal.committed(false)])
    expect(fileSystem.syncs - before).toBeGreaterThan(0)
    expect(fileSystem.syncs - before).toBeLessThan(3)
    const { read } = await open(fileSystem.powerLost(() => 0))
    expect(read.map((record) => record.sequenceId)).toEqual([1, 2])
  })

  it('cuts a torn tail off, wherever it is torn, and goes on behind it', async () => {
    const fileSystem = new CrashableFileSystem()
    const { wal } = await open(fileSystem)
    append(wal, 1, 'a')
    append(wal, 2, 'b', 'c')
    await wal.committed(false)
    const whole = Buffer.from(fileSystem.bytesOf(FIRST))
    const firstEnd = 16 + recordBytesAt(whole, 16)
    for (let length = 0; length <= whole.length; length++) {
      const torn = fileSystem.killed()
      torn.replace(FIRST, whole.subarray(0, length))
      const first = await open(torn)
      const expected = length === whole.length ? [1, 2] : length >= firstEnd ? [1] : []
      expect(first.read.map((record) => record.sequenceId)).toEqual(expected)
      append(first.wal, 9, 'z')
      await first.wal.committed(false)
      const second = await open(torn.killed())
      expect(second.read.map((record) => record.sequenceId)).toEqual([...expected, 9])
    }
  })

  it('refuses to open a log with damage in what the disk has had, wherever the damage is', async () => {
    const fileSystem = new CrashableFileSystem()
    const { wal } = await open(fileSystem)
    append(wal, 1, 'a')
    await wal.committed(true)
    append(wal, 2, 'b')
    await wal.committed(false)
    const whole = Buffer.from(fileSystem.bytesOf(FIRST))
    const firstEnd = 16 + recordBytesAt(whole, 16)
    for (let at = 16; at < firstEnd; at++) {
      const damaged = fileSystem.killed()
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 0x41
      damaged.replace(FIRST, bytes)
      await expect(open(damaged)).rejects.toMatchObject({
        code: 'CORRUPTION',
        detail: { path: FIRST, offset: 16 },
        message: expect.stringContaining(`${FIRST} is damaged at byte 16`),
      })
    }
  })

  it('takes damage at the end of a log that is not the last for what it is', async () => {
    const fileSystem = new CrashableFileSystem()
    const first = await open(fileSystem)
    append(first.wal, 1, 'a')
    await first.wal.committed(false)
    const survivor = fileSystem.killed()
    const second = await open(survivor)
    append(second.wal, 2, 'b')
    await second.wal.committed(false)
    const bytes = survivor.bytesOf(FIRST)
    survivor.replace(FIRST, bytes.subarray(0, bytes.length - 1))
    await expect(open(survivor.killed())).rejects.toMatchObject({ code: 'CORRUPTION' })
  })

  it('rolls at its size with all before on disk, and trims what is flushed', async () => {
    const fileSystem = new CrashableFileSystem()
    const options = { logBytesMax: 300, syncEveryBytes: 100 }
    const { wal } = await open(fileSystem, options)
    for (let i = 1; i <= 40; i++) {
      append(wal, i, `row${i}`)
      await wal.committed(false)
    }
    const names = fileSystem.list('/wal')
    expect(names.length).toBeGreaterThan(3)
    expect(wal.fileCount).toBe(names.length)
    const { read } = await open(
      fileSystem.powerLost(() => 0.5),
      options,
    )
    const ids = read.map((record) => record.sequenceId)
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1))
    expect(ids.length).toBeGreaterThan(30)
  })

  it('goes on to its next file while the disk frees the space of another', async () => {
    const fileSystem = new CrashableFileSystem()
    const { wal } = await open(fileSystem, { logBytesMax: 200, syncEveryBytes: 1000 })
    let id = 1
    const roll = async (): Promise<void> => {
      const files = fileSystem.list('/wal').length
      for (; fileSystem.list('/wal').length === files; id++) {
        append(wal, id, `row${id}`)
        await wal.committed(false)
      }
      await wal.committed(false)
    }
    await roll()
    let free = nothing
    const freed = new Promise<void>((resolve) => (free = resolve))
    fileSystem.removeLarge = () => freed
    const trimmed = wal.trim(() => id)
    await roll()
    await roll()
    free()
    await trimmed
  })

  it('removes logs once their regions are flushed, and not before', async () => {
    const fileSystem = new CrashableFileSystem()
    const { wal } = await open(fileSystem, { logBytesMax: 200, syncEveryBytes: 1000 })
    for (let i = 1; i <= 20; i++) {
      append(wal, i, `row${i}`)
      await wal.committed(false)
    }
    await wal.trim(() => 0)
    const before = fileSystem.list('/wal').length
    await wal.trim(() => 0)
    expect(fileSystem.list('/wal').length).toBe(before)
    expect(wal.regionsOfOldest(() => 0)).toEqual([7])
    await wal.trim(() => 10)
    const after = fileSystem.list('/wal').length
    expect(after).toBeLessThan(before)
    expect(after).toBeGreaterThan(1)
    await wal.close(() => 20)
    expect(fileSystem.list('/wal')).toEqual([])
    await expect(wal.committed(false)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('tells every waiter when it cannot be written, and takes no more', async () => {
    const fileSystem = new CrashableFileSystem()
    let commits = 0
    const wal = newLog(fileSystem, undefined, { ...NO_EVENTS, onCommit: () => void commits++ })
    await wal.recover({ turns: LOOP_TURNS, onRecord: () => undefined })
    append(wal, 1, 'a')
    await wal.committed(false)
    fileSystem.failAppends({ after: 0, writtenBytes: 9 })
    append(wal, 2, 'b')
    const waits = [wal.committed(false), wal.committed(true), wal.committed(false)]
    for (const outcome of await Promise.allSettled(waits)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
    }
    expect(commits).toBe(1)
    fileSystem.repair()
    expect(() => append(wal, 3, 'c')).toThrow(/no space left on device/)
    const { read, tornBytes } = await open(fileSystem.killed())
    expect(read.map((record) => record.sequenceId)).toEqual([1])
    expect(tornBytes).toBe(0)
  })
})

describe('a record', () => {
  it('is found whole where it was sealed and nowhere else', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.integer({ min: 0, max: 30 }),
        fc.nat({ max: 2 ** 48 }),
        (cells, before, sequenceId) => {
          const end = before + 20 + cells.length
          const log = Buffer.alloc(end + 5, 0xee)
          Buffer.from(cells).copy(log, before + 20)
          sealRecord(log, before, end, sequenceId, 3)
          expect(recordBytesAt(log, before)).toBe(20 + cells.length)
          log[before + 8 + ((sequenceId + 7) % (12 + cells.length))]! ^= 1
          expect(recordBytesAt(log, before)).toBe(0)
        },
      ),
    )
  })
})

describe('docs/formats.md', () => {
  it('shows a log that is read as it says', async () => {
    const fileSystem = new CrashableFileSystem()
    fileSystem.replace(FIRST, documentedBytes('wal'))
    const { read, tornBytes } = await open(fileSystem)
    expect(tornBytes).toBe(0)
    expect(read).toEqual([{ sequenceId: 42, region: 3, rows: ['advertiser 1'] }])
    const mark = documentedBytes('wal-mark')
    expect(mark).toEqual(encodeMark({ kind: 'synced', upTo: 84 }, 84))
    const marked = new CrashableFileSystem()
    marked.replace(FIRST, Buffer.concat([documentedBytes('wal'), mark]))
    expect(await open(marked)).toMatchObject({ read, tornBytes: 0 })
  })
})
