import { Latencies } from '../../../src/model/latencies.ts'
import { counter, type Metric } from '../../../src/model/metric.ts'
import { type FileJob, type FileJobOutcome, JobCancelled } from './file-job.ts'

const KINDS: readonly FileJob['kind'][] = ['flush', 'compaction']
const ENDS = ['done', 'failed', 'cancelled'] as const
type End = (typeof ENDS)[number]

/** How the jobs of a runner have ended, and what has become of its threads. */
export class JobFigures {
  /** Threads that have ended with jobs undone, or that could not be started. */
  endedThreads = 0
  /** How long the jobs of each kind took, however they ended. */
  readonly times: Readonly<Record<FileJob['kind'], Latencies>> = {
    flush: new Latencies(),
    compaction: new Latencies(),
  }
  readonly #ended = new Map<string, number>()
  readonly #now: () => number

  /** `now`: milliseconds since any fixed moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Runs a job, and counts its end. */
  async counting(kind: FileJob['kind'], run: () => Promise<FileJobOutcome>): Promise<FileJobOutcome> {
    const since = this.#now()
    try {
      const outcome = await run()
      this.#count(kind, 'done')
      return outcome
    } catch (error) {
      this.#count(kind, error instanceof JobCancelled ? 'cancelled' : 'failed')
      throw error
    } finally {
      this.times[kind].add(this.#now() - since)
    }
  }

  #count(kind: FileJob['kind'], end: End): void {
    const key = `${kind} ${end}`
    this.#ended.set(key, (this.#ended.get(key) ?? 0) + 1)
  }

  count(kind: FileJob['kind'], end: End): number {
    return this.#ended.get(`${kind} ${end}`) ?? 0
  }

  metrics(): Metric[] {
    return [
      {
        name: 'tidegate_native_file_jobs_total',
        kind: 'counter',
        help: 'Jobs that wrote store files of one family, by their end',
        labels: ['kind', 'end'],
        read: () =>
          KINDS.flatMap((kind) =>
            ENDS.map((end) => ({ labels: { kind, end }, value: this.count(kind, end) })),
          ),
      },
      counter(
        'tidegate_native_ended_threads_total',
        'Threads that write store files and ended with jobs undone, or could not be started',
        () => this.endedThreads,
      ),
    ]
  }
}
