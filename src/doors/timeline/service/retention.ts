/** Removes data beyond its time to live: start times one by one, entities by whole periods, and domains that no period uses. */

import type { Logger } from 'pino'
import { EMPTY } from '../../../model/bytes.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { type Call, OWN_CALL } from '../../../store/call.ts'
import type { DomainUse } from '../domains/domain-use.ts'
import type { PeriodTables } from '../tables/period-tables.ts'
import { periodStart, type RollingPeriod } from '../tables/periods.ts'
import { placeOf, type StartTimes, startTimeOf } from '../tables/start-times.ts'
import { VERSION_KEY } from '../tables/store-version.ts'
import { STARTTIME, type TimelineTables } from '../tables/timeline-tables.ts'

export interface RetentionSettings {
  readonly ttlMs: number
  readonly intervalMs: number
  readonly period: RollingPeriod
  /** The number of start times that are deleted at a time. */
  readonly batch: number
}

export interface RetentionParts {
  readonly tables: TimelineTables
  readonly periods: PeriodTables
  readonly startTimes: StartTimes
  readonly domainUse: DomainUse
  /** The domain that is never removed. */
  readonly defaultDomain: string
  readonly now: () => number
  readonly logger: Logger
}

export interface Swept {
  readonly startTimes: number
  readonly periods: number
  readonly domains: number
}

const TIMER_MS_MAX = 0x7fffffff

export class Retention {
  readonly #settings: RetentionSettings
  readonly #parts: RetentionParts
  readonly #end = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(settings: RetentionSettings, parts: RetentionParts) {
    this.#settings = settings
    this.#parts = parts
  }

  /** Starts a sweep now and at intervals. A second call does nothing. */
  start(): void {
    if (this.#timer !== undefined) return
    this.#running = this.#sweepAndLog()
    const ms = Math.min(this.#settings.intervalMs, TIMER_MS_MAX)
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#sweepAndLog())
    }, ms)
    this.#timer.unref()
  }

  /** Stops sweeps. Resolves once the running one has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#end.abort()
    await this.#running
  }

  async sweep(call: Call): Promise<Swept> {
    const { periods, domainUse, startTimes, now, defaultDomain } = this.#parts
    const { ttlMs, period } = this.#settings
    const time = now() - ttlMs
    const swept = await this.#sweepStartTimes(time, call)
    startTimes.forgetBefore(time)
    periods.forget()
    const old = (await periods.all(call)).filter(({ start }) => start < periodStart(time, period))
    for (const each of old) await periods.drop(each, call)
    const kept = new Set((await periods.all(call)).map(({ name }) => name))
    const domains = await domainUse.sweep(kept, time, defaultDomain, call)
    return { startTimes: swept, periods: old.length, domains }
  }

  async #sweepStartTimes(time: number, call: Call): Promise<number> {
    const { tables } = this.#parts
    let batch = new MutationBatch()
    let swept = 0
    for await (const rows of tables.scan(STARTTIME, EMPTY, EMPTY, call)) {
      for (const row of rows) {
        if (row.key.equals(VERSION_KEY) || placeOf(startTimeOf(row)) >= time) continue
        // A start time that was set again since has a later timestamp, and stays.
        batch.deleteRow(row.key, row.timestamp)
        batch.endMutation()
      }
      if (batch.length < this.#settings.batch) continue
      await tables.mutate(STARTTIME, batch, call)
      swept += batch.length
      batch = new MutationBatch()
    }
    await tables.mutate(STARTTIME, batch, call)
    return swept + batch.length
  }

  async #sweepAndLog(): Promise<void> {
    const { logger } = this.#parts
    const { signal } = this.#end
    if (signal.aborted) return
    try {
      const swept = await this.sweep({ ...OWN_CALL, signal })
      if (swept.periods > 0 || swept.startTimes > 0 || swept.domains > 0)
        logger.info(swept, 'timeline: removed data beyond its time to live')
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, `timeline: cannot remove old data: ${reasonOf(error)}`)
    }
  }
}
