/**
 * What the engine does because time has passed: flushes cells of an hour's age, looks for compactions that are due, ends
 * the wait of flushes, removes expired snapshots, looks after the files of manifest and log, and tunes the compactions' rate. HBase:
 * PeriodicMemStoreFlusher, CompactionChecker, PressureAwareCompactionThroughputController.
 */

import type { JobRunner } from '../background/file-job.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { StoreChoice } from '../compact/store-choice.ts'
import type { MemstoreLimits } from '../memstore/memstore-limits.ts'
import { type Clock, monotonicMs, type RandomSource } from '../platform/file-system.ts'
import type { Region } from '../region/region.ts'
import type { RegionFlusher } from '../region/region-flusher.ts'
import { isOffPeakHour, type UpkeepOptions } from './upkeep-options.ts'

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
}

/** Calls `wake` every so many milliseconds until the returned function is called. */
export type WakeUps = (wake: () => void, everyMs: number) => () => void

/** Cells of a region that were not flushed when they were seen first. */
interface Unflushed {
  readonly flushedSequenceId: number
  /** When they are to be flushed. */
  readonly dueAt: number
}

export class Housekeeper {
  readonly #parts: HousekeeperParts
  readonly #unflushed = new WeakMap<Region, Unflushed>()
  #wakes = 0
  #end: (() => void) | undefined

  constructor(parts: HousekeeperParts) {
    this.#parts = parts
    this.#tune()
  }

  start(wakeUps: WakeUps): void {
    this.#end = wakeUps(() => this.wake(), this.#parts.options.wakeMs)
  }

  stop(): void {
    this.#end?.()
    this.#end = undefined
  }

  wake(): void {
    const { regions, limits, compactor, options, expireSnapshots, verifyFiles } = this.#parts
    this.#wakes++
    verifyFiles()
    for (const region of regions.values()) {
      // A flush that waited for a compaction waits no longer than it may.
      limits.flushIfLarge(region)
      this.#flushIfOld(region)
    }
    expireSnapshots()
    if (this.#wakes % options.wakesACheck === 0) compactor.check(regions.values())
    this.#tune()
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

  #tune(): void {
    const { options, regions, choice, runner } = this.#parts
    let pressure = 0
    for (const region of regions.values()) pressure = Math.max(pressure, choice.pressureOf(region))
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
