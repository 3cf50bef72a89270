/** Documents as JSON, byte for byte as Hadoop's server writes them, with members in the order of Java's maps. */

import type { StoredDomain } from '../domains/domain.ts'
import type { Entity, EntityEvents, PutError, TimelineEvent } from '../entities/entity.ts'
import { hashOfText, hashOfValue, javaEntries, javaOrder } from '../values/java-hash.ts'
import type { TimelineValue } from '../values/timeline-value.ts'
import { jsonText, memberJson, objectJson, valueJson } from '../values/value-json.ts'
import type { AnswerDocument } from './document.ts'

export function documentJson(document: AnswerDocument): string {
  switch (document.kind) {
    case 'about':
      return objectJson(document.facts.map(([name, fact]) => [name, jsonText(fact)]))
    case 'entities':
      return objectJson([['entities', listJson(document.entities, entityJson)]])
    case 'entity':
      return entityJson(document.entity)
    case 'events':
      return objectJson([['events', listJson(document.events, entityEventsJson)]])
    case 'domain':
      return domainJson(document.domain)
    case 'domains':
      return objectJson([['domains', listJson(document.domains, domainJson)]])
    case 'response':
      return objectJson([['errors', listJson(document.errors, errorJson)]])
    case 'exception':
      return objectJson([
        ['exception', jsonText(document.exception)],
        ['message', textJson(document.message)],
        ['javaClassName', jsonText(document.javaClass)],
      ])
  }
}

function listJson<Item>(items: readonly Item[], json: (item: Item) => string): string {
  return `[${items.map(json).join(',')}]`
}

function textJson(text: string | undefined): string | undefined {
  return text === undefined ? undefined : jsonText(text)
}

function entityJson({ type, id, startTime, events, domain, related, filters, info }: Entity): string {
  return objectJson([
    ['entitytype', jsonText(type)],
    ['entity', jsonText(id)],
    ['starttime', startTime === undefined ? undefined : String(startTime)],
    ['events', events && listJson(events, eventJson)],
    ['domain', textJson(domain)],
    ['relatedentities', related && setsJson(related, hashOfText, jsonText)],
    ['primaryfilters', filters && setsJson(filters, hashOfValue, valueJson)],
    ['otherinfo', info && infoJson(info)],
  ])
}

function setsJson<Item>(
  sets: ReadonlyMap<string, readonly Item[]>,
  hashOf: (item: Item) => number,
  json: (item: Item) => string,
): string {
  const members = javaEntries(sets)
  return objectJson(members.map(([name, set]) => [name, listJson(javaOrder(set, hashOf), json)]))
}

/** Leaves out members that are null. */
function infoJson(info: ReadonlyMap<string, TimelineValue>): string {
  return objectJson(javaEntries(info).map(memberJson))
}

/**
 * A map in the order of a Java map that was stored and read again, which has another capacity.
 * QUIRK timeline-write-names-e: its members have another order than those of other information.
 */
function eventInfoJson(info: ReadonlyMap<string, TimelineValue>): string {
  const stored = new Map(javaEntries(info))
  return objectJson(javaEntries(stored, stored.size).map(memberJson))
}

function eventJson({ timestamp, type, info }: TimelineEvent): string {
  return objectJson([
    ['timestamp', String(timestamp)],
    ['eventtype', jsonText(type)],
    ['eventinfo', eventInfoJson(info)],
  ])
}

function entityEventsJson({ type, id, events }: EntityEvents): string {
  return objectJson([
    ['entity', jsonText(id)],
    ['entitytype', jsonText(type)],
    ['events', listJson(events, eventJson)],
  ])
}

function domainJson({
  id,
  description,
  owner,
  readers,
  writers,
  createdTime,
  modifiedTime,
}: StoredDomain): string {
  return objectJson([
    ['id', jsonText(id)],
    ['description', textJson(description)],
    ['owner', textJson(owner)],
    ['readers', textJson(readers)],
    ['writers', textJson(writers)],
    ['createdtime', createdTime === undefined ? undefined : String(createdTime)],
    ['modifiedtime', modifiedTime === undefined ? undefined : String(modifiedTime)],
  ])
}

function errorJson({ type, id, code }: PutError): string {
  return objectJson([
    ['entity', jsonText(id)],
    ['entitytype', jsonText(type)],
    ['errorcode', String(code)],
  ])
}
