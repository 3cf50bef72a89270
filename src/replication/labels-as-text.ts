/**
 * Visibility tags name labels by ordinals, which differ between clusters. A peer gets the expression as text, in a tag of the type 7, and its own
 * ordinals are put in there. HBase: VisibilityReplicationEndpoint, DefaultVisibilityLabelServiceImpl.encodeVisibilityForReplication.
 */

import { CELL_PREFIX_BYTES, CellBlock, CellCursor, cellsOf, TAGS_LENGTH_BYTES } from '../model/cell-block.ts'
import { hasTag, TagCursor, TagType, tag, tagValues } from '../model/cell-tags.ts'
import { isHBaseError } from '../model/errors.ts'
import { LABEL_QUALIFIER, LABELS_FAMILY, LABELS_TABLE, ordinalOfRow } from '../model/label-rows.ts'
import { ColumnsBuilder, scan } from '../model/query.ts'
import { gathered } from '../model/results.ts'
import { ordinalsOf } from '../model/visibility.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'

const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }
const LABELS = new ColumnsBuilder().addColumn(LABELS_FAMILY, LABEL_QUALIFIER).build()

export type LabelNames = ReadonlyMap<number, string>

/** All labels by ordinal; none where the store has no labels. */
export async function readLabels(
  { rows, handouts }: Pick<Store, 'rows' | 'handouts'>,
  call: Call,
): Promise<LabelNames> {
  const labels = new Map<number, string>()
  let id: number | undefined
  try {
    ;({ id } = await rows.openScanner(LABELS_TABLE, scan({ columns: LABELS }), call))
    for (let ended = 'batch'; ended !== 'scan'; ) {
      const batch = await handouts.next(id, BATCH, call)
      ended = batch.ended
      for (const { row, value } of cellsOf(gathered(batch.results).cells)) {
        const ordinal = ordinalOfRow(row)
        if (ordinal !== undefined) labels.set(ordinal, value.toString())
      }
      if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
    }
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
  } finally {
    if (id !== undefined) await handouts.closeScanner(id)
  }
  return labels
}

export function hasLabels(block: CellBlock): boolean {
  const cursor = new CellCursor(block)
  while (cursor.next()) {
    if (
      cursor.tagsBytes > 0 &&
      hasTag(cursor.buffer, cursor.tagsOffset, cursor.tagsBytes, TagType.Visibility)
    )
      return true
  }
  return false
}

/** The ordinals of the labels in all expressions of the cells. */
export function labelsIn(block: CellBlock): number[] {
  const found = new Set<number>()
  const cursor = new CellCursor(block)
  while (cursor.next()) {
    if (cursor.tagsBytes === 0) continue
    for (const value of tagValues(cursor.tags, TagType.Visibility))
      for (const ordinal of ordinalsOf(value)) found.add(Math.abs(ordinal))
  }
  return [...found]
}

/** The cells with their expressions as text. A label that is not known, which was never given to anyone, is left out. */
export function labelsAsText(block: CellBlock, labels: LabelNames): CellBlock {
  const parts: Buffer[] = []
  const cursor = new CellCursor(block)
  for (let start = cursor.position; cursor.next(); start = cursor.position) {
    const { tags } = cursor
    parts.push(
      hasTag(tags, 0, tags.length, TagType.Visibility)
        ? cellWithTags(cursor, tagsAsText(tags, labels))
        : cursor.buffer.subarray(start, cursor.position),
    )
  }
  return new CellBlock(Buffer.concat(parts))
}

/** The cell with its length before it and the tags behind it. */
function cellWithTags({ buffer, cell, valueOffset, valueLength }: CellCursor, tags: Buffer): Buffer {
  const keyValue = buffer.subarray(cell, valueOffset + valueLength)
  const length = Buffer.alloc(CELL_PREFIX_BYTES)
  length.writeInt32BE(keyValue.length + TAGS_LENGTH_BYTES + tags.length)
  const tagsLength = Buffer.alloc(TAGS_LENGTH_BYTES)
  tagsLength.writeUInt16BE(tags.length)
  return Buffer.concat([length, keyValue, tagsLength, tags])
}

function tagsAsText(tags: Buffer, labels: LabelNames): Buffer {
  const others: Buffer[] = []
  const terms: string[] = []
  const cursor = new TagCursor(tags)
  while (cursor.next()) {
    if (cursor.type === TagType.Visibility) terms.push(termText(cursor.value, labels))
    else if (cursor.type !== TagType.VisibilityFormat) others.push(tags.subarray(cursor.start, cursor.end))
  }
  const text = terms.map((term) => `(${term})`).join('|')
  return Buffer.concat([...others, tag(TagType.VisibilityText, Buffer.from(text))])
}

function termText(value: Buffer, labels: LabelNames): string {
  return ordinalsOf(value)
    .flatMap((ordinal) => {
      const label = labels.get(Math.abs(ordinal))
      return label === undefined ? [] : `${ordinal < 0 ? '!' : ''}${quoted(label)}`
    })
    .join('&')
}

/** HBase: CellVisibility.quote. */
function quoted(label: string): string {
  return `"${label.replaceAll(/["\\]/g, '\\$&')}"`
}
