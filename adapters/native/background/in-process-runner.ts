import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileSystem } from '../platform/file-system.ts'
import {
  type CellSource,
  type FileJob,
  type FileJobOutcome,
  JobCancelled,
  type JobControl,
  type JobRunner,
} from './file-job.ts'
import { JobFigures } from './job-figures.ts'
import type { Pacer } from './pacer.ts'
import { RateLimit } from './rate-limit.ts'
import { type JobPause, runFileJob, withSourceFiles } from './run-file-job.ts'

/** Flushes that begin in one turn of the event loop, at most: one of few cells does most of its work as it begins, for some milliseconds. */
const FLUSHES_A_TURN = 2

/** Does jobs in this thread, in slices between which requests have their turn: for file systems that no other thread has. */
export class InProcessRunner implements JobRunner {
  readonly figures: JobFigures = new JobFigures()
  readonly #fileSystem: FileSystem
  readonly #pacer: Pacer
  readonly #rate = new RateLimit()
  /** Flushes that have begun in this turn of the event loop. */
  #begun = 0

  constructor(fileSystem: FileSystem, pacer: Pacer) {
    this.#fileSystem = fileSystem
    this.#pacer = pacer
  }

  run(job: FileJob, source: CellSource, control: JobControl): Promise<FileJobOutcome> {
    return this.figures.counting(job.kind, () => this.#run(job, source, control))
  }

  #run(job: FileJob, source: CellSource, control: JobControl): Promise<FileJobOutcome> {
    const pause = job.kind === 'flush' ? this.#flushPause(control) : this.#compactionPause(control)
    if (source.kind === 'memstore') {
      const cells = [source.memstore.iterator(Number.POSITIVE_INFINITY)]
      return this.#turnOfFlush().then(() => runFileJob(this.#fileSystem, job, cells, pause))
    }
    return this.#pacer.during(() =>
      withSourceFiles(this.#fileSystem, source.files, (cells) =>
        runFileJob(this.#fileSystem, job, cells, pause),
      ),
    )
  }

  async #turnOfFlush(): Promise<void> {
    while (this.#begun >= FLUSHES_A_TURN) await nextTurn()
    if (this.#begun++ === 0) setImmediate(() => (this.#begun = 0))
  }

  #flushPause(control: JobControl): JobPause {
    return async () => {
      await nextTurn()
      if (control.isCancelled()) throw new JobCancelled()
    }
  }

  #compactionPause(control: JobControl): JobPause {
    let written = 0
    return async ({ bytesWritten, cellsRead }) => {
      await this.#pacer.pause()
      control.onCells?.(cellsRead)
      this.#rate.wrote(bytesWritten - written)
      written = bytesWritten
      while (this.#rate.isAhead && !control.isCancelled()) await this.#rate.wait()
      if (control.isCancelled()) throw new JobCancelled()
    }
  }

  setCompactionRate(bytesPerSecond: number): void {
    this.#rate.bytesPerSecond = bytesPerSecond
  }

  async close(): Promise<void> {
    // Jobs have ended, and nothing of a runner in this thread is open.
  }
}
