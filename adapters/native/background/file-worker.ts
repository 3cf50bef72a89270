/**
 * The thread that writes store files: one job beside another, a step of each in turn. While it flushes, its compactions
 * wait, for a memstore that is full keeps writers waiting. A large compaction has less time beside a small one, which so keeps the
 * files few while the large one goes on for minutes.
 */

import { setTimeout as later, setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { idleCollector } from '../../../src/model/collector.ts'
import { PackedCellsIterator } from '../memstore/packed-cells.ts'
import { NODE_FILE_SYSTEM } from '../platform/node-file-system.ts'
import { type FileJob, type FileJobOutcome, JobCancelled } from './file-job.ts'
import {
  failureOf,
  type Order,
  type PackedSource,
  type Report,
  receivedFiles,
  receivedJob,
} from './job-message.ts'
import { isBesideSmall } from './job-sizes.ts'
import { RateLimit } from './rate-limit.ts'
import { type JobPause, runFileJob, withSourceFiles } from './run-file-job.ts'
import { WorkUnderWay } from './work-under-way.ts'

/** Work done at a stretch, in milliseconds. */
const SLICE_MS = 5
/** Rest of a large compaction after each stretch beside a small one: it has a quarter of the time. */
const REST_MS = 3 * SLICE_MS
/** Time between two reports of a job's progress. */
const REPORT_MS = 50

/** Blocks of so many bytes that were read and left are worth a collection. */
const DROPPED_BYTES_MAX = 16 * 1024 * 1024

interface Running {
  readonly job: FileJob
  /** Whether it is to end. */
  isCancelled: boolean
}

const running = new Map<number, Running>()
const rate = new RateLimit()
const collectIdle = idleCollector()
/** One of its own: a collection within a job leaves the blocks that the job still reads, which the one behind it takes. */
const collectWithinJob = idleCollector()
/** Flushes that compactions wait for: not those that wait for the disk, which leave the processor to them. */
const flushes = new WorkUnderWay()
/** Blocks that were read and left since the last collection. V8 would let them grow to hundreds of megabytes. */
let droppedBytes = 0

function report(message: Report): void {
  parentPort!.postMessage(message)
}

function pauseOf(id: number, job: FileJob): JobPause {
  const { kind } = job
  let written = 0
  let sliceStart = performance.now()
  let reportedAt = sliceStart
  return async ({ bytesWritten, cellsRead }) => {
    if (droppedBytes >= DROPPED_BYTES_MAX) {
      droppedBytes = 0
      collectWithinJob()
    }
    if (kind === 'compaction') rate.wrote(bytesWritten - written)
    written = bytesWritten
    for (;;) {
      const now = performance.now()
      const waits = kind === 'compaction' && (flushes.isUnderWay || rate.isAhead)
      if (!waits && now - sliceStart < SLICE_MS) return
      if (now - reportedAt >= REPORT_MS) {
        report({ kind: 'progress', id, cellsRead })
        reportedAt = now
      }
      if (waits && flushes.isUnderWay) await flushes.ended()
      else if (waits) await rate.wait()
      else if (isBesideSmall(job, running.values())) await later(REST_MS)
      else await nextTurn()
      sliceStart = performance.now()
      if (running.get(id)?.isCancelled === true) throw new JobCancelled()
      if (!waits) return
    }
  }
}

function run(id: number, job: FileJob, source: PackedSource): Promise<FileJobOutcome> {
  const pause = pauseOf(id, job)
  if (source.kind === 'packed')
    return runFileJob(NODE_FILE_SYSTEM, job, [new PackedCellsIterator(source.cells)], pause, (wait) =>
      flushes.besides(wait),
    )
  return withSourceFiles(
    NODE_FILE_SYSTEM,
    receivedFiles(source.files),
    (cells) => runFileJob(NODE_FILE_SYSTEM, job, cells, pause),
    (bytes) => {
      droppedBytes += bytes
    },
  )
}

async function answer(id: number, job: FileJob, source: PackedSource): Promise<void> {
  running.set(id, { job, isCancelled: false })
  try {
    report({ kind: 'done', id, outcome: await run(id, receivedJob(job), source) })
  } catch (error) {
    report({ kind: 'failed', id, failure: failureOf(error) })
  }
  running.delete(id)
  // In a turn of its own: by then nothing here refers to the cells.
  if (running.size === 0) setImmediate(collectAtRest)
}

/** The memory of a job that has just begun would count as what the thread keeps. */
function collectAtRest(): void {
  if (running.size === 0) collectIdle()
}

async function flush(order: Order & { kind: 'job' }): Promise<void> {
  await flushes.during(() => answer(order.id, order.job, order.source))
}

function cancel(id: number): void {
  const job = running.get(id)
  if (job !== undefined) job.isCancelled = true
}

parentPort!.on('message', (order: Order) => {
  if (order.kind === 'cancel') cancel(order.id)
  else if (order.kind === 'rate') rate.bytesPerSecond = order.bytesPerSecond
  else if (order.kind === 'close') parentPort!.close()
  else if (order.job.kind === 'flush') void flush(order)
  else void answer(order.id, order.job, order.source)
})
