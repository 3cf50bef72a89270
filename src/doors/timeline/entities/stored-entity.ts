/** Decodes entities from their rows. */

import { Column } from '../keys/entity-keys.ts'
import { KeyParser } from '../keys/key-bytes.ts'
import type { StoredRow } from '../tables/timeline-tables.ts'
import { decodeValue } from '../values/stored-value.ts'
import type { TimelineValue } from '../values/timeline-value.ts'
import type { Entity, Fields, TimelineEvent } from './entity.ts'

export const DEFAULT_DOMAIN = 'DEFAULT'

export interface StoredName {
  readonly type: string
  readonly id: string
  readonly startTime: bigint
}

/** `rows`: all rows of the entity, in order; `prefixLength`: the length of its own key. Only the requested fields are decoded. */
export function entityOf(
  name: StoredName,
  rows: readonly StoredRow[],
  prefixLength: number,
  fields: Fields,
): Entity {
  const events: TimelineEvent[] = []
  const related = new Map<string, string[]>()
  const filters = new Map<string, TimelineValue[]>()
  const info = new Map<string, TimelineValue>()
  const lastOnly = !fields.has('EVENTS')
  let domain = DEFAULT_DOMAIN
  for (const { key, value } of rows) {
    if (key.length === prefixLength) continue
    const parser = new KeyParser(key, prefixLength + 1)
    const column = key[prefixLength]
    if (column === Column.domain) domain = value.toString()
    else if (column === Column.event) {
      if (!fields.has('EVENTS') && !fields.has('LASTEVENTONLY')) continue
      if (!lastOnly || events.length === 0) events.push(eventOf(key, prefixLength + 1, value))
    } else if (column === Column.filter && fields.has('PRIMARYFILTERS')) {
      listIn(filters, parser.text()).push(decodeValue(parser.rest()))
    } else if (column === Column.info && fields.has('OTHERINFO')) {
      info.set(parser.rest().toString(), decodeValue(value))
    } else if (column === Column.related && fields.has('RELATEDENTITIES')) {
      listIn(related, parser.text()).push(parser.text())
    }
  }
  return {
    ...name,
    domain,
    events: fields.has('EVENTS') || fields.has('LASTEVENTONLY') ? events : undefined,
    related: fields.has('RELATEDENTITIES') ? related : undefined,
    filters: fields.has('PRIMARYFILTERS') ? filters : undefined,
    info: fields.has('OTHERINFO') ? info : undefined,
  }
}

/** `offset`: the position of the event's time in its key. */
export function eventOf(key: Buffer, offset: number, value: Buffer): TimelineEvent {
  const parser = new KeyParser(key, offset)
  const timestamp = parser.time()
  const type = parser.text()
  const info = decodeValue(value)
  return { timestamp, type, info: info instanceof Map ? info : new Map() }
}

function listIn<Item>(map: Map<string, Item[]>, name: string): Item[] {
  let list = map.get(name)
  if (list === undefined) {
    list = []
    map.set(name, list)
  }
  return list
}
