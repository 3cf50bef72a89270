/**
 * Documents as XML. Hadoop's server writes only exceptions as XML, and answers 500 for other documents. Here domains, events and errors
 * have the form that JAXB gives them, and entities the form that JAXB gives maps.
 */

import { javaDoubleText } from '../../../wire/rest/java-numbers.ts'
import { escapeXml, XML_DECLARATION, xmlElement } from '../../../wire/rest/xml-writer.ts'
import type { StoredDomain } from '../domains/domain.ts'
import type { Entity, TimelineEvent } from '../entities/entity.ts'
import { isList, JavaDouble, type TimelineValue } from '../values/timeline-value.ts'
import type { AnswerDocument } from './document.ts'

const NAMESPACES: readonly (readonly [string, string])[] = [
  ['xmlns:xs', 'http://www.w3.org/2001/XMLSchema'],
  ['xmlns:xsi', 'http://www.w3.org/2001/XMLSchema-instance'],
]
/** Characters that XML cannot contain. */
const UNWRITABLE = /[^ -\ufffd]/g

export function documentXml(document: AnswerDocument): string {
  return XML_DECLARATION + rootXml(document)
}

function rootXml(document: AnswerDocument): string {
  switch (document.kind) {
    case 'about':
      return xmlElement('about', [], document.facts.map(([name, fact]) => textXml(name, fact)).join(''))
    case 'entities':
      return xmlElement(
        'entities',
        NAMESPACES,
        document.entities.map((entity) => xmlElement('entities', [], entityParts(entity))).join(''),
      )
    case 'entity':
      return xmlElement('entity', NAMESPACES, entityParts(document.entity))
    case 'events':
      return xmlElement(
        'events',
        NAMESPACES,
        document.events
          .map(({ type, id, events }) =>
            xmlElement(
              'events',
              [],
              textXml('entity', id) + textXml('entitytype', type) + events.map(eventXml).join(''),
            ),
          )
          .join(''),
      )
    case 'domain':
      return xmlElement('domain', [], domainParts(document.domain))
    case 'domains':
      return xmlElement(
        'domains',
        [],
        document.domains.map((domain) => xmlElement('domains', [], domainParts(domain))).join(''),
      )
    case 'response':
      return xmlElement(
        'response',
        [],
        document.errors
          .map(({ type, id, code }) =>
            xmlElement(
              'errors',
              [],
              textXml('entity', id) + textXml('entitytype', type) + textXml('errorcode', String(code)),
            ),
          )
          .join(''),
      )
    case 'exception':
      return xmlElement(
        'RemoteException',
        [],
        textXml('exception', document.exception) +
          textXml('message', document.message) +
          textXml('javaClassName', document.javaClass),
      )
  }
}

function textXml(name: string, text: string | bigint | undefined): string {
  if (text === undefined) return ''
  return `<${name}>${escapeXml(String(text)).replace(UNWRITABLE, '\ufffd')}</${name}>`
}

function entityParts({ type, id, startTime, events, domain, related, filters, info }: Entity): string {
  return [
    textXml('domain', domain),
    textXml('entity', id),
    textXml('entitytype', type),
    (events ?? []).map(eventXml).join(''),
    info === undefined ? '' : mapXml('otherinfo', info, (value) => valueXml('value', value)),
    filters === undefined
      ? ''
      : mapXml('primaryfilters', filters, (values) =>
          values.map((value) => valueXml('value', value)).join(''),
        ),
    related === undefined
      ? ''
      : mapXml('relatedentities', related, (ids) => ids.map((each) => textXml('value', each)).join('')),
    textXml('starttime', startTime),
  ].join('')
}

function eventXml({ timestamp, type, info }: TimelineEvent): string {
  return xmlElement(
    'events',
    [],
    mapXml('eventinfo', info, (value) => valueXml('value', value)) +
      textXml('eventtype', type) +
      textXml('timestamp', timestamp),
  )
}

function mapXml<Value>(name: string, map: ReadonlyMap<string, Value>, xml: (value: Value) => string): string {
  const entries = [...map].map(([key, value]) => xmlElement('entry', [], textXml('key', key) + xml(value)))
  return xmlElement(name, [], entries.join(''))
}

function valueXml(name: string, value: TimelineValue): string {
  if (value === null) return xmlElement(name, [['xsi:nil', 'true']])
  if (isList(value)) return xmlElement(name, [], value.map((each) => valueXml('item', each)).join(''))
  if (value instanceof Map) return mapXml(name, value, (each) => valueXml('value', each))
  const [type, text] = typed(value as string | boolean | number | bigint | JavaDouble)
  return `<${name} xsi:type="xs:${type}">${escapeXml(text).replace(UNWRITABLE, '\ufffd')}</${name}>`
}

function typed(value: string | boolean | number | bigint | JavaDouble): readonly [string, string] {
  if (value instanceof JavaDouble) return ['double', javaDoubleText(value.value)]
  if (typeof value === 'string') return ['string', value]
  if (typeof value === 'boolean') return ['boolean', String(value)]
  if (typeof value === 'number' && (value | 0) === value) return ['int', String(value)]
  return [BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? 'long' : 'integer', String(value)]
}

function domainParts(domain: StoredDomain): string {
  return [
    textXml('createdtime', domain.createdTime),
    textXml('description', domain.description),
    textXml('id', domain.id),
    textXml('modifiedtime', domain.modifiedTime),
    textXml('owner', domain.owner),
    textXml('readers', domain.readers),
    textXml('writers', domain.writers),
  ].join('')
}
