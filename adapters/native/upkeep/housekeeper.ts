/**
 * What the engine does because time has passed: flushes cells of an hour's age, looks for compactions that are due, ends
 * the wait of flushes, removes expired snapshots, lets go of idle memory, looks after the files of manifest and log, and tunes the compactions' rate. HBase:
 * PeriodicMemStoreFlusher, CompactionChecker, PressureAwareCompactionThroughputController.
 */

import { manyATurn } from '../../../src/model/many-a-turn.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { JobRunner } from '../background/file-job.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { StoreChoice } from '../compact/store-choice.ts'
import { isOffPeakHour, type UpkeepOptions } from '../options/upkeep-options.ts'
import { type Clock, monotonicMs, type RandomSource } from '../platform/file-system.ts'
import type { MemstoreLimits } from '../region/memstore-limits.ts'
import type { Region } from '../region/region.ts'
import type { RegionFlusher } from '../region/region-flusher.ts'

export interface HousekeeperParts {
  readonly options: UpkeepOptions
  readonly clock: Clock
  readonly random: RandomSource
  readonly regions: ReadonlyMap<number, Region>
  readonly flusher: RegionFlusher
  readonly limits: MemstoreLimits
  readonly compactor: Compactor
  readonly choice: StoreChoice
  readonly runner: JobRunner
  /** Begins to remove snapshots whose time to live is over. */
  readonly expireSnapshots: () => void
  /** Looks after the files of the manifest and of the write-ahead log. */
  readonly verifyFiles: () => void
  /** Lets go of memory that is kept for the next memstores and has not been needed since the last call. */
  readonly trimMemory: () => void
}

/** Calls `wake` every so many milliseconds until the returned function is called. */
export type WakeUps = (wake: () => void, everyMs: number) => () => void

/** Cells of a region that were not flushed when they were seen first. */
interface Unflushed {
  readonly flushedSequenceId: number
  /** When they are to be flushed. */
  readonly dueAt: number
}

/** Regions that are looked at before the time of the turn is. */
const REGIONS_A_STEP = 32

export class Housekeeper {
  readonly #parts: HousekeeperParts
  readonly #unflushed = new WeakMap<Region, Unflushed>()
  #wakes = 0
  #isCheckDue = false
  #isGoingRound = false
  #isStopped = false
  #end: (() => void) | undefined

  constructor(parts: HousekeeperParts) {
    this.#parts = parts
    let pressure = 0
    for (const region of parts.regions.values())
      pressure = Math.max(pressure, parts.choice.pressureOf(region))
    this.#tune(pressure)
  }

  start(wakeUps: WakeUps): void {
    this.#end = wakeUps(() => this.wake(), this.#parts.options.wakeMs)
  }

  stop(): void {
    this.#isStopped = true
    this.#end?.()
    this.#end = undefined
  }

  wake(): void {
    const { options, expireSnapshots, verifyFiles, trimMemory } = this.#parts
    this.#wakes++
    verifyFiles()
    expireSnapshots()
    trimMemory()
    this.#isCheckDue ||= this.#wakes % options.wakesACheck === 0
    if (!this.#isGoingRound) void this.#goRound()
  }

  /** Looks at each region, in turns where they are many. */
  async #goRound(): Promise<void> {
    const isCheck = this.#isCheckDue
    this.#isCheckDue = false
    this.#isGoingRound = true
    try {
      await manyATurn(this.#round(isCheck))
    } finally {
      this.#isGoingRound = false
    }
  }

  *#round(isCheck: boolean): Steps<void> {
    const { regions, limits, compactor, choice } = this.#parts
    let pressure = 0
    let seen = 0
    for (const region of regions.values()) {
      if (this.#isStopped) return
      // A flush that waited for a compaction waits no longer than it may.
      limits.flushIfLarge(region)
      this.#flushIfOld(region)
      if (isCheck) compactor.check(region)
      pressure = Math.max(pressure, choice.pressureOf(region))
      if (++seen % REGIONS_A_STEP === 0) yield
    }
    this.#tune(pressure)
  }

  #flushIfOld(region: Region): void {
    const { clock, flusher, random, options } = this.#parts
    const { flushedSequenceId } = region
    if (options.flushAgeMs <= 0 || !region.hasUnflushedCells) return
    const known = this.#unflushed.get(region)
    if (known?.flushedSequenceId !== flushedSequenceId) {
      const dueAt = monotonicMs(clock) + options.flushAgeMs + random() * options.flushSpreadSeconds * 1000
      this.#unflushed.set(region, { flushedSequenceId, dueAt })
    } else if (monotonicMs(clock) >= known.dueAt) {
      void flusher.flushSoon(region)
    }
  }

  #tune(pressure: number): void {
    const { options, runner } = this.#parts
    runner.setCompactionRate(this.#rateAt(pressure, options))
  }

  /** At too many files compactions are to be as fast as they can. */
  #rateAt(
    pressure: number,
    { compactionRateMin, compactionRateMax, compactionRateOffPeak }: UpkeepOptions,
  ): number {
    if (pressure > 1) return Number.POSITIVE_INFINITY
    if (this.isOffPeak()) return compactionRateOffPeak
    return compactionRateMin + (compactionRateMax - compactionRateMin) * pressure
  }

  /** Whether larger compactions are welcome now. */
  isOffPeak(): boolean {
    const { clock, options } = this.#parts
    return isOffPeakHour(new Date(clock.now()).getHours(), options)
  }
}
