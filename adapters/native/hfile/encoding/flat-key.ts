import { readInt32 } from '../../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES } from '../../../../src/model/cell.ts'

/** The timestamp and the type at a key's end. */
export const TIME_AND_TYPE_BYTES = 9

/** A KeyValue at buffer[cell] taken apart: where its parts begin, and how long they are. */
export class FlatKey {
  key = 0
  keyBytes = 0
  rowBytes = 0
  familyBytes = 0
  value = 0
  valueBytes = 0

  place(buffer: Buffer, cell: number): this {
    this.keyBytes = readInt32(buffer, cell)
    this.valueBytes = readInt32(buffer, cell + 4)
    this.key = cell + CELL_HEADER_BYTES
    this.rowBytes = (buffer[this.key]! << 8) | buffer[this.key + 1]!
    this.familyBytes = buffer[this.key + 2 + this.rowBytes]!
    this.value = this.key + this.keyBytes
    return this
  }

  /** Where the row's length and the row end. */
  get rowEnd(): number {
    return this.key + 2 + this.rowBytes
  }

  get qualifier(): number {
    return this.rowEnd + 1 + this.familyBytes
  }

  get time(): number {
    return this.value - TIME_AND_TYPE_BYTES
  }

  /** End of the KeyValue. */
  get end(): number {
    return this.value + this.valueBytes
  }
}

/**
 * Bytes that the keys have in common at their beginning, as HBase counts them: nothing behind a part that differs in its
 * length, and the timestamp and type only where they are asked for. HBase: PrivateCellUtil.findCommonPrefixInFlatKey.
 */
export function commonKeyBytes(buffer: Buffer, a: FlatKey, b: FlatKey, withTime: boolean): number {
  const [aKey, bKey] = [a.key, b.key]
  if (buffer[aKey] !== buffer[bKey]) return 0
  if (a.rowBytes !== b.rowBytes) return 1
  const rowEnd = 2 + a.rowBytes
  let common = 2
  while (common < rowEnd && buffer[aKey + common] === buffer[bKey + common]) common++
  if (common < rowEnd) return common
  // A file has one family.
  common += 1 + a.familyBytes
  const qualifierEnd = a.keyBytes - TIME_AND_TYPE_BYTES
  const least = Math.min(qualifierEnd, b.keyBytes - TIME_AND_TYPE_BYTES)
  while (common < least && buffer[aKey + common] === buffer[bKey + common]) common++
  if (!withTime || a.keyBytes !== b.keyBytes || common < qualifierEnd) return common
  while (common < a.keyBytes && buffer[aKey + common] === buffer[bKey + common]) common++
  return common
}
