import { readInt32 } from '../../../src/model/bytes.ts'

/**
 * The first twelve bytes of a row as three int32 that compare, signed, as the bytes do: short rows are padded with
 * zeros and each word has its top bit flipped. Rows with equal words must be compared in full.
 */
export class RowPrefix {
  word0 = 0
  word1 = 0
  word2 = 0

  /** The row of the KeyValue at buffer[cell]. */
  setToRowOf(buffer: Buffer, cell: number): void {
    const length = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
    const row = cell + 10
    if (length >= 12) {
      this.word0 = readInt32(buffer, row) ^ 0x8000_0000
      this.word1 = readInt32(buffer, row + 4) ^ 0x8000_0000
      this.word2 = readInt32(buffer, row + 8) ^ 0x8000_0000
    } else {
      this.word0 = paddedWord(buffer, row, length)
      this.word1 = paddedWord(buffer, row + 4, length - 4)
      this.word2 = paddedWord(buffer, row + 8, length - 8)
    }
  }
}

function paddedWord(buffer: Buffer, at: number, length: number): number {
  if (length >= 4) return readInt32(buffer, at) ^ 0x8000_0000
  let word = 0
  for (let i = 0; i < 4; i++) word = (word << 8) | (i < length ? buffer[at + i]! : 0)
  return word ^ 0x8000_0000
}
