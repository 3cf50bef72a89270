/**
 * The order of a Java HashMap's entries.
 * QUIRK rest-schema-read-read-schema: HBase prints attributes and properties in that order.
 */

/** A map's hash of its keys and its first capacity, which doubles when the map is three quarters full. */
export interface JavaMap {
  /** The hash of no bytes: 1 for HBase's Bytes, 0 for a String (of ASCII). */
  readonly seed: 0 | 1
  readonly capacity: number
}

/** The attributes of a ColumnFamilyDescriptor, whose map once held more than it shows. */
export const FAMILY_ATTRIBUTES: JavaMap = { seed: 1, capacity: 32 }
/** The attributes of a TableDescriptor. */
export const TABLE_ATTRIBUTES: JavaMap = { seed: 1, capacity: 16 }
/** The properties of a NamespacesInstanceModel. */
export const NAMESPACE_PROPERTIES: JavaMap = { seed: 0, capacity: 16 }

function bucketOf(key: string, seed: number, capacity: number): number {
  let hash = seed
  for (const byte of Buffer.from(key)) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0
  return (hash ^ (hash >>> 16)) & (capacity - 1)
}

/** Sorts entries as the map lists them if they were put into it in the given order. */
export function javaHashOrder<Value>(
  entries: Iterable<readonly [string, Value]>,
  map: JavaMap,
): (readonly [string, Value])[] {
  const all = [...entries]
  let { capacity } = map
  while (all.length > capacity * 0.75) capacity *= 2
  const buckets = new Map(all.map(([key]) => [key, bucketOf(key, map.seed, capacity)]))
  return all.sort(([a], [b]) => buckets.get(a)! - buckets.get(b)!)
}
