/** Up to this length a loop beats Buffer.copy. */
const LOOP_BYTES_MAX = 32

/** Copies all of `source`, where a view over it would not pay; returns the offset after it. */
export function copyBytes(source: Buffer, target: Buffer, offset: number): number {
  const { length } = source
  if (length > LOOP_BYTES_MAX) source.copy(target, offset)
  else for (let i = 0; i < length; i++) target[offset + i] = source[i]!
  return offset + length
}
