/**
 * ROW_INDEX_V1: plain cells, then `rowCount i32 | offset of each row's first cell i32... | bytes of the cells i32`. HBase
 * searches rows by it; Tidegate makes an index of all cells anyway. HBase: RowIndexEncoderV1, RowIndexSeekerV1.
 */

import { equalRange, readInt32 } from '../../../../src/model/bytes.ts'
import type { ByteOutput } from '../byte-output.ts'
import { vlongBytes } from '../vlong.ts'
import type { BlockEncoding, EncodedLayout } from './block-encoding.ts'
import { FlatKey } from './flat-key.ts'

export const ROW_INDEX_ENCODING: BlockEncoding = {
  name: 'ROW_INDEX_V1',
  id: 7,
  rowBytes: 4,
  encode,
  plainBytes,
  decode(source, start, end, _layout, target) {
    source.copy(target, 0, start, start + plainBytes(source, start, end))
  },
}

function encode(source: Buffer, start: number, end: number, layout: EncodedLayout, output: ByteOutput): void {
  output.bytes(source, start, end)
  const count = output.length
  output.int32(0)
  let [previous, cell] = [new FlatKey(), new FlatKey()]
  for (let at = start; at < end; ) {
    cell.place(source, at)
    const rowBytes = 2 + cell.rowBytes
    if (at === start || !equalRange(source, cell.key, rowBytes, source, previous.key, 2 + previous.rowBytes))
      output.int32(at - start)
    at = cell.end
    if (layout.tags) at += 2 + ((source[at]! << 8) | source[at + 1]!)
    if (layout.sequenceId) at += vlongBytes(source[at]!)
    ;[previous, cell] = [cell, previous]
  }
  output.buffer.writeInt32BE((output.length - count - 4) / 4, count)
  output.int32(end - start)
}

/** Throws an Error unless cells, count, offsets and length fill the block. */
function plainBytes(source: Buffer, start: number, end: number): number {
  const bytes = end - start < 8 ? -1 : readInt32(source, end - 4)
  if (bytes < 0 || bytes > end - start - 8) throw new Error(`it claims ${bytes} bytes of cells`)
  const rows = readInt32(source, start + bytes)
  if (bytes + 8 + rows * 4 !== end - start) throw new Error(`it claims ${rows} rows`)
  return bytes
}
