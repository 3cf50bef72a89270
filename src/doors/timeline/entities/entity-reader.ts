/** Reads entities from the tables. YARN: TimelineReader. */

import { compareBytes, EMPTY, rowAfterPrefix } from '../../../model/bytes.ts'
import type { Call } from '../../../store/call.ts'
import {
  domainKeyOf,
  type EntityName,
  entityKey,
  indexPrefix,
  parseEntityKey,
  typePrefix,
} from '../keys/entity-keys.ts'
import { LONG_MAX, reversedTime, separated } from '../keys/key-bytes.ts'
import type { Period, PeriodTables } from '../tables/period-tables.ts'
import { placeOf, type StartTime, type StartTimes } from '../tables/start-times.ts'
import type { StoredRow, TimelineTables } from '../tables/timeline-tables.ts'
import { encodeValue } from '../values/stored-value.ts'
import type { Entity, Fields } from './entity.ts'
import { type EntityQuery, fieldsRead, meetsFilters, withFields } from './entity-query.ts'
import { DEFAULT_DOMAIN, entityOf } from './stored-entity.ts'

/** The parts of a request that a read needs. */
export interface Reading {
  readonly call: Call
  /** Called with the bytes that were read; throws where the memory budget has no room for them. */
  readonly takeMemory?: (bytes: number) => void
}

/** True where the request's user may see entities of this domain. */
export type MaySee = (domain: string) => Promise<boolean>

export interface ReaderParts {
  readonly tables: TimelineTables
  readonly periods: PeriodTables
  readonly startTimes: StartTimes
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface Range {
  readonly prefix: Buffer
  readonly first: Buffer
  readonly stop: Buffer
  /** Periods after this place have none of the entities. */
  readonly place: number
}

const ROWS_OF_ENTITY = 16
const STEP_MIN = 64
const STEP_MAX = 1000
/** The number of entities of an index that are read at a time. */
const TOGETHER = 32

export class EntityReader {
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  async entity(name: EntityName, fields: Fields, { call, takeMemory }: Reading): Promise<Entity | undefined> {
    const { tables, startTimes } = this.#parts
    const start = await startTimes.get(name, call)
    const period = start && (await this.periodOf(start, call))
    if (start === undefined || period === undefined) {
      // The start time may be cached, so the store has not checked the user's permissions yet.
      await tables.requireReader(call)
      return undefined
    }
    const key = entityKey(name, start.startTime)
    const rows = await tables.prefixed(period.entity, key, call, { takeMemory, step: STEP_MAX })
    if (rows.length === 0) return undefined
    return entityOf({ ...name, startTime: start.startTime }, rows, key.length, fields)
  }

  periodOf(start: StartTime, call: Call): Promise<Period | undefined> {
    return this.#parts.periods.at(placeOf(start), call)
  }

  /** The domains of entities in the order of the names; undefined for missing entities. */
  async domains(names: readonly EntityName[], { call }: Reading): Promise<(string | undefined)[]> {
    const { startTimes, tables } = this.#parts
    const starts = await startTimes.getAll(names, call)
    const periods = await Promise.all(starts.map(async (start) => start && this.periodOf(start, call)))
    const domains: (string | undefined)[] = names.map(() => undefined)
    for (const period of new Set(periods)) {
      if (period === undefined) continue
      const members = names.flatMap((_, index) => (periods[index] === period ? [index] : []))
      const keys = members.map((index) => entityKey(names[index]!, starts[index]!.startTime))
      const rows = await tables.get(period.entity, [...keys, ...keys.map(domainKeyOf)], call)
      for (const [at, index] of members.entries()) {
        const domain = rows[keys.length + at]
        if (rows[at] !== undefined || domain !== undefined)
          domains[index] = domain?.value.toString() ?? DEFAULT_DOMAIN
      }
    }
    return domains
  }

  /** The newest first. */
  async entities(query: EntityQuery, maySee: MaySee, reading: Reading): Promise<Entity[]> {
    const found: Entity[] = []
    const range = await this.#rangeOf(query, reading.call)
    const isEmpty = range === undefined || query.limit <= 0n || compareBytes(range.first, range.stop) >= 0
    const periods = isEmpty ? [] : await this.#parts.periods.before(range.place, reading.call)
    if (isEmpty || periods.length === 0) {
      await this.#parts.tables.requireReader(reading.call)
      return found
    }
    for (const period of periods) {
      const candidates =
        query.primaryFilter === undefined
          ? this.#scanned(period, query, range, reading)
          : this.#indexed(period, query, range, reading)
      for await (const entity of candidates) {
        if (!meetsFilters(entity, query.secondaryFilters) || !(await maySee(entity.domain!))) continue
        if (!(await this.#isStoredBy(entity, query.fromTs, reading.call))) continue
        found.push(withFields(entity, query.fields))
        if (found.length >= query.limit) return found
      }
    }
    return found
  }

  /** Undefined where the entity of `fromId` is missing. */
  async #rangeOf(query: EntityQuery, call: Call): Promise<Range | undefined> {
    const { type, windowStart, windowEnd = LONG_MAX, fromId, primaryFilter } = query
    const base =
      primaryFilter === undefined ? EMPTY : indexPrefix(primaryFilter.name, encodeValue(primaryFilter.value))
    const prefix = Buffer.concat([base, typePrefix(type)])
    const stop =
      windowStart === undefined ? rowAfterPrefix(prefix) : Buffer.concat([prefix, reversedTime(windowStart)])
    if (fromId !== undefined) {
      const start = await this.#parts.startTimes.get({ type, id: fromId }, call)
      if (start === undefined) return undefined
      if (start.startTime <= windowEnd) {
        const first = Buffer.concat([prefix, reversedTime(start.startTime), separated(fromId)])
        return { prefix, first, stop, place: placeOf(start) }
      }
    }
    const place = placeOf({ startTime: windowEnd, insertedAt: this.#parts.now() })
    return { prefix, first: Buffer.concat([prefix, reversedTime(windowEnd)]), stop, place }
  }

  async *#scanned(
    { entity: table }: Period,
    query: EntityQuery,
    { prefix, first, stop }: Range,
    { call, takeMemory }: Reading,
  ): AsyncGenerator<Entity> {
    const fields = fieldsRead(query)
    const step = stepFor(query.limit)
    let rows: StoredRow[] = []
    let at: ReturnType<typeof parseEntityKey> | undefined
    const made = ({ startTime, id, end }: NonNullable<typeof at>): Entity =>
      entityOf({ type: query.type, id, startTime }, rows, end, fields)
    for await (const read of this.#parts.tables.scan(table, first, stop, call, { takeMemory, step })) {
      for (const row of read) {
        if (at !== undefined && !row.key.subarray(0, at.end).equals(rows[0]!.key.subarray(0, at.end))) {
          yield made(at)
          at = undefined
        }
        if (at === undefined) {
          at = parseEntityKey(row.key, prefix.length)
          rows = []
        }
        rows.push(row)
      }
    }
    if (at !== undefined) yield made(at)
  }

  async *#indexed(
    { indexes: table }: Period,
    query: EntityQuery,
    { prefix, first, stop }: Range,
    reading: Reading,
  ): AsyncGenerator<Entity> {
    const { call, takeMemory } = reading
    const fields = fieldsRead(query)
    const step = query.limit < BigInt(TOGETHER) ? Number(query.limit) : TOGETHER
    for await (const rows of this.#parts.tables.scan(table, first, stop, call, { takeMemory, step })) {
      const names = rows.map(({ key }) => ({ type: query.type, id: parseEntityKey(key, prefix.length).id }))
      const entities = await Promise.all(names.map((name) => this.entity(name, fields, reading)))
      for (const entity of entities) if (entity !== undefined) yield entity
    }
  }

  async #isStoredBy(entity: Entity, fromTs: bigint | undefined, call: Call): Promise<boolean> {
    if (fromTs === undefined) return true
    const start = await this.#parts.startTimes.get(entity, call)
    return start === undefined || BigInt(start.insertedAt) <= fromTs
  }
}

function stepFor(limit: bigint): number {
  return limit > BigInt(STEP_MAX)
    ? STEP_MAX
    : Math.min(STEP_MAX, Math.max(STEP_MIN, Number(limit) * ROWS_OF_ENTITY))
}
