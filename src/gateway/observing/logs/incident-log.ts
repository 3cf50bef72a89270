/**
 * One line for an incident, not one for each request that meets it: a line at once, a line with a count at intervals while it
 * lasts, and a line when it is over.
 */

import type { Logger } from 'pino'
import { boundedFields, boundedText } from '../../../model/bounded-text.ts'

/** An incident without a new case for so long is over, unless its log says otherwise. */
const QUIET_MS = 10_000
/** The log looks at its incidents so often. */
const LOOK_MS = 10_000
/** The time between two counts of an incident that lasts. */
const COUNT_MS = 60_000
/** Beyond so many incidents at a time the others share one: what names them may come from clients. */
const INCIDENTS_MAX = 100

export interface IncidentCase {
  /** Cases of one key are one incident. */
  readonly key: string
  readonly level: 'warn' | 'error'
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** The message of the last line; undefined: nobody can tell that it is over, so that there is none. */
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

  /** The log keeps the case while the incident lasts: of texts of any length, a part. */
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

  /** Tells what has happened since the last line. A timer calls it; tests call it after moving their clock. */
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

  /** Tells the counts that have no line yet. */
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
