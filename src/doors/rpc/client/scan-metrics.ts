/** The rows that a scan has read and filtered, for clients that ask for them. HBase: ServerSideScanMetrics. */

import { CellCursor } from '../../../model/cell-block.ts'
import type { Results, ScanBatch } from '../../../model/results.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'

export interface RowCounts {
  readonly scanned: number
  readonly filtered: number
}

export const NO_ROWS: RowCounts = { scanned: 0, filtered: 0 }

/** `kept`: the batch's results that the client gets. `partialRow`: row of which an earlier batch had a part, if any. */
export function countRows(
  { results, partial, rowsSeen, rowsFiltered = 0, rowsUnread = 0 }: ScanBatch,
  kept: Results,
  partialRow: Buffer | undefined,
): RowCounts {
  const all = results.counts.length
  let shown = all - (partial?.slice(0, -1).filter(Boolean).length ?? 0)
  const goesOn = partialRow !== undefined && firstRow(kept)?.equals(partialRow) === true
  if (goesOn) shown--
  // A store counts a row once: when it begins to read it.
  const filtered = rowsSeen === undefined ? rowsFiltered : Math.max(0, rowsSeen - shown)
  // Results beyond the limit of rows count as not read.
  return { scanned: Math.max(0, shown + filtered - rowsUnread - (all - kept.counts.length)), filtered }
}

function firstRow({ cells }: Results): Buffer | undefined {
  const cursor = new CellCursor(cells)
  return cursor.next() ? cursor.parts().row : undefined
}

export function writeScanMetrics(writer: MessageWriter, { scanned, filtered }: RowCounts): void {
  const metrics = writer.begin(Field.ScanResponse.scanMetrics)
  writeCounter(writer, 'ROWS_SCANNED', scanned)
  writeCounter(writer, 'ROWS_FILTERED', filtered)
  writer.end(metrics)
}

function writeCounter(writer: MessageWriter, name: string, value: number): void {
  const pair = writer.begin(Field.ScanMetrics.metrics)
  writer.string(Field.NameInt64Pair.name, name)
  writer.int64(Field.NameInt64Pair.value, BigInt(value))
  writer.end(pair)
}
