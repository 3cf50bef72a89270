/** Cell sets from protobuf (idl/rest.proto). The set's bytes are the body itself. Throws CORRUPTION, and TOO_LARGE above the limits. */

import type { BinaryReader } from '@bufbuild/protobuf/wire'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import type { DecodeLimits } from '../text/decode-limits.ts'
import { CellInProgress, CellSet } from './cell-set.ts'
import { bytesSpan, bytesTag, int64Field, readMessage, varintTag } from './protobuf-reader.ts'

const ROW = bytesTag(1)
const ROW_KEY = bytesTag(1)
const ROW_CELL = bytesTag(2)
const CELL_COLUMN = bytesTag(2)
const CELL_TIMESTAMP = varintTag(3)
const CELL_VALUE = bytesTag(4)

export function decodeCellSetProtobuf(body: Buffer, limits: DecodeLimits): CellSet {
  const set = new CellSet(body, limits)
  const cell = new CellInProgress()
  readMessage(body, (tag, reader) => {
    if (tag !== ROW) return false
    readRow(reader, set, cell)
    return true
  })
  return set
}

function readRow(reader: BinaryReader, set: CellSet, cell: CellInProgress): void {
  let key = 0
  let keyLength = 0
  const row = bytesSpan(reader)
  readMessage(set.bytes.subarray(row.start, row.end), (tag, part) => {
    if (tag === ROW_KEY) {
      const span = bytesSpan(part)
      key = row.start + span.start
      keyLength = span.end - span.start
    } else if (tag === ROW_CELL) {
      readCell(part, row.start, set, cell)
    } else {
      return false
    }
    return true
  })
  set.endRow(key, keyLength)
}

/** `base`: the offset of the reader's bytes in the set's. */
function readCell(reader: BinaryReader, base: number, set: CellSet, cell: CellInProgress): void {
  const message = bytesSpan(reader)
  const start = base + message.start
  cell.columnLength = 0
  cell.valueLength = 0
  readMessage(set.bytes.subarray(start, base + message.end), (tag, part) => {
    if (tag === CELL_COLUMN || tag === CELL_VALUE) {
      const span = bytesSpan(part)
      if (tag === CELL_COLUMN) {
        cell.column = start + span.start
        cell.columnLength = span.end - span.start
      } else {
        cell.value = start + span.start
        cell.valueLength = span.end - span.start
      }
    } else if (tag === CELL_TIMESTAMP) {
      const timestamp = int64Field(part)
      cell.high = timestampHigh(timestamp)
      cell.low = timestampLow(timestamp)
    } else {
      return false
    }
    return true
  })
  cell.finish(set)
}
