import type { NativeLog } from '../platform/native-log.ts'
import type { CellSource, FileJob, FileJobOutcome, JobControl, JobRunner } from './file-job.ts'
import { JobFigures } from './job-figures.ts'
import { ThreadEnded, WorkerThread } from './worker-thread.ts'

/** A job that has ended this many threads is done without one. */
const THREADS_A_JOB = 2
/** So few bytes are written sooner than a thread gets the order, if they are not compressed. */
const TRIFLE_BYTES = 256 * 1024

function isTrifle({ inputBytes, family }: FileJob): boolean {
  const codec = family.attributes.get('COMPRESSION') ?? 'NONE'
  return inputBytes < TRIFLE_BYTES && codec.toUpperCase() === 'NONE'
}

export interface WorkerRunnerParts {
  /** Most threads at a time. They are started when there is work for them. */
  readonly threadsMax: number
  /** Does what no thread can. */
  readonly ownThread: JobRunner
  readonly log: NativeLog
  /** The program of a thread, for tests. */
  readonly program?: URL
}

/** Does jobs in worker threads, so that the event loop that answers clients neither merges nor compresses. */
export class WorkerRunner implements JobRunner {
  readonly figures: JobFigures = new JobFigures()
  /** The ends of threads that are counted: all jobs of a thread fail with the same error. */
  readonly #countedEnds = new WeakSet<ThreadEnded>()
  readonly #parts: WorkerRunnerParts
  #threads: WorkerThread[] = []
  #bytesPerSecond: number = Number.POSITIVE_INFINITY

  constructor(parts: WorkerRunnerParts) {
    this.#parts = parts
  }

  run(job: FileJob, source: CellSource, control: JobControl): Promise<FileJobOutcome> {
    return this.figures.counting(job.kind, () => this.#run(job, source, control))
  }

  async #run(job: FileJob, source: CellSource, control: JobControl): Promise<FileJobOutcome> {
    if (isTrifle(job)) return this.#parts.ownThread.run(job, source, control)
    for (let attempt = 1; attempt <= THREADS_A_JOB; attempt++) {
      try {
        return await this.#runInThread(job, source, control)
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error
        if (!this.#countedEnds.has(error)) this.figures.endedThreads++
        this.#countedEnds.add(error)
        const path = job.outputs[0]?.path
        const remedy = attempt < THREADS_A_JOB ? 'another one' : 'the main thread, which serves more slowly,'
        this.#parts.log('error', `${error.message}: ${remedy} writes the file`, { path, error })
      }
    }
    return this.#parts.ownThread.run(job, source, control)
  }

  async #runInThread(job: FileJob, source: CellSource, control: JobControl): Promise<FileJobOutcome> {
    const thread = this.#freeThread()
    const outcome = thread.run(job, source, control)
    if (job.kind === 'flush') return outcome
    this.#shareRate()
    try {
      return await outcome
    } finally {
      this.#shareRate()
    }
  }

  /** A new thread where all are at work and there may be one more. */
  #freeThread(): WorkerThread {
    this.#threads = this.#threads.filter(({ hasEnded }) => !hasEnded)
    const [idlest] = this.#threads.toSorted((a, b) => a.jobCount - b.jobCount)
    if (idlest !== undefined && (idlest.jobCount === 0 || this.#threads.length >= this.#parts.threadsMax))
      return idlest
    const thread = new WorkerThread(this.#parts.program)
    this.#threads.push(thread)
    return thread
  }

  /** Each thread gets its compactions' part of the bytes. */
  #shareRate(): void {
    const total = this.#threads.reduce((sum, { compactionCount }) => sum + compactionCount, 0)
    for (const thread of this.#threads) {
      if (thread.hasEnded || thread.compactionCount === 0) continue
      const bytesPerSecond = (this.#bytesPerSecond * thread.compactionCount) / total
      thread.send({ kind: 'rate', bytesPerSecond })
    }
  }

  setCompactionRate(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
    this.#parts.ownThread.setCompactionRate(bytesPerSecond)
    this.#shareRate()
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}
