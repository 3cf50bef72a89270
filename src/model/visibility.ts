/**
 * Visibility in tags of cells: one tag for each alternative of an expression, whose value is the ordinals of its labels in order,
 * forbidden ones negative, each a protobuf varint of 32 bits. PERSISTED: HBase's VisibilityUtils writes the same.
 */

import { TagCursor, TagType, tag } from './cell-tags.ts'

/** The tag that says that ordinals are in order. HBase: VisibilityConstants.SORTED_ORDINAL_SERIALIZATION_FORMAT. PERSISTED. */
const SORTED_FORMAT = 1

/** Which cells a read finds, by their labels. */
export type Visibility =
  /** Those whose expression is true of somebody with these labels, and those without one. */
  | { readonly kind: 'labels'; readonly ordinals: readonly number[] }
  /** Those with the expression of these tags; without one where the tags have none. */
  | { readonly kind: 'same'; readonly tags: Buffer }

/** `terms`: ordinals of each alternative, forbidden ones negative. */
export function visibilityTags(terms: readonly (readonly number[])[]): Buffer {
  const tags = terms.map((ordinals) =>
    tag(TagType.Visibility, Buffer.from(ordinals.toSorted((a, b) => a - b).flatMap(varint32))),
  )
  return Buffer.concat([tag(TagType.VisibilityFormat, Buffer.of(SORTED_FORMAT)), ...tags])
}

function varint32(number: number): number[] {
  const bytes: number[] = []
  let rest = number >>> 0
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
  return bytes
}

/** Whether somebody with the labels sees a cell with the tags. HBase: DefaultVisibilityLabelServiceImpl.getVisibilityExpEvaluator. */
export function isVisibleTo(
  ordinals: ReadonlySet<number>,
  buffer: Buffer,
  tags: number,
  tagsBytes: number,
): boolean {
  let hasExpression = false
  const cursor = new TagCursor(buffer, tags, tagsBytes)
  while (cursor.next()) {
    if (cursor.type !== TagType.Visibility) continue
    hasExpression = true
    if (ordinalsOf(cursor.value).every((each) => ordinals.has(Math.abs(each)) === each > 0)) return true
  }
  return !hasExpression
}

function ordinalsOf(value: Buffer): number[] {
  const ordinals: number[] = []
  for (let at = 0; at < value.length; ) {
    let number = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = value[at++] ?? 0
      number |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    ordinals.push(number)
  }
  return ordinals
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
