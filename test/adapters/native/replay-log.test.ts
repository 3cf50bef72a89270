import { expect, it } from 'vitest'
import type { Engine } from '../../../adapters/native/engine/engine.ts'
import { GradualInserts } from '../../../adapters/native/region/gradual-inserts.ts'
import { replayLog } from '../../../adapters/native/replay-log.ts'
import type { LogReplay } from '../../../adapters/native/wal/log-recovery.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { gate } from '../hbase/gate.ts'

/** A replay of three logs that all leave the region large; `isFull` and the flush's end are the test's. */
function replayed(
  limits: { isFull: boolean },
  duringLog: () => void = () => undefined,
): {
  readonly read: number[]
  readonly ended: Promise<void>
  readonly inserts: GradualInserts
  endFlush(): void
} {
  const read: number[] = []
  const inserts = new GradualInserts()
  const { promise: flush, open: endFlush } = gate()
  const engine = {
    wal: {
      bytesToRecover: () => 0,
      recover: async ({ beforeLog, onRead, afterLog }: Required<LogReplay>) => {
        for (const log of [1, 2, 3]) {
          await beforeLog()
          read.push(log)
          duringLog()
          atOnce(onRead!())
          await afterLog()
        }
        return 0
      },
      trim: async () => undefined,
    },
    mvcc: { publish: () => undefined },
    tables: { regions: new Map([[1, { memstoreBytes: 10, inserts }]]) },
    limits: { ...limits, flushBytesOf: () => 1 },
    flusher: { flushSoon: () => flush, flushedUpTo: () => 0 },
    orphans: { save: async () => undefined },
    recovery: { begin: () => undefined, end: () => undefined },
  } as unknown as Engine
  return { read, ended: replayLog(engine), inserts, endFlush }
}

it('reads on while a flush that it has begun is under way', async () => {
  const replay = replayed({ isFull: false })
  await replay.ended
  expect(replay.read).toEqual([1, 2, 3])
  replay.endFlush()
})

it('waits for its flushes where the memory is full', async () => {
  const replay = replayed({ isFull: true })
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(replay.read).toEqual([1])
  replay.endFlush()
  await replay.ended
  expect(replay.read).toEqual([1, 2, 3])
})

it('a flush that comes while a log is on its way into the memstores takes them behind the log, and before the next one', async () => {
  const order: string[] = []
  const replay = replayed({ isFull: false }, () => {
    order.push(`log ${replay.read.length}`)
    // As RegionFlusher does before it takes the memstores.
    const pausing = replay.inserts.pause()
    expect(pausing).toBeDefined()
    void pausing?.then((resume) => {
      order.push('taken')
      resume()
    })
  })
  await replay.ended
  expect(order).toEqual(['log 1', 'taken', 'log 2', 'taken', 'log 3', 'taken'])
  expect(replay.inserts.pause()).toBeUndefined()
  replay.endFlush()
})
