/**
 * Does the engine's work by the clock. It flushes cells of an hour's age, looks for compactions that are due, and ends the wait of flushes.
 * It removes expired snapshots, frees idle memory, looks after the files of manifest and log, and tunes the compactions' rate. HBase:
 * PeriodicMemStoreFlusher, CompactionChecker, PressureAwareCompactionThroughputController.
 */

import { manyATurn } from '../../../src/model/many-a-turn.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { NativeBackups } from '../backup/native-backups.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { StoreChoice } from '../compact/store-choice.ts'
import type { Engine } from '../engine/engine.ts'
import { isOffPeak, type UpkeepOptions } from '../options/upkeep-options.ts'
import { monotonicMs } from '../platform/file-system.ts'
import type { WakeUps } from '../platform/wake-ups.ts'
import type { Region } from '../region/region.ts'
import type { NativeSnapshots } from '../snapshot/native-snapshots.ts'
import type { RequestRate } from './request-rate.ts'
import { verifyFiles } from './verify-files.ts'

export interface HousekeeperWorkers {
  readonly compactor: Compactor
  readonly choice: StoreChoice
  readonly snapshots: NativeSnapshots
  readonly backups: NativeBackups
  readonly requests: RequestRate
}

/** Cells of a region that were not flushed when they were seen first. */
interface Unflushed {
  readonly flushedSequenceId: number
  /** When they are to be flushed. */
  readonly dueAt: number
}

/** Regions that are looked at before the time of the turn is. */
const REGIONS_A_STEP = 32

export class Housekeeper {
  readonly #engine: Engine
  readonly #options: UpkeepOptions
  readonly #workers: HousekeeperWorkers
  readonly #unflushed = new WeakMap<Region, Unflushed>()
  #wakes = 0
  #isCheckDue = false
  #isGoingRound = false
  #isStopped = false
  #end: (() => void) | undefined

  constructor(engine: Engine, workers: HousekeeperWorkers) {
    this.#engine = engine
    this.#options = engine.options.upkeep
    this.#workers = workers
    let pressure = 0
    for (const region of engine.tables.regions.values())
      pressure = Math.max(pressure, workers.choice.pressureOf(region))
    this.#tune(pressure)
  }

  start(wakeUps: WakeUps): void {
    this.#end = wakeUps(() => this.wake(), this.#options.wakeMs)
  }

  stop(): void {
    this.#isStopped = true
    this.#end?.()
    this.#end = undefined
  }

  wake(): void {
    this.#wakes++
    this.#workers.requests.endPeriod()
    void verifyFiles(this.#engine)
    this.#workers.snapshots.expire()
    this.#workers.backups.expire()
    this.#engine.chunks.trim()
    this.#isCheckDue ||= this.#wakes % this.#options.wakesACheck === 0
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
    const { tables, limits } = this.#engine
    const { compactor, choice } = this.#workers
    let pressure = 0
    let seen = 0
    for (const region of tables.regions.values()) {
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
    const { clock, flusher, random } = this.#engine
    const options = this.#options
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
    this.#engine.runner.setCompactionRate(this.#rateAt(pressure, this.#options))
  }

  /** At too many files compactions are to be as fast as they can. */
  #rateAt(
    pressure: number,
    { compactionRateMin, compactionRateMax, compactionRateOffPeak }: UpkeepOptions,
  ): number {
    if (pressure > 1) return Number.POSITIVE_INFINITY
    if (isOffPeak(this.#engine.clock.now(), this.#options)) return compactionRateOffPeak
    return compactionRateMin + (compactionRateMax - compactionRateMin) * pressure
  }
}
