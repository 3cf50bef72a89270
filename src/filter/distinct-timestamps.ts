/** The timestamps in ascending order, each once. HBase: the TreeSet of TimestampsFilter. */
export function distinctTimestamps(timestamps: Iterable<bigint>): bigint[] {
  return [...new Set(timestamps)].sort((a, b) => (a < b ? -1 : 1))
}
