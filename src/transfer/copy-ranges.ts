/** The ranges of rows in which a table is copied, some side by side: one for each region that the source had when the copy began. */

import { compareBytes, EMPTY } from '../model/bytes.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import type { Part } from './raw-cells.ts'

export interface CopyRange {
  readonly startRow: Buffer
  /** EMPTY: to the last row; exclusive. */
  readonly stopRow: Buffer
  /** The last row that the destination has whole; undefined: none. */
  readonly row: Buffer | undefined
  readonly done: boolean
}

/** `after`: all rows up to this one are copied; undefined: none is. */
export async function plannedRanges(
  source: Pick<Store, 'catalog'>,
  table: TableName,
  { startRow: first, stopRow: last }: Pick<Part, 'startRow' | 'stopRow'>,
  after: Buffer | undefined,
  call: Call,
): Promise<CopyRange[]> {
  const regions = await source.catalog.regions(table, call)
  const ends = regions.map(({ endKey }) => endKey).filter((end) => end.length > 0)
  const ranges: CopyRange[] = []
  let startRow = first
  for (const end of [...ends.toSorted(compareBytes), EMPTY]) {
    const isLast = end.length === 0 || (last.length > 0 && compareBytes(end, last) >= 0)
    const stopRow = isLast ? last : end
    if (!isLast && compareBytes(end, startRow) <= 0) continue
    ranges.push(withProgress({ startRow, stopRow }, after))
    if (isLast) break
    startRow = stopRow
  }
  return ranges
}

function withProgress(
  { startRow, stopRow }: Pick<CopyRange, 'startRow' | 'stopRow'>,
  after: Buffer | undefined,
): CopyRange {
  if (after === undefined || compareBytes(after, startRow) < 0)
    return { startRow, stopRow, row: undefined, done: isEmptyRange(startRow, stopRow) }
  const isBehind = stopRow.length > 0 && compareBytes(after, stopRow) >= 0
  return { startRow, stopRow, row: after, done: isBehind }
}

/** The first row after this one. */
export function rowAfter(row: Buffer): Buffer {
  return Buffer.concat([row, Buffer.from([0])])
}

export function isEmptyRange(startRow: Buffer, stopRow: Buffer): boolean {
  return stopRow.length > 0 && compareBytes(startRow, stopRow) >= 0
}
