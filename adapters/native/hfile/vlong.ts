/**
 * Hadoop's variable-length integers (WritableUtils.writeVLong): -112..127 is one byte; otherwise the first byte states the
 * sign and the number of bytes after it, which are big-endian. Numbers here are safe integers: sequence ids, lengths.
 */

/** At most one byte of length and eight of value. */
export const VLONG_BYTES_MAX = 9

/** Writes at `offset`, returns the offset after it. `value` is not negative. */
export function writeVLong(target: Buffer, offset: number, value: number): number {
  if (value <= 127) {
    target[offset] = value
    return offset + 1
  }
  const bytes = magnitudeBytes(value)
  target[offset] = -112 - bytes
  for (let i = bytes; i > 0; i--) {
    target[offset + i] = value
    value = Math.floor(value / 256)
  }
  return offset + 1 + bytes
}

/** Bytes of the whole encoding that begins with `first`. */
export function vlongBytes(first: number): number {
  const signed = (first << 24) >> 24
  if (signed >= -112) return 1
  return signed < -120 ? -119 - signed : -111 - signed
}

/** The value at `offset`; the buffer must hold all its bytes. Exact for safe integers. */
export function readVLong(source: Buffer, offset: number): number {
  const first = (source[offset]! << 24) >> 24
  if (first >= -112) return first
  const bytes = vlongBytes(source[offset]!)
  let value = 0
  for (let i = 1; i < bytes; i++) value = value * 256 + source[offset + i]!
  return first < -120 ? -1 - value : value
}

export function vlongBytesNeeded(value: number): number {
  return value <= 127 ? 1 : 1 + magnitudeBytes(value)
}

function magnitudeBytes(value: number): number {
  let bytes = 1
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) bytes++
  return bytes
}
