/** Timeline entities, as clients put and get them. */

import type { TimelineValue } from '../values/timeline-value.ts'

export interface TimelineEvent {
  readonly timestamp: bigint
  readonly type: string
  readonly info: ReadonlyMap<string, TimelineValue>
}

export interface Entity {
  readonly type: string
  readonly id: string
  readonly startTime: bigint | undefined
  readonly domain: string | undefined
  /** Undefined in an answer: the client did not request them. */
  readonly events: readonly TimelineEvent[] | undefined
  /** Related entities: ids by type. */
  readonly related: ReadonlyMap<string, readonly string[]> | undefined
  readonly filters: ReadonlyMap<string, readonly TimelineValue[]> | undefined
  readonly info: ReadonlyMap<string, TimelineValue> | undefined
}

/** YARN: TimelinePutResponse.TimelinePutError. */
export const PutErrorCode = {
  NO_START_TIME: 1,
  IO_EXCEPTION: 2,
  SYSTEM_FILTER_CONFLICT: 3,
  ACCESS_DENIED: 4,
  NO_DOMAIN: 5,
  FORBIDDEN_RELATION: 6,
  EXPIRED_ENTITY: 7,
} as const
export type PutErrorName = keyof typeof PutErrorCode

export interface PutError {
  readonly type: string
  readonly id: string
  readonly code: number
}

export function putError({ type, id }: Pick<Entity, 'type' | 'id'>, error: PutErrorName): PutError {
  return { type, id, code: PutErrorCode[error] }
}

/** The events of one entity. */
export interface EntityEvents {
  readonly type: string
  readonly id: string
  readonly events: readonly TimelineEvent[]
}

export const FIELDS = ['EVENTS', 'LASTEVENTONLY', 'RELATEDENTITIES', 'PRIMARYFILTERS', 'OTHERINFO'] as const
export type Field = (typeof FIELDS)[number]
export type Fields = ReadonlySet<Field>
export const ALL_FIELDS: Fields = new Set(FIELDS)
