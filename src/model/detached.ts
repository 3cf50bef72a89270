import { heldBytesInSteps, noteHeldBytes } from './held-bytes.ts'
import type { Steps } from './steps.ts'

/** Objects that share no memory with any request. */
const own = new WeakSet<object>()

/**
 * Says of a large value that is never changed that it shares no memory with the request that brought it: `detached` returns it as it is, and
 * heldBytes does not walk through it again.
 */
export function* asDetached<Value>(value: Value): Steps<Value> {
  if (value === null || typeof value !== 'object') return value
  noteHeldBytes(value, yield* heldBytesInSteps(value))
  own.add(value)
  return value
}

/** Copies the value with all bytes in it, for values that outlive the request that brought them. */
export function detached<Value>(value: Value): Value {
  return copyOf(value) as Value
}

function copyOf(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return Buffer.from(value)
  if (Array.isArray(value)) return own.has(value) ? value : value.map(copyOf)
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, copyOf(member)]))
  const isPlain =
    value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  // Instances of classes, such as time ranges, hold no bytes.
  if (!isPlain || own.has(value)) return value
  // A spread has the shape of what it copies; an object made of entries would be a slow dictionary.
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) copy[key] = copyOf(copy[key])
  return copy
}
