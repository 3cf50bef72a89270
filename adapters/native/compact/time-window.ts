import type { CompactionRules } from './compaction-rules.ts'

/**
 * A span of time whose cells go into one file: as long as `rules.windowMs`, and longer the further back it lies.
 * HBase: ExponentialCompactionWindowFactory.
 */
export class TimeWindow {
  readonly #lengthMs: number
  /** Its beginning, in lengths since 1970. */
  readonly #position: number
  readonly #perTier: number
  /** Windows that begin before this time are followed by others of their length. */
  readonly #cutoff: number

  private constructor(lengthMs: number, position: number, perTier: number, cutoff: number) {
    this.#lengthMs = lengthMs
    this.#position = position
    this.#perTier = perTier
    this.#cutoff = cutoff
  }

  /** The window that has the present. */
  static incoming({ windowMs, windowsPerTier, tierAgeMaxMs }: CompactionRules, now: number): TimeWindow {
    return new TimeWindow(windowMs, Math.floor(now / windowMs), windowsPerTier, now - tierAgeMaxMs)
  }

  get start(): number {
    return this.#lengthMs * this.#position
  }

  /** Negative where the window ends before the time, positive where it begins after it. */
  compareTo(time: number): number {
    return this.#position - Math.floor(time / this.#lengthMs)
  }

  earlier(): TimeWindow {
    const [length, perTier, cutoff] = [this.#lengthMs, this.#perTier, this.#cutoff]
    if (this.#position % perTier > 0 || this.start - length * perTier < cutoff)
      return new TimeWindow(length, this.#position - 1, perTier, cutoff)
    return new TimeWindow(length * perTier, Math.floor(this.#position / perTier) - 1, perTier, cutoff)
  }
}
