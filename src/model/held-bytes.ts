/** What V8 takes for a small object, and for a member of one: some bytes more or less. */
const OBJECT_BYTES = 64
const MEMBER_BYTES = 8

/** About the memory that a plain value takes, such as a query with its filter, in bytes. */
export function heldBytes(value: unknown): number {
  if (typeof value === 'string') return OBJECT_BYTES + value.length
  if (value === null || typeof value !== 'object') return MEMBER_BYTES
  if (Buffer.isBuffer(value)) return OBJECT_BYTES + value.length
  let bytes = OBJECT_BYTES
  if (value instanceof Map) {
    for (const [key, member] of value) bytes += heldBytes(key) + heldBytes(member)
    return bytes
  }
  for (const member of Object.values(value)) bytes += MEMBER_BYTES + heldBytes(member)
  return bytes
}
