/** The latest lines of the server's log, for the web door: its users may not see the log. */

import { isJsonObject, jsonOf } from '../../../model/json-values.ts'

export const EVENT_LEVELS = ['info', 'warn', 'error'] as const
export type EventLevel = (typeof EVENT_LEVELS)[number]

export interface ServerEvent {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: EventLevel
  readonly message: string
  /** The fields of the line that are short texts and numbers. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
}

/** Takes lines of a log, here or for another thread. */
export interface EventLines {
  /** `line`: of pino, as JSON. */
  add(line: string): void
}

/** The most lines that are kept, half of them of warnings and errors, and the most characters of one. */
export const EVENTS_MAX = 600
const LINE_CHARACTERS_MAX = 4096
/** A longer text of a line is cut. */
const TEXT_MAX = 2000

/** The beginning of each line of pino. */
const LEVEL = /^\{"level":(\d+)/
/** pino's numbers of levels. */
const WARN = 40
const ERROR = 50

/** Fields that every line has, and the settings, which have a page of their own. */
const UNSHOWN: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'settings'])

interface Kept {
  readonly order: number
  readonly line: string
}

/** A field of each line of the slow log, which the web door shows on a page of its own. Within a text its quotes would be escaped. */
const OF_SLOW_LOG = '"storeMs":'

/** Bounded memories of lines, which are parsed when a user reads them. Many lines of level info drop no warning. */
export class RecentEvents implements EventLines {
  readonly #troubles: Kept[] = []
  readonly #others: Kept[] = []
  #order = 0

  add(line: string): void {
    if (line.includes(OF_SLOW_LOG)) return
    const kept = line.length > LINE_CHARACTERS_MAX ? shortLine(line) : line
    const isTrouble = Number(LEVEL.exec(kept)?.[1] ?? 0) >= WARN
    const lines = isTrouble ? this.#troubles : this.#others
    lines.push({ order: this.#order++, line: kept })
    if (lines.length > EVENTS_MAX / 2) lines.shift()
  }

  /** The latest first. */
  list(): ServerEvent[] {
    const all = [...this.#troubles, ...this.#others].sort((a, b) => b.order - a.order)
    return all.flatMap(({ line }) => eventOf(line) ?? [])
  }
}

function shortLine(line: string): string {
  const event = eventOf(line)
  if (event === undefined) return ''
  const level = event.level === 'error' ? ERROR : event.level === 'warn' ? WARN : 0
  return JSON.stringify({ level, time: event.at, msg: event.message })
}

function eventOf(line: string): ServerEvent | undefined {
  const parsed = jsonOf(line)
  if (!isJsonObject(parsed)) return undefined
  const { level, time, msg } = parsed
  const fields = Object.entries(parsed).flatMap(([name, value]) => {
    if (UNSHOWN.has(name)) return []
    const shown = shownValue(value)
    return shown === undefined ? [] : [[name, shown] as const]
  })
  return {
    at: Number(time),
    level: Number(level) >= ERROR ? 'error' : Number(level) >= WARN ? 'warn' : 'info',
    message: cut(typeof msg === 'string' ? msg : ''),
    fields: Object.fromEntries(fields),
  }
}

/** Undefined for objects, such as errors with their stacks: the message has their reason. */
function shownValue(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'string') return cut(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

function cut(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)} ...` : text
}
