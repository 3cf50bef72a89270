/** Records of many megabytes: they are written in several turns of the event loop, and are in the log as a whole or not at all. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { LogRecord } from '../../../../adapters/native/manifest/manifest-edit.ts'
import { DEFAULT_WAL_OPTIONS, type WalOptions } from '../../../../adapters/native/options/wal-options.ts'
import { LostAndFound } from '../../../../adapters/native/platform/lost-and-found.ts'
import { WriteAheadLog } from '../../../../adapters/native/wal/write-ahead-log.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, type CellBlock } from '../../../../src/model/cell-block.ts'
import { LOOP_TURNS } from '../../../../src/model/loop-turns.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const MIB = 1024 * 1024
const LARGE_BYTES = 12 * MIB

function block(bytes: number): CellBlock {
  const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
  const value = Buffer.alloc(bytes, 'v')
  return blockOf([{ row: Buffer.from('r'), family, qualifier, timestamp: 1n, type: CellType.Put, value }])
}

const nothing = (): void => undefined
const large = block(LARGE_BYTES)
const small = block(1)

class Log {
  readonly fileSystem: CrashableFileSystem
  readonly wal: WriteAheadLog
  /** Sequence ids found at the start. */
  readonly read: number[] = []
  /** The lists of logs that the manifest has got. */
  readonly recorded: (readonly LogRecord[])[] = []
  /** Turns of the event loop that the manifest takes to record them. */
  recordTurns = 0
  commits = 0
  #last = 0

  private constructor(fileSystem: CrashableFileSystem, options: WalOptions) {
    this.fileSystem = fileSystem
    const onCommit = (): void => void this.commits++
    const events = {
      lastSequenceId: () => this.#last,
      onCommit,
      onRoll: nothing,
      onFailure: nothing,
      onRestart: nothing,
    }
    const registry = {
      logs: undefined,
      recordLogs: async (logs: readonly LogRecord[]) => {
        for (let turn = 0; turn < this.recordTurns; turn++) await nextTurn()
        this.recorded.push(logs)
      },
      undo: nothing,
    }
    const lost = new LostAndFound(fileSystem, '', nothing)
    const parts = { fileSystem, directory: '/wal', registry, lost, log: nothing, events, options }
    this.wal = new WriteAheadLog(parts)
  }

  static async open(
    fileSystem: CrashableFileSystem = new CrashableFileSystem(),
    options: WalOptions = DEFAULT_WAL_OPTIONS,
  ): Promise<Log> {
    const log = new Log(fileSystem, options)
    await log.wal.recover({
      turns: LOOP_TURNS,
      onRecord: ({ sequenceId, cells }) => {
        log.read.push(cells.byteLength < MIB ? sequenceId : -sequenceId)
      },
    })
    return log
  }

  /** Resolves to whether the log has taken it. */
  append({ buffer, start, end }: CellBlock, isKept = true): Promise<boolean> {
    this.wal.append(7, ++this.#last, buffer, start, end, isKept)
    return this.wal.committed(false).then(
      () => true,
      () => false,
    )
  }

  /** The records that a start after a kill -9 would find now. */
  async killed(): Promise<number[]> {
    const left = new CrashableFileSystem()
    for (const path of this.fileSystem.paths()) left.replace(path, Buffer.from(this.fileSystem.bytesOf(path)))
    return (await Log.open(left)).read
  }
}

it.each([true, false])(
  'let others have their turn, who commit behind them (cells kept: %s)',
  async (isKept) => {
    const log = await Log.open()
    const taken = [log.append(small), log.append(large, isKept)]
    const order = [1, -2, 3, 4, 5]
    let turns = 0
    while (log.commits === 0) {
      // A kill at any of these moments leaves whole records, none behind one that is not there.
      const left = await log.killed()
      expect(left).toEqual(order.slice(0, left.length))
      if (turns === 0) expect(left).not.toContain(-2)
      await nextTurn()
      if (turns++ < 3) taken.push(log.append(small))
    }
    const answers = await Promise.all(taken)
    expect(answers).toEqual(answers.map(() => true))
    expect(answers.length).toBeGreaterThan(2)
    expect(log.commits).toBe(2)
    expect(await log.killed()).toEqual(order.slice(0, answers.length))
  },
)

it('that come on and on keep none waiting that came before, nor the next file of the log', async () => {
  const log = await Log.open(undefined, { logBytesMax: 2 * LARGE_BYTES, syncEveryBytes: MIB })
  const answered: number[] = []
  const appended: Promise<unknown>[] = []
  const append = (cells: CellBlock): void => {
    const number = appended.length
    appended.push(log.append(cells).then(() => answered.push(number)))
  }
  append(large)
  append(small)
  // Nearly as fast as they are written: there is always a record on its way.
  for (let turn = 1; turn < 40; turn++) {
    await nextTurn()
    if (turn % 4 === 0) append(small)
    if (turn % 5 === 0) append(large)
    if (turn === 30) expect(answered).toEqual(expect.arrayContaining([0, 1]))
  }
  expect(log.wal.fileCount).toBeGreaterThan(1)
  await Promise.all(appended)
  expect(await log.killed()).toHaveLength(appended.length)
})

it('that end while the log goes on to its next file begin no other one, which would close the file that is written', async () => {
  const log = await Log.open(undefined, { logBytesMax: 2 * LARGE_BYTES, syncEveryBytes: 100 * MIB })
  log.recordTurns = 5
  const rolled = log.recorded.length
  const taken: Promise<boolean>[] = []
  for (let turn = 0; turn < 40; turn++) {
    taken.push(log.append(turn % 8 === 0 ? large : small))
    await nextTurn()
  }
  expect(await Promise.all(taken)).toEqual(taken.map(() => true))
  const newest = log.recorded.slice(rolled).flatMap((logs) => logs.slice(-1).map(({ number }) => number))
  expect(newest.length).toBeGreaterThan(0)
  expect(newest).toEqual([...new Set(newest)])
  expect(await log.killed()).toHaveLength(taken.length)
})

it.each([0, 1, 3])(
  'that the disk refuses after %i parts leave nothing, nor do those behind them',
  async (after) => {
    const log = await Log.open()
    expect(await log.append(small)).toBe(true)
    log.fileSystem.failAppends({ after, writtenBytes: 100 })
    const refused = [log.append(large)]
    await nextTurn()
    if (log.wal.failure === undefined) refused.push(log.append(small))
    expect(await Promise.all(refused)).toEqual(refused.map(() => false))
    log.fileSystem.repair()
    expect(await log.killed()).toEqual([1])
    await log.wal.restart()
    expect(await log.append(large)).toBe(true)
    expect(await log.killed()).toEqual([1, -(2 + refused.length)])
  },
)

it('are whole before the log is closed, rolled, or waited for on disk', async () => {
  const log = await Log.open(undefined, { logBytesMax: MIB, syncEveryBytes: MIB })
  const first = log.append(large)
  await log.wal.committed(true)
  expect(await first).toBe(true)
  const second = log.append(large)
  const third = log.append(large)
  await log.wal.close(() => 0)
  expect(await Promise.all([second, third])).toEqual([true, true])
  expect(await log.killed()).toEqual([-1, -2, -3])
})
