import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { LogRecord } from '../../../../adapters/native/manifest/manifest-edit.ts'
import { LostAndFound } from '../../../../adapters/native/platform/lost-and-found.ts'
import { WriteAheadLog } from '../../../../adapters/native/wal/write-ahead-log.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf } from '../../../../src/model/cell-block.ts'
import { LOOP_TURNS } from '../../../../src/model/loop-turns.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const nothing = (): void => undefined
const EVENTS = {
  lastSequenceId: () => 0,
  onCommit: nothing,
  onRoll: nothing,
  onFailure: nothing,
  onRestart: nothing,
}

let fileSystem: CrashableFileSystem
let logs: readonly LogRecord[]
/** What the registry waits for. */
let registered: Promise<void>
let wal: WriteAheadLog
let lastId: number

beforeEach(async () => {
  fileSystem = new CrashableFileSystem()
  logs = []
  registered = Promise.resolve()
  wal = newLog(fileSystem)
  lastId = 0
  await wal.recover({ turns: LOOP_TURNS, onRecord: () => undefined })
})

/** A log with files of 300 bytes, and a registry that knows them. */
function newLog(on: CrashableFileSystem): WriteAheadLog {
  const registry = {
    get logs() {
      return logs
    },
    recordLogs: async (recorded: readonly LogRecord[]) => {
      await registered
      logs = recorded
    },
    undo: (_error: unknown, task: () => void) => task(),
  }
  const options = { logBytesMax: 300, syncEveryBytes: 100_000 }
  const lost = new LostAndFound(on, '', nothing)
  const parts = { fileSystem: on, directory: '/wal', registry, lost, log: nothing, events: EVENTS, options }
  return new WriteAheadLog(parts)
}

async function write(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const { buffer, start, end } = blockOf([
      {
        row: Buffer.from('r'),
        family: Buffer.from('f'),
        qualifier: Buffer.from('q'),
        timestamp: 1n,
        type: CellType.Put,
        value: Buffer.alloc(20),
      },
    ])
    wal.append(1, ++lastId, buffer, start, end)
    await wal.committed(false)
  }
}

/** Holds what the function returns until it is called. */
function held(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = nothing
  const promise = new Promise<void>((resolve) => (release = resolve))
  return { promise, release: () => release() }
}

async function idsAfter(crashed: CrashableFileSystem): Promise<number[]> {
  const ids: number[] = []
  const next = newLog(crashed)
  await next.recover({
    turns: LOOP_TURNS,
    onRecord: ({ sequenceId }) => {
      ids.push(sequenceId)
    },
  })
  return ids
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1)

test('writes go on while the next file is made', async () => {
  const { promise, release } = held()
  const sync = fileSystem.syncDirectory.bind(fileSystem)
  fileSystem.syncDirectory = (directory) => promise.then(() => sync(directory))
  await write(20)
  expect(logs).toHaveLength(1)
  release()
  await write(20)
  expect(logs.length).toBeGreaterThan(1)
  expect(await idsAfter(fileSystem.killed())).toEqual(upTo(40))
})

test('writes wait while the registry learns the length of the file before', async () => {
  const { promise, release } = held()
  registered = promise
  const writing = write(40)
  for (let turn = 0; turn < 200; turn++) await nextTurn()
  expect(logs).toHaveLength(1)
  const written = lastId
  expect(written).toBeLessThan(40)
  release()
  await writing
  expect(logs.length).toBeGreaterThan(1)
  expect(await idsAfter(fileSystem.killed())).toEqual(upTo(40))
})

test('a file that was made for a roll which does not come any more is removed', async () => {
  const { promise, release } = held()
  const sync = fileSystem.syncDirectory.bind(fileSystem)
  await write(5)
  fileSystem.syncDirectory = (directory) => promise.then(() => sync(directory))
  await write(5)
  const closing = wal.close(() => Number.POSITIVE_INFINITY)
  release()
  await closing
  expect(fileSystem.list('/wal')).toHaveLength(logs.length)
})
