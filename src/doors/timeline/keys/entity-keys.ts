/** Keys of start times, entities and their indexes. */

import { KeyParser, reversedTime, separated } from './key-bytes.ts'

export interface EntityName {
  readonly type: string
  readonly id: string
}

/** The kind of an entity's key, by the byte after the entity's own key. */
export const Column = { domain: 0x64, event: 0x65, filter: 0x66, info: 0x69, related: 0x72 } as const

const DOMAIN = Buffer.of(Column.domain)
const EVENT = Buffer.of(Column.event)
const FILTER = Buffer.of(Column.filter)
const INFO = Buffer.of(Column.info)
const RELATED = Buffer.of(Column.related)

export function startTimeKey({ type, id }: EntityName): Buffer {
  return Buffer.concat([separated(type), Buffer.from(id)])
}

/** The prefix of all entities of a type. */
export function typePrefix(type: string): Buffer {
  return separated(type)
}

/** The key at which the entities of a type begin that started at `time` or earlier. */
export function typeTimePrefix(type: string, time: bigint): Buffer {
  return Buffer.concat([separated(type), reversedTime(time)])
}

/** The entity's own key, which marks that it exists and is the prefix of its other keys. */
export function entityKey({ type, id }: EntityName, startTime: bigint): Buffer {
  return Buffer.concat([separated(type), reversedTime(startTime), separated(id)])
}

/** `key`: an entityKey. */
export function domainKeyOf(key: Buffer): Buffer {
  return Buffer.concat([key, DOMAIN])
}

/** The prefix of an entity's events. */
export function eventPrefix(key: Buffer): Buffer {
  return Buffer.concat([key, EVENT])
}

export function eventKey(key: Buffer, timestamp: bigint, type: string): Buffer {
  return Buffer.concat([key, EVENT, reversedTime(timestamp), Buffer.from(type)])
}

/** `value`: in its stored form. */
export function filterKey(key: Buffer, name: string, value: Buffer): Buffer {
  return Buffer.concat([key, FILTER, separated(name), value])
}

export function infoKey(key: Buffer, name: string): Buffer {
  return Buffer.concat([key, INFO, Buffer.from(name)])
}

export function relatedKey(key: Buffer, { type, id }: EntityName): Buffer {
  return Buffer.concat([key, RELATED, separated(type), Buffer.from(id)])
}

/** The prefix of an index's keys, which continue with keys of entities. */
export function indexPrefix(name: string, value: Buffer): Buffer {
  return Buffer.concat([separated(name), separated(value)])
}

/** The start time and the id of a key that begins with a type's prefix. `end`: the length of the entity's own key. */
export function parseEntityKey(
  key: Buffer,
  prefixLength: number,
): { readonly startTime: bigint; readonly id: string; readonly end: number } {
  const parser = new KeyParser(key, prefixLength)
  const startTime = parser.time()
  const id = parser.text()
  return { startTime, id, end: parser.offset }
}
