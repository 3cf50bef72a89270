/** The start times of entities: the first one that is set stays. */

import type { Call } from '../../../store/call.ts'
import { type EntityName, startTimeKey } from '../keys/entity-keys.ts'
import { LONG_MAX, reversedTime, TIME_BYTES, timeOfReversed } from '../keys/key-bytes.ts'
import { STARTTIME, type StoredRow, type TimelineTables } from './timeline-tables.ts'

/** Start times that are remembered. YARN: start-time-read-cache-size. */
const CACHED_MAX = 10_000

export interface StartTime {
  readonly startTime: bigint
  /** When it was set, in milliseconds since 1970. */
  readonly insertedAt: number
}

/**
 * The time by which an entity's period is found. An entity that starts later than it was stored, or that has no start time, lies where
 * it was stored.
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

  /** In the order of the names, undefined where none is set. */
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

  /** The entity's start time: the one that it has, or else `suggested`, which is set. Undefined where there is neither. */
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

  /** Forgets those that began, or without a start time were stored, before this time. */
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

/** Undefined in effect for the version's row, which is no start time. */
export function startTimeOf({ value, timestamp }: StoredRow): StartTime {
  const startTime = value.length >= TIME_BYTES ? timeOfReversed(value) : LONG_MAX
  return { startTime, insertedAt: Number(timestamp) }
}

function textOf({ type, id }: EntityName): string {
  return `${type}\0${id}`
}
