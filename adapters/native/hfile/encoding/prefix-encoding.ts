/**
 * PREFIX: `plainBytes i32`, then for each cell `restBytes varint | valueBytes varint | common varint | rest of the key |
 * value`, and its tags and sequence id. `common` bytes of the key are those of the cell before. HBase: PrefixKeyDeltaEncoder.
 */

import { readInt32 } from '../../../../src/model/bytes.ts'
import type { ByteOutput } from '../byte-output.ts'
import type { BlockEncoding, EncodedLayout } from './block-encoding.ts'
import { CellTail } from './cell-tail.ts'
import { EncodedInput } from './encoded-input.ts'
import { commonKeyBytes, FlatKey } from './flat-key.ts'
import { writeVarint } from './varint.ts'

/** Bytes of the length before the cells. */
export const PLAIN_LENGTH_BYTES = 4

/** The length that PREFIX, DIFF and FAST_DIFF begin with. Throws an Error. */
export function statedPlainBytes(source: Buffer, start: number, end: number): number {
  if (end - start < PLAIN_LENGTH_BYTES) throw new Error('it has no length')
  return readInt32(source, start)
}

export const PREFIX_ENCODING: BlockEncoding = {
  name: 'PREFIX',
  id: 2,
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
    const common = at === start ? 0 : commonKeyBytes(source, cell, previous, true)
    writeVarint(output, cell.keyBytes - common)
    writeVarint(output, cell.valueBytes)
    writeVarint(output, common)
    output.bytes(source, cell.key + common, cell.end)
    at = tail.write(source, cell.end, output)
    ;[previous, cell] = [cell, previous]
  }
}

function decode(source: Buffer, start: number, end: number, layout: EncodedLayout, target: Buffer): void {
  const plain = statedPlainBytes(source, start, end)
  const input = new EncodedInput(source, start + PLAIN_LENGTH_BYTES, end, target, plain)
  const tail = new CellTail(layout)
  let previousKey = 0
  while (input.at < end) {
    const restBytes = input.varint()
    const valueBytes = input.varint()
    const common = input.varint()
    input.putInt32(restBytes + common)
    input.putInt32(valueBytes)
    const key = input.out
    input.repeat(previousKey, common)
    input.copy(restBytes + valueBytes)
    tail.read(input)
    previousKey = key
  }
  input.finish()
}
