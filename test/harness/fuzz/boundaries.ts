/** Numbers at the edges of what protocols can state, as bytes and as text. */

import type { SimRandom } from '../simulation/sim-random.ts'

const POWERS = [7n, 8n, 14n, 15n, 16n, 21n, 28n, 31n, 32n, 53n, 62n, 63n, 64n]

/** Zero, and the powers of two at which types end, each with its neighbours and their negatives. */
const EDGES: readonly bigint[] = [0n, ...POWERS.map((power) => 1n << power)].flatMap((edge) => [
  edge - 1n,
  edge,
  edge + 1n,
  -edge,
])

const TEXTS: readonly string[] = [
  ...EDGES.map(String),
  '00',
  '-0',
  '1.5',
  '1e400',
  '1E-400',
  'NaN',
  '9'.repeat(400),
  '',
]

const INTEGER_BYTES = [1, 2, 4, 8] as const
const VARINT_BYTES_MAX = 11

export function edgeText(random: SimRandom): string {
  return random.of(TEXTS)
}

/** An integer of one to eight bytes, of either byte order. */
export function edgeInteger(random: SimRandom): Buffer {
  const bytes = random.of(INTEGER_BYTES)
  const integer = Buffer.alloc(8)
  integer.writeBigInt64BE(BigInt.asIntN(64, random.of(EDGES)))
  const low = integer.subarray(8 - bytes)
  return random.chance(0.3) ? low.reverse() : low
}

/** A varint, now and then of more bytes than it needs or than any number has. */
export function edgeVarint(random: SimRandom): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, random.of(EDGES))
  do {
    bytes.push(Number(left & 0x7fn) | 0x80)
    left >>= 7n
  } while (left > 0n)
  if (random.chance(0.1)) while (bytes.length < VARINT_BYTES_MAX) bytes.push(0x80)
  bytes[bytes.length - 1]! &= 0x7f
  return Buffer.from(bytes)
}
