/** The rows to put for an entity. */

import { EMPTY } from '../../../model/bytes.ts'
import { domainKeyOf, eventKey, filterKey, indexPrefix, infoKey } from '../keys/entity-keys.ts'
import { encodeValue } from '../values/stored-value.ts'
import type { Entity } from './entity.ts'

export interface Row {
  readonly key: Buffer
  readonly value: Buffer
}

/** Rows of the table of entities, without those for related entities. `key`: the entityKey. */
export function* entityRows(entity: Entity, domain: string, key: Buffer): Iterable<Row> {
  yield { key, value: EMPTY }
  yield { key: domainKeyOf(key), value: Buffer.from(domain) }
  for (const { timestamp, type, info } of entity.events ?? [])
    yield { key: eventKey(key, timestamp, type), value: encodeValue(info) }
  for (const [name, values] of entity.filters ?? [])
    for (const value of values) yield { key: filterKey(key, name, encodeValue(value)), value: EMPTY }
  for (const [name, value] of entity.info ?? []) yield { key: infoKey(key, name), value: encodeValue(value) }
}

/** Rows of the index table. */
export function* indexRows({ filters }: Entity, key: Buffer): Iterable<Row> {
  for (const [name, values] of filters ?? [])
    for (const value of values)
      yield { key: Buffer.concat([indexPrefix(name, encodeValue(value)), key]), value: EMPTY }
}

/** The time of the earliest event; undefined where the entity has no list of events, and Long.MAX_VALUE where the list is empty. */
export function earliestEvent({ events }: Entity, none: bigint): bigint | undefined {
  return events?.reduce((least, { timestamp }) => (timestamp < least ? timestamp : least), none)
}
