/**
 * The order in which a Java HashMap gives its entries back. HBase keeps the attributes of column families and the
 * properties of namespaces in such maps and prints them in their order; so do we.
 */

/** Java's default capacity; it doubles when the map is three quarters full. */
const CAPACITY = 16

/** `seed`: 1 for HBase's Bytes, 0 for a Java String (of ASCII). */
function bucketOf(key: string, seed: 0 | 1, capacity: number): number {
  let hash = seed as number
  for (const byte of Buffer.from(key)) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0
  return (hash ^ (hash >>> 16)) & (capacity - 1)
}

/** Sorts entries as a HashMap would give them that they were put into in the given order. */
export function javaHashOrder<Value>(
  entries: Iterable<readonly [string, Value]>,
  seed: 0 | 1,
): (readonly [string, Value])[] {
  const all = [...entries]
  let capacity = CAPACITY
  while (all.length > capacity * 0.75) capacity *= 2
  const buckets = new Map(all.map(([key]) => [key, bucketOf(key, seed, capacity)]))
  return all.sort(([a], [b]) => buckets.get(a)! - buckets.get(b)!)
}
