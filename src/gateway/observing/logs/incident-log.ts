/**
 * Logs lines for an incident, not for each request that it affects. There is a line at once, a line with a count at intervals while the
 * incident lasts, and a line when it is over.
 */

import type { Logger } from 'pino'
import { boundedFields, boundedText } from '../../../model/bounded-text.ts'

/** An incident is over after this time without a new case, unless the log has a time of its own. */
const QUIET_MS = 10_000
/** The time between two looks at the incidents. */
const LOOK_MS = 10_000
/** The time between two counts of an incident that lasts. */
const COUNT_MS = 60_000
/** Incidents at a time. Further ones share one, since their keys may come from clients. */
const INCIDENTS_MAX = 100

export interface IncidentCase {
  /** Cases of one key are one incident. */
  readonly key: string
  readonly level: 'warn' | 'error'
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** The message of the last line; undefined: it has none, since its end cannot be known. */
  readonly over?: string | undefined
}

interface Incident {
  readonly since: number
  last: IncidentCase
  lastMs: number
  reportedMs: number
  cases: number
  /** Cases since the last line. */
  unreported: number
}

export interface IncidentLogOptions {
  /** Milliseconds since any fixed moment. */
  readonly now?: (() => number) | undefined
  readonly quietMs?: number
}

export class IncidentLog {
  readonly #logger: Logger
  readonly #now: () => number
  readonly #quietMs: number
  readonly #open = new Map<string, Incident>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    logger: Logger,
    { now = () => performance.now(), quietMs = QUIET_MS }: IncidentLogOptions = {},
  ) {
    this.#logger = logger
    this.#now = now
    this.#quietMs = quietMs
  }

  /** Reports a case. The log keeps it while the incident lasts, with long texts cut. */
  report(reported: IncidentCase): void {
    const one = boundedFields({ ...reported, key: boundedText(reported.key) })
    const known = this.#open.get(one.key)
    if (known !== undefined) {
      note(known, one, this.#now())
      return
    }
    if (this.#open.size >= INCIDENTS_MAX && one.key !== OTHERS.key) {
      this.report({ ...OTHERS, fields: { last: one.message } })
      return
    }
    const now = this.#now()
    this.#open.set(one.key, { since: now, last: one, lastMs: now, reportedMs: now, cases: 1, unreported: 0 })
    this.#logger[one.level](one.fields ?? {}, one.message)
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref()
  }

  /** Logs the cases since the last line. A timer calls it; tests call it after moving their clock. */
  look(): void {
    const now = this.#now()
    for (const [key, incident] of this.#open) {
      const isOver = now - incident.lastMs >= this.#quietMs
      const isFirstCount = incident.cases === incident.unreported + 1
      const isDue = isOver || isFirstCount || now - incident.reportedMs >= COUNT_MS
      if (incident.unreported > 0 && isDue) this.#count(incident, now)
      if (isOver) {
        this.#open.delete(key)
        this.#end(incident)
      }
    }
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Logs the counts that have no line yet. */
  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    const now = this.#now()
    for (const incident of this.#open.values()) if (incident.unreported > 0) this.#count(incident, now)
    this.#open.clear()
  }

  #count(incident: Incident, now: number): void {
    const { last, unreported, reportedMs } = incident
    const ms = Math.round(now - reportedMs)
    this.#logger[last.level](
      { ...last.fields, times: unreported, ms },
      `${unreported} more times in ${Math.ceil(ms / 1000)} s: ${last.message}`,
    )
    incident.reportedMs = now
    incident.unreported = 0
  }

  #end({ last, since, lastMs, cases }: Incident): void {
    if (last.over === undefined) return
    const ms = Math.round(lastMs - since)
    this.#logger.info(
      { times: cases, ms },
      `over: ${last.over}; ${cases} in all, in ${Math.ceil(ms / 1000)} s, and none for ${this.#quietMs / 1000} s`,
    )
  }
}

const OTHERS: IncidentCase = {
  key: 'others',
  level: 'warn',
  message: `more than ${INCIDENTS_MAX} kinds of failures at a time: the others are counted together`,
}

function note(incident: Incident, one: IncidentCase, now: number): void {
  incident.last = one
  incident.lastMs = now
  incident.cases++
  incident.unreported++
}
