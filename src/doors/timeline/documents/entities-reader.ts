/** Reads entities from JSON. */

import { type DecodeLimits, ElementCount, tooMany } from '../../../model/decode-limits.ts'
import { JsonReader } from '../../../wire/text/json-reader.ts'
import { checkJsonText } from '../../../wire/text/json-text.ts'
import type { Entity, TimelineEvent } from '../entities/entity.ts'
import type { TimelineValue } from '../values/timeline-value.ts'
import { readValue } from '../values/value-json.ts'
import { listField, longField, objectField, textField, unknownField } from './json-fields.ts'
import { readJson } from './malformed-document.ts'

/** An entity as the client sent it, whose type and id may be missing. */
export type SentEntity = Omit<Entity, 'type' | 'id' | 'events' | 'related'> & {
  readonly type: string | undefined
  readonly id: string | undefined
  readonly events: readonly SentEvent[] | undefined
  readonly related: ReadonlyMap<string, readonly (string | undefined)[]> | undefined
}
export type SentEvent = Omit<TimelineEvent, 'type'> & { readonly type: string | undefined }

const DOCUMENT_FIELDS = ['entities']
const EVENT_FIELDS = ['timestamp', 'eventtype', 'eventinfo']
const ENTITY_FIELDS = [
  'entity',
  'domain',
  'events',
  'relatedentities',
  'entitytype',
  'otherinfo',
  'starttime',
  'primaryfilters',
]

/** Throws MalformedDocument, and TOO_LARGE above the limits. */
export function readEntities(body: Buffer, limits: DecodeLimits): SentEntity[] {
  if (isBlank(body)) return []
  return readJson(() => {
    checkJsonText(body)
    return new EntitiesReader(body, limits).document()
  })
}

export function isBlank(body: Buffer): boolean {
  return body.length < 64 && body.toString('latin1').trim() === ''
}

class EntitiesReader {
  readonly #reader: JsonReader
  readonly #limits: DecodeLimits
  readonly #count: ElementCount

  constructor(body: Buffer, limits: DecodeLimits) {
    this.#reader = new JsonReader(body)
    this.#limits = limits
    this.#count = new ElementCount(limits)
  }

  document(): SentEntity[] {
    let entities: SentEntity[] | undefined
    objectField(this.#reader, 'the document', (name) => {
      if (name !== 'entities') throw unknownField(name, DOCUMENT_FIELDS)
      // Within a field Jackson reports malformed JSON with another exception.
      const read = (): SentEntity[] | undefined => listField(this.#reader, name, () => this.#entity())
      entities = readJson(read, 'databind.JsonMappingException')
    })
    const { batchMax } = this.#limits
    if ((entities?.length ?? 0) > batchMax) throw tooMany('entities', batchMax)
    return entities ?? []
  }

  #entity(): SentEntity {
    const reader = this.#reader
    this.#count.add()
    // The collections of Java's bean are empty unless the document has null.
    let entity: SentEntity = {
      type: undefined,
      id: undefined,
      startTime: undefined,
      domain: undefined,
      events: [],
      related: new Map(),
      filters: new Map(),
      info: new Map(),
    }
    objectField(reader, 'an entity', (field) => {
      if (field === 'entity') entity = { ...entity, id: textField(reader, field) }
      else if (field === 'entitytype') entity = { ...entity, type: textField(reader, field) }
      else if (field === 'starttime') entity = { ...entity, startTime: longField(reader, field) }
      else if (field === 'domain') entity = { ...entity, domain: textField(reader, field) }
      else if (field === 'events') entity = { ...entity, events: this.#events(field) }
      else if (field === 'relatedentities') entity = { ...entity, related: this.#related(field) }
      else if (field === 'primaryfilters') entity = { ...entity, filters: this.#filters(field) }
      else if (field === 'otherinfo') entity = { ...entity, info: this.#info(field) }
      else throw unknownField(field, ENTITY_FIELDS)
    })
    return entity
  }

  #events(field: string): SentEvent[] | undefined {
    return listField(this.#reader, field, () => {
      this.#count.add()
      let timestamp = 0n
      let type: string | undefined
      let info: ReadonlyMap<string, TimelineValue> = new Map()
      objectField(this.#reader, 'an event', (name) => {
        if (name === 'timestamp') timestamp = longField(this.#reader, name) ?? 0n
        else if (name === 'eventtype') type = textField(this.#reader, name)
        else if (name === 'eventinfo') info = this.#info(name) ?? new Map()
        else throw unknownField(name, EVENT_FIELDS)
      })
      return { timestamp, type, info }
    })
  }

  #related(field: string): Map<string, (string | undefined)[]> | undefined {
    const related = new Map<string, (string | undefined)[]>()
    const isThere = objectField(this.#reader, field, (type) => {
      const ids = listField(this.#reader, type, () => {
        this.#count.add()
        return textField(this.#reader, 'the id of a related entity')
      })
      related.set(type, [...new Set(ids)])
    })
    return isThere ? related : undefined
  }

  #filters(field: string): Map<string, TimelineValue[]> | undefined {
    const filters = new Map<string, TimelineValue[]>()
    const isThere = objectField(this.#reader, field, (name) => {
      filters.set(name, listField(this.#reader, name, () => this.#value()) ?? [])
    })
    return isThere ? filters : undefined
  }

  #info(field: string): Map<string, TimelineValue> | undefined {
    const info = new Map<string, TimelineValue>()
    const isThere = objectField(this.#reader, field, (name) => {
      info.set(name, this.#value())
    })
    return isThere ? info : undefined
  }

  #value(): TimelineValue {
    return readValue(this.#reader, this.#limits.depthMax, this.#count)
  }
}
