/**
 * Tidegate's own media types for rows: JSON with keys and values as text, and NDJSON with a line per row. Only clients that name one get
 * it. HBase ignores `cells=text` and does not know NDJSON.
 */

import { parseMediaRanges } from './media-range.ts'
import { acceptedRanges, type CellSetType, fits, type Negotiated, negotiate } from './media-type.ts'

export const TEXT_JSON = 'application/json;cells=text'
export const NDJSON = 'application/x-ndjson'
export const TEXT_NDJSON = 'application/x-ndjson;cells=text'

export type OwnRowsType = typeof TEXT_JSON | typeof NDJSON | typeof TEXT_NDJSON
export type RowsType = CellSetType | OwnRowsType

const MAY_BE_OWN = /ndjson|cells/i
const CELLS_TEXT = /;cells=text(?:;|$)/i

/** Types that were negotiated before, by the header Accept, for each list of offered types. */
const negotiated = new WeakMap<readonly string[], Map<string, Negotiated<string>>>()
const NEGOTIATED_MAX = 256
const NEGOTIATED_LENGTH_MAX = 256

/** As `negotiate`, with Tidegate's own types besides the offered ones. */
export function negotiateRows<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Negotiated<Type | OwnRowsType> {
  let byAccept = negotiated.get(offered)
  if (byAccept === undefined) {
    byAccept = new Map()
    negotiated.set(offered, byAccept)
  }
  const header = accept ?? ''
  const known = byAccept.get(header)
  if (known !== undefined) return known as Negotiated<Type | OwnRowsType>
  const made = negotiateAnew(accept, offered)
  if (byAccept.size < NEGOTIATED_MAX && header.length <= NEGOTIATED_LENGTH_MAX) byAccept.set(header, made)
  return made
}

function negotiateAnew<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Negotiated<Type | OwnRowsType> {
  if (accept === undefined || !MAY_BE_OWN.test(accept)) return negotiate(accept, offered)
  for (const range of acceptedRanges(accept)) {
    const own = range.quality > 0 ? ownType(range) : undefined
    if (own !== undefined) return { type: own, contentType: own }
    if (offered.some((type) => fits(range, type))) break
  }
  return negotiate(accept, offered)
}

function ownType(range: {
  readonly type: string
  readonly subtype: string
  readonly parameters: string
}): OwnRowsType | undefined {
  if (range.type !== 'application') return undefined
  const isText = CELLS_TEXT.test(range.parameters)
  if (range.subtype === 'json') return isText ? TEXT_JSON : undefined
  if (range.subtype === 'x-ndjson') return isText ? TEXT_NDJSON : NDJSON
  return undefined
}

/** True for a body of JSON with `cells=text`. Throws Refusal 400 for a malformed type. */
export function isTextJson(contentType: string | undefined): boolean {
  if (contentType === undefined || !MAY_BE_OWN.test(contentType)) return false
  const [range] = parseMediaRanges(contentType)
  return range !== undefined && ownType(range) === TEXT_JSON
}

/** True for the NDJSON types. */
export function isLines(type: string): type is typeof NDJSON | typeof TEXT_NDJSON {
  return type === NDJSON || type === TEXT_NDJSON
}
