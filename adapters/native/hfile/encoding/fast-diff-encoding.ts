/**
 * FAST_DIFF: `plainBytes i32`, then for each cell
 *
 *     flags | keyBytes varint? | valueBytes varint? | common varint | rest of the row | rest of the qualifier
 *     | rest of the timestamp | type? | value?
 *
 * and its tags and sequence id. What is left out is as in the cell before; the family is in the first cell of a block only.
 * HBase: FastDiffDeltaEncoder.
 */

import { equalRange } from '../../../../src/model/bytes.ts'
import type { ByteOutput } from '../byte-output.ts'
import type { BlockEncoding, EncodedLayout } from './block-encoding.ts'
import { CellTail } from './cell-tail.ts'
import { EncodedInput } from './encoded-input.ts'
import { commonKeyBytes, FlatKey, TIME_AND_TYPE_BYTES } from './flat-key.ts'
import { PLAIN_LENGTH_BYTES, statedPlainBytes } from './prefix-encoding.ts'
import { decodeRowAndQualifier, writeRestOfRowAndQualifier } from './rest-of-key.ts'
import { writeVarint } from './varint.ts'

/** PERSISTED: never renumber. The lowest three bits: bytes that the timestamps have in common, at most 7. */
const Flag = { TimeBytes: 7, SameKeyBytes: 8, SameValueBytes: 16, SameType: 32, SameValue: 64 } as const

export const FAST_DIFF_ENCODING: BlockEncoding = {
  name: 'FAST_DIFF',
  id: 4,
  rowBytes: 0,
  encode,
  plainBytes: statedPlainBytes,
  decode,
}

function encode(source: Buffer, start: number, end: number, layout: EncodedLayout, output: ByteOutput): void {
  output.int32(end - start)
  const tail = new CellTail(layout)
  let [previous, cell] = [new FlatKey(), new FlatKey()]
  for (let at = start; at < end; ) {
    cell.place(source, at)
    if (at === start) encodeFirst(source, cell, output)
    else encodeCell(source, cell, previous, output)
    at = tail.write(source, cell.end, output)
    ;[previous, cell] = [cell, previous]
  }
}

function encodeFirst(source: Buffer, cell: FlatKey, output: ByteOutput): void {
  writeVarint(output, 0)
  writeVarint(output, cell.keyBytes)
  writeVarint(output, cell.valueBytes)
  writeVarint(output, 0)
  output.bytes(source, cell.key, cell.end)
}

function encodeCell(source: Buffer, cell: FlatKey, previous: FlatKey, output: ByteOutput): void {
  const common = commonKeyBytes(source, cell, previous, false)
  const { time } = cell
  let commonTime = 0
  while (commonTime < 7 && source[time + commonTime] === source[previous.time + commonTime]) commonTime++
  let flags: number = commonTime
  if (cell.keyBytes === previous.keyBytes) flags |= Flag.SameKeyBytes
  if (cell.valueBytes === previous.valueBytes) flags |= Flag.SameValueBytes
  if (source[time + 8] === source[previous.time + 8]) flags |= Flag.SameType
  if (equalRange(source, cell.value, cell.valueBytes, source, previous.value, previous.valueBytes))
    flags |= Flag.SameValue
  output.reserve(1)
  output.buffer[output.length++] = flags
  if ((flags & Flag.SameKeyBytes) === 0) writeVarint(output, cell.keyBytes)
  if ((flags & Flag.SameValueBytes) === 0) writeVarint(output, cell.valueBytes)
  writeVarint(output, common)
  writeRestOfRowAndQualifier(source, cell, common, output)
  output.bytes(source, time + commonTime, time + 8)
  if ((flags & Flag.SameType) === 0) output.bytes(source, time + 8, time + 9)
  if ((flags & Flag.SameValue) === 0) output.bytes(source, cell.value, cell.end)
}

function decode(source: Buffer, start: number, end: number, layout: EncodedLayout, target: Buffer): void {
  const plain = statedPlainBytes(source, start, end)
  const input = new EncodedInput(source, start + PLAIN_LENGTH_BYTES, end, target, plain)
  const tail = new CellTail(layout)
  let [previous, cell] = [new FlatKey(), new FlatKey()]
  let isFirst = true
  while (input.at < end) {
    const at = input.out
    if (isFirst) decodeFirst(input)
    else decodeCell(input, previous)
    cell.place(target, at)
    tail.read(input)
    ;[previous, cell] = [cell, previous]
    isFirst = false
  }
  input.finish()
}

function decodeFirst(input: EncodedInput): void {
  input.byte()
  const keyBytes = input.varint()
  const valueBytes = input.varint()
  input.varint()
  input.putInt32(keyBytes)
  input.putInt32(valueBytes)
  input.copy(keyBytes)
  input.copy(valueBytes)
}

function decodeCell(input: EncodedInput, previous: FlatKey): void {
  const flags = input.byte()
  const keyBytes = flags & Flag.SameKeyBytes ? previous.keyBytes : input.varint()
  const valueBytes = flags & Flag.SameValueBytes ? previous.valueBytes : input.varint()
  const common = input.varint()
  input.putInt32(keyBytes)
  input.putInt32(valueBytes)
  decodeRowAndQualifier(input, previous, common, keyBytes - TIME_AND_TYPE_BYTES)
  const commonTime = flags & Flag.TimeBytes
  input.repeat(previous.time, commonTime)
  input.copy(8 - commonTime)
  if (flags & Flag.SameType) input.repeat(previous.time + 8, 1)
  else input.copy(1)
  if (flags & Flag.SameValue) input.repeat(previous.value, valueBytes)
  else input.copy(valueBytes)
}
