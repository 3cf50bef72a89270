/** The value with bytes of its own, however deep they lie in it: for what outlives the request that brought it. */
export function detached<Value>(value: Value): Value {
  return copyOf(value) as Value
}

function copyOf(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return Buffer.from(value)
  if (Array.isArray(value)) return value.map(copyOf)
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, copyOf(member)]))
  const isPlain =
    value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  // Instances of classes, as time ranges, hold no bytes.
  if (!isPlain) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]))
}
