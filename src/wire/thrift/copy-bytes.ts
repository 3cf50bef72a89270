/** Up to this length a loop beats Buffer.copy, which costs some 90 ns at any length. */
const LOOP_BYTES_MAX = 32

/** Copies `length` bytes; returns the offset after them. */
export function copyBytes(
  source: Buffer,
  start: number,
  length: number,
  target: Buffer,
  offset: number,
): number {
  if (length > LOOP_BYTES_MAX) source.copy(target, offset, start, start + length)
  else for (let i = 0; i < length; i++) target[offset + i] = source[start + i]!
  return offset + length
}
