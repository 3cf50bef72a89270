import fc from 'fast-check'
import type { CellParts } from '../../src/model/cell.ts'
import { CellType } from '../../src/model/cell.ts'

/** fast-check draws and keeps a number for each byte: of buffers that may be longer it draws length and seed. */
const DRAWN_BYTES_MAX = 1000

export function anyBytes(minLength: number, maxLength: number): fc.Arbitrary<Buffer> {
  if (maxLength > DRAWN_BYTES_MAX) {
    const length = fc.integer({ min: minLength, max: maxLength })
    return fc.tuple(length, fc.nat()).map(([length, seed]) => seededBytes(length, seed))
  }
  return fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes))
}

/** Bytes without a pattern, by Marsaglia's xorshift; zeros for the seed 0. */
function seededBytes(length: number, seed: number): Buffer {
  const words = new Int32Array(Math.ceil(length / 4))
  let state = seed
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[i] = state
  }
  return Buffer.from(words.buffer, 0, length)
}

/** Any int64; the extremes and the neighbours of 2^32 and 2^53 come often. */
export const anyTimestamp: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 1n, -1n, 2n ** 32n, 2n ** 32n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)),
)

/** Cells of few rows, families and qualifiers, so that they collide. */
export const anyCell: fc.Arbitrary<CellParts> = fc.record({
  row: fc.oneof(
    fc.constantFrom('a', 'ab', 'b').map((text) => Buffer.from(text)),
    anyBytes(1, 80),
  ),
  family: fc.oneof(
    fc.constantFrom('f', 'g', 'fg').map((text) => Buffer.from(text)),
    anyBytes(1, 5),
  ),
  qualifier: fc.oneof(
    fc.constantFrom('', 'q', 'qq').map((text) => Buffer.from(text)),
    anyBytes(0, 80),
  ),
  timestamp: anyTimestamp,
  type: fc.constantFrom(
    CellType.Put,
    CellType.Delete,
    CellType.DeleteColumn,
    CellType.DeleteFamily,
    CellType.DeleteFamilyVersion,
  ),
  value: anyBytes(0, 40),
})
