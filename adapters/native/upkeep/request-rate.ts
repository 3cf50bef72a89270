import type { RequestFigures } from '../../../src/store/region-figures.ts'
import type { Engine } from '../engine/engine.ts'
import { monotonicMs } from '../platform/file-system.ts'

/**
 * Sums the requests that the regions count, so that a request costs no more than its region's count. Those of a region that closes between
 * two sums are lost. HBase: MetricsRegionServerWrapperImpl, which counts calls.
 */
export class RequestRate {
  readonly #engine: Engine
  #total = 0
  #perSecond = 0
  /** The total at the beginning of the present period, and that time. */
  #before = 0
  #sinceMs: number

  constructor(engine: Engine) {
    this.#engine = engine
    this.#sinceMs = monotonicMs(engine.clock)
  }

  get figures(): RequestFigures {
    this.#count()
    return { total: this.#total, perSecond: this.#perSecond }
  }

  /** Ends a period: the rate is that of the last one. */
  endPeriod(): void {
    const now = monotonicMs(this.#engine.clock)
    if (now <= this.#sinceMs) return
    this.#count()
    this.#perSecond = Math.round(((this.#total - this.#before) * 1000) / (now - this.#sinceMs))
    this.#before = this.#total
    this.#sinceMs = now
  }

  #count(): void {
    for (const { requests } of this.#engine.tables.regions.values()) {
      const { reads, writes, counted } = requests
      this.#total += reads + writes - counted
      requests.counted = reads + writes
    }
  }
}
