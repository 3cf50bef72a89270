/** What a client asks of the entities of a type. */

import { equalValues, type TimelineValue } from '../values/timeline-value.ts'
import type { Entity, Field, Fields } from './entity.ts'

export interface NamedValue {
  readonly name: string
  readonly value: TimelineValue
}

export interface EntityQuery {
  readonly type: string
  readonly limit: bigint
  /** Entities that started after it. */
  readonly windowStart: bigint | undefined
  /** Entities that started then or before. */
  readonly windowEnd: bigint | undefined
  /** Entities from this one on. */
  readonly fromId: string | undefined
  /** Entities that were stored then or before. */
  readonly fromTs: bigint | undefined
  readonly primaryFilter: NamedValue | undefined
  readonly secondaryFilters: readonly NamedValue[]
  readonly fields: Fields
}

const FILTERED: readonly Field[] = ['PRIMARYFILTERS', 'OTHERINFO']

/** The fields that must be read: filters need some that were not asked for. */
export function fieldsRead({ fields, secondaryFilters }: EntityQuery): Fields {
  return secondaryFilters.length === 0 ? fields : new Set([...fields, ...FILTERED])
}

/** A filter is met by the other information of its name or, where there is none, by a primary filter. */
export function meetsFilters(entity: Entity, filters: readonly NamedValue[]): boolean {
  return filters.every(({ name, value }) => {
    const info = entity.info?.get(name)
    if (info !== undefined && info !== null) return equalValues(info, value)
    return entity.filters?.get(name)?.some((each) => equalValues(each, value)) === true
  })
}

/** The entity without fields that were read for filters only. */
export function withFields(entity: Entity, fields: Fields): Entity {
  return {
    ...entity,
    filters: fields.has('PRIMARYFILTERS') ? entity.filters : undefined,
    info: fields.has('OTHERINFO') ? entity.info : undefined,
  }
}
