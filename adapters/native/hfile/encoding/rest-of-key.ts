/** Row and qualifier in DIFF and FAST_DIFF: what follows the bytes in common; the family is that of the cell before. */

import type { ByteOutput } from '../byte-output.ts'
import type { EncodedInput } from './encoded-input.ts'
import type { FlatKey } from './flat-key.ts'

export function writeRestOfRowAndQualifier(
  source: Buffer,
  cell: FlatKey,
  common: number,
  output: ByteOutput,
): void {
  if (common < 2 + cell.rowBytes) {
    output.bytes(source, cell.key + common, cell.rowEnd)
    output.bytes(source, cell.qualifier, cell.time)
  } else {
    output.bytes(source, cell.key + common, cell.time)
  }
}

/** Writes the key's first `bytes` bytes, all before the timestamp, of which `common` are those of the cell before. */
export function decodeRowAndQualifier(
  input: EncodedInput,
  previous: FlatKey,
  common: number,
  bytes: number,
): void {
  const { target } = input
  const key = input.out
  const end = key + bytes
  if (common > previous.keyBytes) throw new Error('it repeats more than the cell before has')
  input.repeat(previous.key, common)
  if (common < 2 + previous.rowBytes) {
    if (common < 2) input.copy(2 - common)
    const rowEnd = key + 2 + ((target[key]! << 8) | target[key + 1]!)
    input.copy(rowEnd - input.out)
    input.repeat(previous.rowEnd, 1 + previous.familyBytes)
  }
  input.copy(end - input.out)
}
