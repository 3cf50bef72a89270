/** The resources of entities and their events. */

import { javaTrim } from '../../../wire/text/java-trim.ts'
import type { AnswerDocument } from '../documents/document.ts'
import { readEntities, type SentEntity } from '../documents/entities-reader.ts'
import type { Entity } from '../entities/entity.ts'
import type { MaySee } from '../entities/entity-reader.ts'
import { readEvents } from '../entities/event-reader.ts'
import type { TimelineService } from '../service/timeline-service.ts'
import { badArgument, badRequest, forbidden, notFound } from './errors.ts'
import {
  fieldsParameter,
  longParameter,
  NotALong,
  pairParameter,
  pairsParameter,
  setParameter,
} from './parameters.ts'
import type { TimelineRequest } from './timeline-request.ts'

/** YARN: TimelineReader.DEFAULT_LIMIT. */
const DEFAULT_LIMIT = 100n

export async function getEntities(
  service: TimelineService,
  request: TimelineRequest,
  type: string,
): Promise<AnswerDocument> {
  const primary = request.parameter('primaryFilter')
  const { limits } = service
  const long = longsOf(request, 'windowStart, windowEnd, fromTs or limit is not a numeric value')
  const fromId = request.parameter('fromId')
  const query = {
    type,
    primaryFilter: primary === undefined ? undefined : pairParameter(primary, 'primaryFilter', limits),
    secondaryFilters: pairsParameter(request.parameter('secondaryFilter'), 'secondaryFilter', limits),
    windowStart: long('windowStart'),
    windowEnd: long('windowEnd'),
    fromId: fromId === undefined ? undefined : javaTrim(fromId),
    fromTs: long('fromTs'),
    limit: long('limit') ?? DEFAULT_LIMIT,
    fields: fieldsParameter(request.parameter('fields'), (message) =>
      badRequest(`requested invalid field: java.lang.IllegalArgumentException: ${message}`),
    ),
  }
  const { call, takeMemory } = request
  const entities = await service.reader.entities(query, maySeeOf(service, request), { call, takeMemory })
  return { kind: 'entities', entities }
}

export async function getEntity(
  service: TimelineService,
  request: TimelineRequest,
  type: string,
  id: string,
): Promise<AnswerDocument> {
  const fields = fieldsParameter(request.parameter('fields'), badArgument)
  const { call, takeMemory } = request
  const entity = await service.reader.entity({ type, id }, fields, { call, takeMemory })
  if (entity === undefined || !(await maySeeOf(service, request)(entity.domain!)))
    throw notFound(`Timeline entity { id: ${id}, type: ${type} } is not found`)
  return { kind: 'entity', entity }
}

export async function getEvents(
  service: TimelineService,
  request: TimelineRequest,
  type: string,
): Promise<AnswerDocument> {
  const long = longsOf(request, 'windowStart, windowEnd or limit is not a numeric value.')
  const types = setParameter(request.parameter('eventType'))
  const query = {
    type,
    ids: setParameter(request.parameter('entityId')) ?? [],
    eventTypes: types && new Set(types),
    windowStart: long('windowStart'),
    windowEnd: long('windowEnd'),
    limit: long('limit') ?? DEFAULT_LIMIT,
  }
  const { call, takeMemory } = request
  const maySee = maySeeOf(service, request)
  const { reader, tables, startTimes, periods, now } = service
  const parts = { tables, startTimes, periods, now }
  return { kind: 'events', events: await readEvents(parts, reader, query, maySee, { call, takeMemory }) }
}

export async function postEntities(
  service: TimelineService,
  request: TimelineRequest,
): Promise<AnswerDocument> {
  const { user, call } = request
  const body = await request.json()
  const sent = readEntities(body, service.limits)
  if (user === undefined) throw forbidden('The owner of the posted timeline entities is not set')
  const errors = await service.writer.put(sent.map(checkedEntity), user, call)
  return { kind: 'response', errors }
}

/** Throws Refusal for an entity without a type or id, and for a NUL in a part of its keys, since a NUL ends a part. */
function checkedEntity(sent: SentEntity): Entity {
  const { type, id, events, related, filters } = sent
  if (type === undefined || id === undefined) throw badRequest('Incomplete entity without entity id/type')
  const names = [type, id, ...(filters?.keys() ?? []), ...(related?.keys() ?? [])]
  const made = {
    ...sent,
    type,
    id,
    events: events?.map((event) => {
      if (event.type === undefined) throw badRequest('Incomplete event without event type')
      names.push(event.type)
      return { ...event, type: event.type }
    }),
    related: related && new Map([...related].map(([each, ids]) => [each, ids.map(checkedId)])),
  }
  for (const ids of made.related?.values() ?? []) names.push(...ids)
  if (names.some((name) => name.includes('\0')))
    throw badRequest('a name, a type or an id of the entity has a NUL')
  return made
}

function checkedId(id: string | undefined): string {
  if (id === undefined) throw badRequest('Incomplete related entity without entity id')
  return id
}

/** Reads parameters that are longs; `refusal`: what to say of one that is not. */
function longsOf(request: TimelineRequest, refusal: string): (name: string) => bigint | undefined {
  return (name) => {
    try {
      return longParameter(request.parameter(name))
    } catch (error) {
      if (!(error instanceof NotALong)) throw error
      throw badRequest(refusal.endsWith('.') ? refusal : `${refusal}: ${error.message}`)
    }
  }
}

/** Asks once for each domain. */
function maySeeOf({ acls }: TimelineService, { user, call }: TimelineRequest): MaySee {
  const known = new Map<string, Promise<boolean>>()
  return (domain) => {
    let answer = known.get(domain)
    if (answer === undefined) {
      answer = acls.allows(user, 'readers', domain, call)
      known.set(domain, answer)
    }
    return answer
  }
}
