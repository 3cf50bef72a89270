import { gauge, type Metric } from '../../../src/model/metric.ts'
import { type OpeningProgress, progressSentence } from '../../../src/store/opening-progress.ts'
import { type Clock, monotonicMs } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import { Progress } from '../platform/progress.ts'

/** So much is replayed between two looks at the clock, each of which takes as long as checking a record. */
const LOOK_BYTES: number = 1 << 16

/** The recovery of a start from the write-ahead log: logged while it lasts and when it has ended, and kept as metrics. */
export class Recovery {
  records = 0
  bytes = 0
  ms = 0
  readonly #clock: Clock
  readonly #log: NativeLog
  #progress: Progress | undefined
  /** Of `bytes`, those that the progress has. */
  #noted = 0
  #begunAt = 0
  #total = 0
  #isUnderWay = false

  constructor(clock: Clock, log: NativeLog) {
    this.#clock = clock
    this.#log = log
  }

  /** `total`: bytes of all logs. */
  begin(total: number): void {
    this.#begunAt = monotonicMs(this.#clock)
    this.#total = total
    this.#isUnderWay = true
    this.#progress = new Progress(this.#clock, total, (percent, done) => {
      this.#log('info', progressSentence(this.#reached()), { percent, records: this.records, bytes: done })
    })
  }

  /** A record of so many bytes was replayed. */
  add(bytes: number): void {
    this.records++
    this.bytes += bytes
    if (this.bytes - this.#noted < LOOK_BYTES) return
    this.#noted = this.bytes
    this.#progress?.reach(this.bytes)
  }

  /** Says what there was, if there was anything. */
  end(tornBytes: number): void {
    this.#isUnderWay = false
    this.ms = Math.round(monotonicMs(this.#clock) - this.#begunAt)
    const { records, bytes, ms } = this
    if (records === 0 && tornBytes === 0) return
    this.#log('info', 'the write-ahead log was replayed', { records, bytes, tornBytes, ms })
  }

  /** Undefined where no replay is under way. */
  get progress(): OpeningProgress | undefined {
    return this.#isUnderWay && this.#total > 0 ? this.#reached() : undefined
  }

  #reached(): OpeningProgress {
    const seconds = (monotonicMs(this.#clock) - this.#begunAt) / 1000
    return { work: 'replaying the write-ahead log', bytes: this.bytes, bytesTotal: this.#total, seconds }
  }

  metrics(): Metric[] {
    return [
      gauge(
        'tidegate_native_recovery_records',
        'Records of the write-ahead log that the start replayed',
        () => this.records,
      ),
      gauge('tidegate_native_recovery_bytes', 'Bytes of these records', () => this.bytes),
      gauge(
        'tidegate_native_recovery_seconds',
        'How long the replay took, with the flushes in it',
        () => this.ms / 1000,
      ),
    ]
  }
}
