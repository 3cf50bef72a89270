import type { Steps } from './steps.ts'

/** Bytes that V8 takes for a small object, and for a member of one, roughly. */
const OBJECT_BYTES = 64
const MEMBER_BYTES = 8

/** The bytes of values that never change. */
const known = new WeakMap<object, number>()

export function noteHeldBytes(value: object, bytes: number): void {
  known.set(value, bytes)
}

/** About the memory that a plain value takes, such as a query with its filter, in bytes. */
export function heldBytes(value: unknown): number {
  if (typeof value === 'string') return OBJECT_BYTES + value.length
  if (value === null || typeof value !== 'object') return MEMBER_BYTES
  if (Buffer.isBuffer(value)) return OBJECT_BYTES + value.length
  const noted = known.get(value)
  if (noted !== undefined) return noted
  let bytes = OBJECT_BYTES
  if (value instanceof Map) {
    for (const [key, member] of value) bytes += heldBytes(key) + heldBytes(member)
    return bytes
  }
  for (const member of Object.values(value)) bytes += MEMBER_BYTES + heldBytes(member)
  return bytes
}

/** Members that a step counts. */
const STEP_MEMBERS = 512

/** As heldBytes. */
export function* heldBytesInSteps(value: object): Steps<number> {
  const left: unknown[] = [value]
  let bytes = 0
  for (let count = 1; left.length > 0; count++) {
    const next = left.pop()
    if (count % STEP_MEMBERS === 0) yield
    if (next === null || typeof next !== 'object' || Buffer.isBuffer(next) || next instanceof Map) {
      bytes += heldBytes(next)
    } else {
      const members: unknown[] = Array.isArray(next) ? next : Object.values(next)
      bytes += OBJECT_BYTES + MEMBER_BYTES * members.length
      for (const member of members) {
        if (++count % STEP_MEMBERS === 0) yield
        left.push(member)
      }
    }
  }
  return bytes
}
