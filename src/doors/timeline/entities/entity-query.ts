/** A query for the entities of a type. */

import { equalValues, type TimelineValue } from '../values/timeline-value.ts'
import type { Entity, Field, Fields } from './entity.ts'

export interface NamedValue {
  readonly name: string
  readonly value: TimelineValue
}

export interface EntityQuery {
  readonly type: string
  readonly limit: bigint
  /** Only entities that started after this time. */
  readonly windowStart: bigint | undefined
  /** Only entities that started at this time or earlier. */
  readonly windowEnd: bigint | undefined
  /** Only entities from this one on. */
  readonly fromId: string | undefined
  /** Only entities that were stored at this time or earlier. */
  readonly fromTs: bigint | undefined
  readonly primaryFilter: NamedValue | undefined
  readonly secondaryFilters: readonly NamedValue[]
  readonly fields: Fields
}

const FILTERED: readonly Field[] = ['PRIMARYFILTERS', 'OTHERINFO']

/** The fields to read: the requested ones, and those that filters need. */
export function fieldsRead({ fields, secondaryFilters }: EntityQuery): Fields {
  return secondaryFilters.length === 0 ? fields : new Set([...fields, ...FILTERED])
}

/** True where the entity's other information of the filter's name equals its value, or without such information a primary filter does. */
export function meetsFilters(entity: Entity, filters: readonly NamedValue[]): boolean {
  return filters.every(({ name, value }) => {
    const info = entity.info?.get(name)
    if (info !== undefined && info !== null) return equalValues(info, value)
    return entity.filters?.get(name)?.some((each) => equalValues(each, value)) === true
  })
}

/** The entity without the fields that were read only for filters. */
export function withFields(entity: Entity, fields: Fields): Entity {
  return {
    ...entity,
    filters: fields.has('PRIMARYFILTERS') ? entity.filters : undefined,
    info: fields.has('OTHERINFO') ? entity.info : undefined,
  }
}
