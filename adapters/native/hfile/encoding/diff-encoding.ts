/**
 * DIFF: `plainBytes i32 | familyBytes i8 | family`, then for each cell
 *
 *     flags | keyBytes varint? | valueBytes varint? | common varint | rest of the row | rest of the qualifier
 *     | timestamp, or how much it is less than the one before | type? | value
 *
 * and its tags and sequence id. What is left out is as in the cell before. The timestamp or difference is an absolute value of
 * one to eight bytes, the lowest first; its sign is a flag. HBase: DiffKeyDeltaEncoder.
 */

import { readInt32 } from '../../../../src/model/bytes.ts'
import type { ByteOutput } from '../byte-output.ts'
import type { BlockEncoding, EncodedLayout } from './block-encoding.ts'
import { CellTail } from './cell-tail.ts'
import { EncodedInput } from './encoded-input.ts'
import { commonKeyBytes, FlatKey, TIME_AND_TYPE_BYTES } from './flat-key.ts'
import { Int64 } from './int64.ts'
import { PLAIN_LENGTH_BYTES, statedPlainBytes } from './prefix-encoding.ts'
import { decodeRowAndQualifier, writeRestOfRowAndQualifier } from './rest-of-key.ts'
import { writeVarint } from './varint.ts'

/** PERSISTED: never renumber. Bits 4 to 6: the number of bytes of the timestamp or difference, less one. */
const Flag = {
  SameKeyBytes: 1,
  SameValueBytes: 2,
  SameType: 4,
  TimeIsDifference: 8,
  TimeIsNegative: 128,
} as const
const TIME_BYTES_SHIFT = 4

export const DIFF_ENCODING: BlockEncoding = {
  name: 'DIFF',
  id: 3,
  rowBytes: 0,
  encode,
  plainBytes: statedPlainBytes,
  decode,
}

function encode(source: Buffer, start: number, end: number, layout: EncodedLayout, output: ByteOutput): void {
  output.int32(end - start)
  const tail = new CellTail(layout)
  const time = new Int64()
  const difference = new Int64()
  let [previous, cell] = [new FlatKey(), new FlatKey()]
  for (let at = start; at < end; ) {
    cell.place(source, at)
    const isFirst = at === start
    if (isFirst) output.bytes(source, cell.rowEnd, cell.qualifier)
    encodeCell(source, cell, isFirst ? undefined : previous, output, time, difference)
    at = tail.write(source, cell.end, output)
    ;[previous, cell] = [cell, previous]
  }
}

function encodeCell(
  source: Buffer,
  cell: FlatKey,
  previous: FlatKey | undefined,
  output: ByteOutput,
  time: Int64,
  difference: Int64,
): void {
  let flags = 0
  let common = 0
  time.set(readInt32(source, cell.time), readInt32(source, cell.time + 4))
  let written = time
  if (previous !== undefined) {
    common = commonKeyBytes(source, cell, previous, false)
    if (cell.keyBytes === previous.keyBytes) flags |= Flag.SameKeyBytes
    if (cell.valueBytes === previous.valueBytes) flags |= Flag.SameValueBytes
    if (source[cell.time + 8] === source[previous.time + 8]) flags |= Flag.SameType
    difference.set(readInt32(source, previous.time), readInt32(source, previous.time + 4))
    difference.subtract(time)
  }
  let isNegative = time.makeAbsolute()
  if (previous !== undefined) {
    const isDifferenceNegative = difference.makeAbsolute()
    if (difference.bytes < time.bytes) {
      flags |= Flag.TimeIsDifference
      written = difference
      isNegative = isDifferenceNegative
    }
  }
  if (isNegative) flags |= Flag.TimeIsNegative
  flags |= (written.bytes - 1) << TIME_BYTES_SHIFT
  output.reserve(1)
  output.buffer[output.length++] = flags
  if ((flags & Flag.SameKeyBytes) === 0) writeVarint(output, cell.keyBytes)
  if ((flags & Flag.SameValueBytes) === 0) writeVarint(output, cell.valueBytes)
  writeVarint(output, common)
  writeRestOfRowAndQualifier(source, cell, common, output)
  output.reserve(8)
  output.length = written.writeTo(output.buffer, output.length)
  if ((flags & Flag.SameType) === 0) output.bytes(source, cell.time + 8, cell.time + 9)
  output.bytes(source, cell.value, cell.end)
}

function decode(source: Buffer, start: number, end: number, layout: EncodedLayout, target: Buffer): void {
  const plain = statedPlainBytes(source, start, end)
  const input = new EncodedInput(source, start + PLAIN_LENGTH_BYTES, end, target, plain)
  const family = input.at
  input.at = family + 1 + input.byte()
  if (input.at > end) throw new Error('it ends within the family')
  const tail = new CellTail(layout)
  const time = new Int64()
  let [previous, cell] = [new FlatKey(), new FlatKey()]
  let isFirst = true
  while (input.at < end) {
    const at = input.out
    decodeCell(input, isFirst ? undefined : previous, family, time)
    cell.place(target, at)
    tail.read(input)
    ;[previous, cell] = [cell, previous]
    isFirst = false
  }
  input.finish()
}

/** `time`: the timestamp of the cell before, and then of this one. */
function decodeCell(input: EncodedInput, previous: FlatKey | undefined, family: number, time: Int64): void {
  const flags = input.byte()
  const keyBytes = previous && flags & Flag.SameKeyBytes ? previous.keyBytes : input.varint()
  const valueBytes = previous && flags & Flag.SameValueBytes ? previous.valueBytes : input.varint()
  const common = input.varint()
  input.putInt32(keyBytes)
  input.putInt32(valueBytes)
  const bytes = keyBytes - TIME_AND_TYPE_BYTES
  if (previous === undefined) decodeFirstKey(input, family, bytes)
  else decodeRowAndQualifier(input, previous, common, bytes)
  const timeBytes = ((flags >> TIME_BYTES_SHIFT) & 7) + 1
  time.read(input, timeBytes, (flags & Flag.TimeIsNegative) !== 0, (flags & Flag.TimeIsDifference) !== 0)
  input.putInt32(time.high)
  input.putInt32(time.low)
  if (previous && flags & Flag.SameType) input.repeat(previous.time + 8, 1)
  else input.copy(1)
  input.copy(valueBytes)
}

/** The first row and qualifier stand there whole, the family before them. */
function decodeFirstKey(input: EncodedInput, family: number, bytes: number): void {
  const { target, source } = input
  const key = input.out
  input.copy(2)
  input.copy((target[key]! << 8) | target[key + 1]!)
  const familyEnd = family + 1 + source[family]!
  for (let at = family; at < familyEnd; at++) input.put(source[at]!)
  input.copy(key + bytes - input.out)
}
