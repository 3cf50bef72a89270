/** Java's hash codes, and the iteration order of Java's HashMap and HashSet. */

import { isList, JavaDouble, type TimelineValue } from './timeline-value.ts'

const DEFAULT_CAPACITY = 16

export function hashOfText(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0
  return hash
}

export function hashOfValue(value: TimelineValue): number {
  if (value === null) return 0
  if (typeof value === 'boolean') return value ? 1231 : 1237
  if (typeof value === 'string') return hashOfText(value)
  if (typeof value === 'number') return (value | 0) === value ? value : hashOfLong(BigInt(value))
  if (typeof value === 'bigint')
    return BigInt.asIntN(64, value) === value ? hashOfLong(value) : hashOfBigInteger(value)
  if (value instanceof JavaDouble) return hashOfDouble(value.value)
  if (isList(value))
    return value.reduce<number>((hash, each) => (Math.imul(31, hash) + hashOfValue(each)) | 0, 1)
  let sum = 0
  for (const [name, each] of value) sum = (sum + (hashOfText(name) ^ hashOfValue(each))) | 0
  return sum
}

function hashOfLong(value: bigint): number {
  return Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)))
}

function hashOfBigInteger(value: bigint): number {
  const words: number[] = []
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 32n)
    words.unshift(Number(BigInt.asUintN(32, rest)))
  const hash = words.reduce((sum, word) => (Math.imul(31, sum) + word) | 0, 0)
  return value < 0n ? -hash | 0 : hash
}

function hashOfDouble(value: number): number {
  const bits = Buffer.alloc(8)
  bits.writeDoubleBE(value)
  return bits.readInt32BE(0) ^ bits.readInt32BE(4)
}

/**
 * The items in the iteration order of a HashMap into which they were put in the given order. `capacity`: the map's initial capacity, which
 * doubles when the map is three quarters full.
 */
export function javaOrder<Item>(
  items: readonly Item[],
  hashOf: (item: Item) => number,
  capacity: number = DEFAULT_CAPACITY,
): Item[] {
  if (items.length < 2) return [...items]
  let buckets = 1
  while (buckets < capacity) buckets *= 2
  while (items.length > buckets * 0.75) buckets *= 2
  const placed = items.map((item) => {
    const hash = hashOf(item)
    return { item, bucket: (hash ^ (hash >>> 16)) & (buckets - 1) }
  })
  return placed.sort((a, b) => a.bucket - b.bucket).map(({ item }) => item)
}

/** The entries of a map with text keys, in the order of `javaOrder`. */
export function javaEntries<Value>(
  map: ReadonlyMap<string, Value>,
  capacity?: number,
): (readonly [string, Value])[] {
  return javaOrder([...map], ([name]) => hashOfText(name), capacity)
}
