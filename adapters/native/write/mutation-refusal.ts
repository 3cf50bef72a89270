import { compareBytes, EMPTY, readInt32 } from '../../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { noSuchColumnFamily } from '../../../src/model/table-description.ts'
import {
  compareTimestamps,
  LATEST_HIGH,
  LATEST_LOW,
  millisHigh,
  millisLow,
  timestampText,
} from '../../../src/model/timestamp.ts'
import { timestampTooNew } from '../../../src/model/timestamp-slop.ts'
import type { Region } from '../region/region.ts'

/**
 * The error for a mutation that is refused: for its first negative timestamp, else for the unknown family that is first in
 * byte order, else for the first timestamp after `newest`.
 */
export function mutationRefusal(
  region: Region,
  block: CellBlock,
  newest: number,
  slopMs: number,
): HBaseError {
  const cursor = new CellCursor(block)
  let unknown: Buffer | undefined
  let tooNew: CellParts | undefined
  while (cursor.next()) {
    if (isNegative(cursor)) return negativeTimestamp(cursor.timestampHigh, cursor.timestampLow)
    if (tooNew === undefined && isPutAfter(cursor, newest)) tooNew = cursor.parts()
    if (isOfWholeRow(cursor) || hasCellFamily(region, cursor)) continue
    const { buffer, familyOffset, familyLength } = cursor
    const family = buffer.subarray(familyOffset, familyOffset + familyLength)
    if (unknown === undefined || compareBytes(family, unknown) < 0) unknown = family
  }
  if (unknown === undefined && tooNew !== undefined) return timestampTooNew(tooNew, slopMs)
  return noSuchColumnFamily(unknown ?? EMPTY, region.name, region.table)
}

/** HBase's client refuses such a cell; its server would store the cell and no read would find it. */
export function negativeTimestamp(high: number, low: number): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', `Timestamp cannot be negative. ts=${timestampText(high, low)}`)
}

export function isNegative(cell: CellCursor): boolean {
  return cell.buffer[cell.timestampOffset]! >= 0x80
}

/** Whether it is a put with a timestamp of its own that is after this time. */
export function isPutAfter({ buffer, timestampOffset: at, type }: CellCursor, newest: number): boolean {
  const [high, low] = [readInt32(buffer, at), readInt32(buffer, at + 4)]
  if (type !== CellType.Put || (high === LATEST_HIGH && low === LATEST_LOW)) return false
  return compareTimestamps(high, low, millisHigh(newest), millisLow(newest)) > 0
}

export function hasCellFamily(region: Region, { buffer, familyOffset, familyLength }: CellCursor): boolean {
  return region.storeOf(buffer, familyOffset, familyLength) !== undefined
}

/** A tombstone of every family of the row. */
export function isOfWholeRow({ familyLength, type }: CellCursor): boolean {
  return familyLength === 0 && (type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion)
}
