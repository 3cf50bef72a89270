/** Reads the events of given entities. */

import { compareBytes, rowAfterPrefix } from '../../../model/bytes.ts'
import { entityKey, eventPrefix } from '../keys/entity-keys.ts'
import { LONG_MAX, reversedTime } from '../keys/key-bytes.ts'
import type { StartTime } from '../tables/start-times.ts'
import type { EntityEvents, TimelineEvent } from './entity.ts'
import type { EntityReader, MaySee, ReaderParts, Reading } from './entity-reader.ts'
import { eventOf } from './stored-entity.ts'

export interface EventQuery {
  readonly type: string
  /** The entities' ids, sorted as Java sorts them. */
  readonly ids: readonly string[]
  /** Only events of these types; undefined: all types. */
  readonly eventTypes: ReadonlySet<string> | undefined
  /** The most events per entity. */
  readonly limit: bigint
  /** Only events after this time. */
  readonly windowStart: bigint | undefined
  /** Only events at this time or earlier. */
  readonly windowEnd: bigint | undefined
}

/** The events of existing entities that the user may see. The latest started entity comes first, with its newest event first. */
export async function readEvents(
  parts: ReaderParts,
  reader: EntityReader,
  query: EventQuery,
  maySee: MaySee,
  reading: Reading,
): Promise<EntityEvents[]> {
  const { type, ids } = query
  const names = ids.map((id) => ({ type, id }))
  const starts = await parts.startTimes.getAll(names, reading.call)
  const domains = await reader.domains(names, reading)
  const found = ids.flatMap((id, index) => {
    const start = starts[index]
    const domain = domains[index]
    return start === undefined || domain === undefined ? [] : [{ id, start, domain }]
  })
  found.sort((a, b) => compareBytes(reversedTime(a.start.startTime), reversedTime(b.start.startTime)))
  const answers: EntityEvents[] = []
  for (const { id, start, domain } of found) {
    if (!(await maySee(domain))) continue
    answers.push({ type, id, events: await eventsOf(parts, reader, query, id, start, reading) })
  }
  return answers
}

async function eventsOf(
  { tables }: ReaderParts,
  reader: EntityReader,
  { type, eventTypes, limit, windowStart, windowEnd = LONG_MAX }: EventQuery,
  id: string,
  start: StartTime,
  { call, takeMemory }: Reading,
): Promise<TimelineEvent[]> {
  const events: TimelineEvent[] = []
  const period = await reader.periodOf(start, call)
  const prefix = eventPrefix(entityKey({ type, id }, start.startTime))
  const first = Buffer.concat([prefix, reversedTime(windowEnd)])
  const stop =
    windowStart === undefined ? rowAfterPrefix(prefix) : Buffer.concat([prefix, reversedTime(windowStart)])
  if (period === undefined || limit <= 0n || compareBytes(first, stop) >= 0) return events
  for await (const rows of tables.scan(period.entity, first, stop, call, { takeMemory })) {
    for (const { key, value } of rows) {
      const event = eventOf(key, prefix.length, value)
      if (eventTypes !== undefined && !eventTypes.has(event.type)) continue
      events.push(event)
      if (events.length >= limit) return events
    }
  }
  return events
}
