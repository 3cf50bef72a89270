/** Puts entities. YARN: TimelineDataManager and TimelineWriter. */

import { EMPTY } from '../../../model/bytes.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import type { Acls, User } from '../domains/acls.ts'
import { domainKeyOf, type EntityName, entityKey, relatedKey } from '../keys/entity-keys.ts'
import { LONG_MAX } from '../keys/key-bytes.ts'
import type { Period } from '../tables/period-tables.ts'
import { placeOf, type StartTime, type StartTimes } from '../tables/start-times.ts'
import { type Entity, type PutError, type PutErrorName, putError } from './entity.ts'
import type { EntityReader } from './entity-reader.ts'
import { earliestEvent, entityRows, indexRows } from './entity-rows.ts'
import { type PendingParts, PendingRows } from './pending-rows.ts'
import { DEFAULT_DOMAIN } from './stored-entity.ts'

/** The most start times that are set at a time. */
const TOGETHER = 500

export interface WriterParts extends PendingParts {
  readonly startTimes: StartTimes
  readonly reader: EntityReader
  readonly acls: Acls
  readonly valueBytesMax: number
}

/** An entity with its start time and period. */
interface Placed {
  readonly entity: Entity
  readonly domain: string
  readonly start: StartTime
  readonly period: Period
  readonly key: Buffer
}

export class EntityWriter {
  readonly #parts: WriterParts

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  /** Puts entities. Returns an error for each that could not be put; the others are stored. */
  async put(entities: readonly Entity[], user: User, call: Call): Promise<PutError[]> {
    const denied: PutError[] = []
    const errors: PutError[] = []
    const existing = await this.#parts.reader.domains(entities, { call })
    const pending = new PendingRows(this.#parts, this.#parts.valueBytesMax, call)
    const allowed: Entity[] = []
    for (const [index, entity] of entities.entries()) {
      const domain = domainOf(entity)
      const isOther = existing[index] !== undefined && existing[index] !== domain
      const isAllowed = !isOther && (await this.#parts.acls.allows(user, 'writers', domain, call))
      if (isAllowed) allowed.push(entity)
      else denied.push(putError(entity, 'ACCESS_DENIED'))
    }
    await this.#setStartTimes(allowed, call)
    for (const entity of allowed) errors.push(...(await this.#putOne(entity, pending, call)))
    await pending.flush()
    return [...errors, ...denied]
  }

  /**
   * Sets start times in parallel, to wait for the store only once. Leaves out entities to which others of the request relate: the first of
   * those sets their start time.
   */
  async #setStartTimes(entities: readonly Entity[], call: Call): Promise<void> {
    const left = new Set(entities.flatMap(relatedNames).map(textOf))
    const first = entities.filter((entity) => {
      const text = textOf(entity)
      if (left.has(text)) return false
      left.add(text)
      return true
    })
    for (let at = 0; at < first.length; at += TOGETHER) {
      const some = first.slice(at, at + TOGETHER)
      await Promise.all(some.map((entity) => this.#startTime(entity, call)))
    }
  }

  #startTime(entity: Entity, call: Call): Promise<StartTime | undefined> {
    const suggested = entity.startTime ?? earliestEvent(entity, LONG_MAX)
    return this.#parts.startTimes.getOrSet(entity, suggested, call)
  }

  async #putOne(entity: Entity, pending: PendingRows, call: Call): Promise<PutError[]> {
    const placed = await this.#place(entity, call)
    if (typeof placed === 'string') return [putError(entity, placed)]
    const errors: PutError[] = []
    try {
      const { period, domain, key } = placed
      await pending.add(period, 'entity', domain, entityRows(entity, domain, key))
      const strangers = await this.#relate(placed, pending, errors, call)
      await pending.add(period, 'indexes', domain, indexRows(entity, key))
      for (const name of strangers) await this.#makeRelated(name, placed, pending, errors, call)
    } catch (error) {
      if (!isHBaseError(error) || (error.code !== 'ILLEGAL_ARGUMENT' && error.code !== 'TOO_LARGE'))
        throw error
      errors.push(putError(entity, 'IO_EXCEPTION'))
    }
    return errors
  }

  async #place(entity: Entity, call: Call): Promise<Placed | PutErrorName> {
    // QUIRK timeline-start-expired-again-with-another-start-time: the start time stays set even if the entity has expired.
    const start = await this.#startTime(entity, call)
    if (start === undefined) return 'NO_START_TIME'
    const period = await this.#parts.periods.forWriting(placeOf(start), call)
    if (period === undefined) return 'EXPIRED_ENTITY'
    return { entity, domain: domainOf(entity), start, period, key: entityKey(entity, start.startTime) }
  }

  /**
   * Relates existing entities to this one. Returns the missing ones.
   * QUIRK timeline-relate-in-one-post-of-a-domain: an entity of the same request has no domain yet, and counts as one of DEFAULT.
   */
  async #relate(
    { entity, domain }: Placed,
    pending: PendingRows,
    errors: PutError[],
    call: Call,
  ): Promise<EntityName[]> {
    const { startTimes, periods, tables } = this.#parts
    const strangers: EntityName[] = []
    const names = relatedNames(entity)
    const starts = await startTimes.getAll(names, call)
    for (const [index, name] of names.entries()) {
      const start = starts[index]
      if (start === undefined) {
        strangers.push(name)
        continue
      }
      const period = await periods.forWriting(placeOf(start), call)
      if (period === undefined) {
        errors.push(putError(entity, 'EXPIRED_ENTITY'))
        continue
      }
      const key = entityKey(name, start.startTime)
      const [stored] = await tables.get(period.entity, [domainKeyOf(key)], call)
      if ((stored?.value.toString() ?? DEFAULT_DOMAIN) !== domain) {
        errors.push(putError(entity, 'FORBIDDEN_RELATION'))
        continue
      }
      await pending.add(period, 'entity', domain, [{ key: relatedKey(key, entity), value: EMPTY }])
    }
    return strangers
  }

  /** Creates a missing related entity, with the start time and domain of this one. */
  async #makeRelated(
    name: EntityName,
    { entity, domain, start: { startTime } }: Placed,
    pending: PendingRows,
    errors: PutError[],
    call: Call,
  ): Promise<void> {
    const start = await this.#parts.startTimes.getOrSet(name, startTime, call)
    const period = start && (await this.#parts.periods.forWriting(placeOf(start), call))
    if (start === undefined || period === undefined) {
      errors.push(putError(entity, 'EXPIRED_ENTITY'))
      return
    }
    const key = entityKey(name, start.startTime)
    await pending.add(period, 'entity', domain, [
      { key: domainKeyOf(key), value: Buffer.from(domain) },
      { key: relatedKey(key, entity), value: EMPTY },
      { key, value: EMPTY },
    ])
  }
}

function textOf({ type, id }: EntityName): string {
  return `${type}\0${id}`
}

function domainOf({ domain }: Entity): string {
  return domain === undefined || domain === '' ? DEFAULT_DOMAIN : domain
}

function relatedNames({ related }: Entity): EntityName[] {
  return [...(related ?? [])].flatMap(([type, ids]) => ids.map((id) => ({ type, id })))
}
