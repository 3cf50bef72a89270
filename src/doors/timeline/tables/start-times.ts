/** The start times of entities. Once set, a start time never changes. */

import type { Call } from '../../../store/call.ts'
import { type EntityName, startTimeKey } from '../keys/entity-keys.ts'
import { LONG_MAX, reversedTime, TIME_BYTES, timeOfReversed } from '../keys/key-bytes.ts'
import { STARTTIME, type StoredRow, type TimelineTables } from './timeline-tables.ts'

/** The most start times in the cache. YARN: start-time-read-cache-size. */
const CACHED_MAX = 10_000

export interface StartTime {
  readonly startTime: bigint
  /** The time at which it was set, in milliseconds since 1970. */
  readonly insertedAt: number
}

/**
 * The time that determines an entity's period: its start time, or the time at which it was stored if that is earlier or no start time is set.
 */
export function placeOf({ startTime, insertedAt }: StartTime): number {
  return startTime < BigInt(insertedAt) ? Number(startTime) : insertedAt
}

export class StartTimes {
  readonly #tables: TimelineTables
  readonly #now: () => number
  readonly #cached = new Map<string, StartTime>()

  constructor(tables: TimelineTables, now: () => number) {
    this.#tables = tables
    this.#now = now
  }

  async get(name: EntityName, call: Call): Promise<StartTime | undefined> {
    const [found] = await this.getAll([name], call)
    return found
  }

  /** The start times in the order of the names; undefined where none is set. */
  async getAll(names: readonly EntityName[], call: Call): Promise<(StartTime | undefined)[]> {
    const unknown = names.filter((name) => !this.#cached.has(textOf(name)))
    const rows = await this.#read(unknown, call)
    const read = new Map(rows.map((row, index) => [textOf(unknown[index]!), row]))
    return names.map((name) => {
      const text = textOf(name)
      const known = this.#cached.get(text)
      if (known !== undefined) return known
      const row = read.get(text)
      return row === undefined ? undefined : this.#remember(text, startTimeOf(row))
    })
  }

  async #read(names: readonly EntityName[], call: Call): Promise<(StoredRow | undefined)[]> {
    if (names.length === 0) return []
    return this.#tables.get(STARTTIME, names.map(startTimeKey), call)
  }

  /** The entity's start time. Sets `suggested` where it has none. Undefined where both are missing. */
  async getOrSet(
    name: EntityName,
    suggested: bigint | undefined,
    call: Call,
  ): Promise<StartTime | undefined> {
    const text = textOf(name)
    const known = this.#cached.get(text)
    if (known !== undefined) return known
    if (suggested === undefined) return this.get(name, call)
    const made = { startTime: suggested, insertedAt: this.#now() }
    const timestamp = BigInt(made.insertedAt)
    const isFirst = await this.#tables.putIfAbsent(
      STARTTIME,
      startTimeKey(name),
      reversedTime(suggested),
      timestamp,
      call,
    )
    return isFirst ? this.#remember(text, made) : this.get(name, call)
  }

  /** Forgets the start times of entities whose placeOf is before this time. */
  forgetBefore(time: number): void {
    for (const [text, known] of this.#cached) if (placeOf(known) < time) this.#cached.delete(text)
  }

  forget(): void {
    this.#cached.clear()
  }

  #remember(text: string, time: StartTime): StartTime {
    if (this.#cached.size >= CACHED_MAX) this.#cached.delete(this.#cached.keys().next().value!)
    this.#cached.set(text, time)
    return time
  }
}

/** The start time of a row. Has no meaning for the row of the version. */
export function startTimeOf({ value, timestamp }: StoredRow): StartTime {
  const startTime = value.length >= TIME_BYTES ? timeOfReversed(value) : LONG_MAX
  return { startTime, insertedAt: Number(timestamp) }
}

function textOf({ type, id }: EntityName): string {
  return `${type}\0${id}`
}
