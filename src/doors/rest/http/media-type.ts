/**
 * Content negotiation as JAX-RS does it: the client's types are sorted by quality, then by how exact they are, then in
 * their order. The first that fits a type of the resource decides.
 * QUIRK rest-accept-row-application-json-q-0: a type of quality 0 is not refused, it only comes last.
 */

import { Refusal } from './errors.ts'

export const BINARY = 'application/octet-stream'
export const XML = 'text/xml'
export const JSON_TYPE = 'application/json'
export const PROTOBUF = 'application/x-protobuf'
export const PROTOBUF_IETF = 'application/protobuf'
export const TEXT = 'text/plain'

export type CellSetType = typeof XML | typeof JSON_TYPE | typeof PROTOBUF | typeof PROTOBUF_IETF
export const CELL_SET_TYPES: readonly CellSetType[] = [XML, JSON_TYPE, PROTOBUF, PROTOBUF_IETF]

interface Acceptable {
  readonly type: string
  readonly subtype: string
  readonly quality: number
  /** Parameters other than q, which the answer repeats: `;charset=utf-8`. */
  readonly parameters: string
}

export interface Negotiated<Type extends string> {
  readonly type: Type
  /** With the parameters that the client asked for. */
  readonly contentType: string
}

const parsed: Map<string, readonly Acceptable[]> = new Map()
const PARSED_MAX = 256

/** Throws Refusal 406, or 400 for a malformed quality. */
export function negotiate<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Negotiated<Type> {
  for (const acceptable of acceptables(accept ?? '*/*')) {
    for (const type of offered) {
      if (fits(acceptable, type)) return { type, contentType: type + acceptable.parameters }
    }
  }
  throw new Refusal(406, `only ${offered.join(', ')} can be had here, not ${accept}`, {
    'Cache-Control': 'must-revalidate,no-cache,no-store',
  })
}

/** The one of the types that a body has, undefined where it has none. Throws Refusal 415, or 400 for a malformed type. */
export function bodyType<Type extends string>(
  contentType: string | undefined,
  taken: readonly Type[],
): Type | undefined {
  if (contentType === undefined) return undefined
  const [type = '', subtype = ''] = bare(contentType).split('/')
  if (type === '' || subtype === '') throw new Refusal(400, `"${contentType}" is no media type`)
  const found = taken.find((candidate) => fits({ type, subtype, quality: 1, parameters: '' }, candidate))
  if (found === undefined)
    throw new Refusal(415, `only ${taken.join(', ')} is taken here, not ${contentType}`)
  return found
}

function acceptables(header: string): readonly Acceptable[] {
  const known = parsed.get(header)
  if (known !== undefined) return known
  const list = header.split(',').map(parseAcceptable)
  list.sort((a, b) => b.quality - a.quality || exactness(b) - exactness(a))
  if (parsed.size < PARSED_MAX) parsed.set(header, list)
  return list
}

function parseAcceptable(text: string): Acceptable {
  const [range = '', subtype = '*'] = bare(text).split('/')
  let quality = 1
  let parameters = ''
  for (const parameter of text.split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim())
    if (name.toLowerCase() !== 'q') {
      if (name !== '') parameters += `;${name}=${value}`
      continue
    }
    quality = Number(value)
    if (!/^[01](?:\.\d{0,3})?$/.test(value))
      throw new Refusal(400, `"${value}" is no quality of a media type`)
  }
  return { type: range === '' ? '*' : range, subtype, quality, parameters }
}

function bare(text: string): string {
  return text.split(';', 1)[0]!.trim().toLowerCase()
}

function exactness({ type, subtype }: Acceptable): number {
  return type === '*' ? 0 : subtype === '*' ? 1 : 2
}

function fits({ type, subtype }: Acceptable, offered: string): boolean {
  if (type === '*') return true
  const slash = offered.indexOf('/')
  if (offered.slice(0, slash) !== type) return false
  return subtype === '*' || offered.slice(slash + 1) === subtype
}
