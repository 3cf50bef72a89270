/**
 * Content negotiation as JAX-RS does it: the client's types are sorted by quality, then from exact to general, then in
 * their order. The first that matches a type of the resource decides; of several matches, the resource's first.
 * QUIRK rest-accept-row-application-json-q-0: a type of quality 0 is not refused, it only comes last.
 */

import { Refusal } from './errors.ts'
import { type MediaRange, parseMediaRanges } from './media-range.ts'

export const BINARY = 'application/octet-stream'
export const XML = 'text/xml'
export const JSON_TYPE = 'application/json'
export const PROTOBUF = 'application/x-protobuf'
export const PROTOBUF_IETF = 'application/protobuf'
export const TEXT = 'text/plain'

export type CellSetType = typeof XML | typeof JSON_TYPE | typeof PROTOBUF | typeof PROTOBUF_IETF
/** XML comes first: a client that accepts any type gets a readable answer. */
export const CELL_SET_TYPES: readonly CellSetType[] = [XML, JSON_TYPE, PROTOBUF, PROTOBUF_IETF]

export interface Negotiated<Type extends string> {
  readonly type: Type
  /** The answer's Content-Type: the type, with the parameters of the client's range where that named the type exactly. */
  readonly contentType: string
}

const ANYTHING: MediaRange = { type: '*', subtype: '*', quality: 1, parameters: '' }

const parsed: Map<string, readonly MediaRange[]> = new Map()
const parsedTypes: Map<string, MediaRange> = new Map()
const PARSED_MAX = 256

/**
 * The type of an answer for the header Accept. `offered` has the resource's types, the preferred one first. Throws Refusal 406, or 400 for
 * a malformed header.
 */
export function negotiate<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Negotiated<Type> {
  for (const range of acceptedRanges(accept ?? '')) {
    for (const type of offered) {
      if (!fits(range, type)) continue
      return { type, contentType: exactness(range) === EXACT ? type + range.parameters : type }
    }
  }
  throw new Refusal(406, `this resource offers ${offered.join(', ')}, not ${accept}`, {
    'Cache-Control': 'must-revalidate,no-cache,no-store',
  })
}

/**
 * The type of a body; undefined where the request states none. Throws Refusal 400 for a malformed type, or 415 for a type that the
 * resource does not accept. `others`: types that the caller checked itself, for the message.
 */
export function bodyType<Type extends string>(
  contentType: string | undefined,
  taken: readonly Type[],
  others: readonly string[] = [],
): Type | undefined {
  if (contentType === undefined) return undefined
  const range = mediaTypeOf(contentType)
  const found = taken.find((candidate) => fits(range, candidate))
  if (found === undefined)
    throw new Refusal(415, `this resource accepts ${[...taken, ...others].join(', ')}, not ${contentType}`)
  return found
}

/** The single type of a Content-Type header. Throws Refusal 400. */
function mediaTypeOf(contentType: string): MediaRange {
  const known = parsedTypes.get(contentType)
  if (known !== undefined) return known
  const [range, ...more] = parseMediaRanges(contentType)
  if (range === undefined || more.length > 0 || !contentType.includes('/')) {
    throw new Refusal(400, `"${contentType}" is not a media type`)
  }
  if (parsedTypes.size < PARSED_MAX) parsedTypes.set(contentType, range)
  return range
}

/** The ranges of an Accept header, the most preferred first. An empty header accepts any type. */
export function acceptedRanges(header: string): readonly MediaRange[] {
  const known = parsed.get(header)
  if (known !== undefined) return known
  const list = parseMediaRanges(header)
  list.sort((a, b) => b.quality - a.quality || exactness(b) - exactness(a))
  if (list.length === 0) list.push(ANYTHING)
  if (parsed.size < PARSED_MAX) parsed.set(header, list)
  return list
}

const EXACT = 2

function exactness({ type, subtype }: MediaRange): number {
  return type === '*' ? 0 : subtype === '*' ? 1 : EXACT
}

/** True where the range includes the offered type. */
export function fits({ type, subtype }: MediaRange, offered: string): boolean {
  if (type === '*') return true
  const slash = type.length
  if (offered[slash] !== '/' || !offered.startsWith(type)) return false
  return subtype === '*' || (offered.length === slash + 1 + subtype.length && offered.endsWith(subtype))
}
