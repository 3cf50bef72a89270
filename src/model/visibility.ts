/**
 * Visibility in tags of cells: one tag for each alternative of an expression, whose value is the ordinals of its labels in order,
 * forbidden ones negative, each a protobuf varint of 32 bits. PERSISTED: HBase's VisibilityUtils writes the same.
 */

import { checkedTags, TAG_HEADER_BYTES, TagCursor, TagType, tag, tagEnd } from './cell-tags.ts'

/** The tag that says that ordinals are in order. HBase: VisibilityConstants.SORTED_ORDINAL_SERIALIZATION_FORMAT. PERSISTED. */
const SORTED_FORMAT = 1
/** A varint of 32 bits has at most five bytes. */
const VARINT_BITS = 35

/** Which cells a read finds, by their labels. */
export type Visibility =
  /** Admits cells whose expression is true of a user with these labels, and cells without an expression. */
  | { readonly kind: 'labels'; readonly ordinals: readonly number[] }
  /** Cells with the expression of these tags; without an expression where the tags have none. */
  | { readonly kind: 'same'; readonly tags: Buffer }

/** `terms`: ordinals of each alternative, forbidden ones negative. */
export function visibilityTags(terms: readonly (readonly number[])[]): Buffer {
  const tags = [tag(TagType.VisibilityFormat, Buffer.of(SORTED_FORMAT))]
  const bytes: number[] = []
  for (const ordinals of terms) {
    bytes.length = 0
    for (const ordinal of ordinals.toSorted((a, b) => a - b)) pushVarint32(bytes, ordinal)
    tags.push(tag(TagType.Visibility, Buffer.from(bytes)))
  }
  return Buffer.concat(tags)
}

function varint32(number: number): number[] {
  const bytes: number[] = []
  pushVarint32(bytes, number)
  return bytes
}

function pushVarint32(bytes: number[], number: number): void {
  let rest = number >>> 0
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
}

/**
 * True where a user with the labels sees a cell with the tags. It is asked of each cell of a scan, and so reads them where they are. HBase:
 * DefaultVisibilityLabelServiceImpl.getVisibilityExpEvaluator.
 */
export function isVisibleTo(
  ordinals: ReadonlySet<number>,
  buffer: Buffer,
  tags: number,
  tagsBytes: number,
): boolean {
  const tagsEnd = tags + tagsBytes
  let hasExpression = false
  let at = tags
  for (let end = tagEnd(buffer, at, tagsEnd); end !== 0; end = tagEnd(buffer, at, tagsEnd)) {
    if (buffer[at + 2] === TagType.Visibility) {
      if (isTrueOf(ordinals, buffer, at + TAG_HEADER_BYTES, end)) return true
      hasExpression = true
    }
    at = end
  }
  return !hasExpression
}

/** True if the expression of the bytes from `start` to `end` holds for the ordinals. */
function isTrueOf(ordinals: ReadonlySet<number>, buffer: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at = ordinalEnd(buffer, at, end)) {
    const ordinal = ordinalAt(buffer, at, end)
    if (ordinals.has(Math.abs(ordinal)) !== ordinal > 0) return false
  }
  return true
}

/** A varint that is cut off ends where the bytes end. */
function ordinalAt(buffer: Buffer, at: number, end: number): number {
  let number = 0
  for (let shift = 0; shift < VARINT_BITS && at < end; shift += 7) {
    const byte = buffer[at++]!
    number |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  return number
}

function ordinalEnd(buffer: Buffer, at: number, end: number): number {
  const endMax = Math.min(end, at + VARINT_BITS / 7)
  let next = at
  while (next < endMax && buffer[next++]! >= 0x80);
  return next
}

/** The ordinals of one alternative, of the value of its tag: forbidden ones are negative. */
export function ordinalsOf(value: Buffer): number[] {
  const ordinals: number[] = []
  for (let at = 0; at < value.length; at = ordinalEnd(value, at, value.length))
    ordinals.push(ordinalAt(value, at, value.length))
  return ordinals
}

/** The tags with other ordinals in their expression, which `ordinalFor` gives for those that they have. Throws as checkedTags. */
export function withOrdinals(tags: Buffer, ordinalFor: (ordinal: number) => number): Buffer {
  const parts: Buffer[] = []
  const cursor = new TagCursor(tags)
  while (cursor.next()) {
    if (cursor.type !== TagType.Visibility) {
      parts.push(tags.subarray(cursor.start, cursor.end))
      continue
    }
    const ordinals = ordinalsOf(cursor.value).map((ordinal) =>
      ordinal < 0 ? -ordinalFor(-ordinal) : ordinalFor(ordinal),
    )
    parts.push(tag(TagType.Visibility, Buffer.from(ordinals.toSorted((a, b) => a - b).flatMap(varint32))))
  }
  return checkedTags(Buffer.concat(parts))
}

/** The part of a cell's tags that says who sees it. */
export class CellVisibility {
  /** Values of the tags, as latin1 text. */
  readonly terms: readonly string[]
  readonly #isSorted: boolean | undefined

  private constructor(terms: readonly string[], isSorted: boolean | undefined) {
    this.terms = terms
    this.#isSorted = isSorted
  }

  static of(buffer: Buffer, tags = 0, tagsBytes: number = buffer.length): CellVisibility {
    const terms: string[] = []
    let isSorted: boolean | undefined
    const cursor = new TagCursor(buffer, tags, tagsBytes)
    while (cursor.next()) {
      if (cursor.type === TagType.Visibility) terms.push(cursor.value.toString('latin1'))
      else if (cursor.type === TagType.VisibilityFormat) isSorted = cursor.value[0] === SORTED_FORMAT
    }
    return new CellVisibility(terms, isSorted)
  }

  get isEmpty(): boolean {
    return this.terms.length === 0
  }

  /** Whether this, of a tombstone, is the expression of the cell. HBase: DefaultVisibilityLabelServiceImpl.matchVisibility. */
  isThatOf(cell: CellVisibility): boolean {
    if (this.isEmpty || cell.isEmpty) return this.isEmpty === cell.isEmpty
    // HBase knows no other format, and lets a tombstone of one hide nothing.
    if (this.#isSorted === false || cell.#isSorted === false) return false
    if (this.terms.length !== cell.terms.length) return false
    const terms = cell.#isSorted === true ? cell.terms : cell.terms.map(sorted)
    return this.terms.every((term) => terms.includes(term))
  }
}

/** Cells that were written before HBase had formats have their ordinals in any order. */
function sorted(term: string): string {
  const ordinals = ordinalsOf(Buffer.from(term, 'latin1')).toSorted((a, b) => a - b)
  return Buffer.from(ordinals.flatMap(varint32)).toString('latin1')
}
