/** Protobuf varints in Buffers. 64-bit ones are two int32 halves, so that no bigint is made for a timestamp. */

export function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++
  return bytes
}

/** Returns the offset after the number. */
export function writeVarint(target: Buffer, at: number, value: number): number {
  let rest = value >>> 0
  while (rest > 0x7f) {
    target[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  target[at++] = rest
  return at
}

export function varint64Bytes(high: number, low: number): number {
  if (high === 0) return varintBytes(low)
  let bytes = 5
  for (let rest = high >>> 3; rest > 0; rest >>>= 7) bytes++
  return bytes
}

/** Returns the offset after the number. A negative one takes ten bytes. */
export function writeVarint64(target: Buffer, at: number, high: number, low: number): number {
  if (high === 0) return writeVarint(target, at, low)
  target[at++] = (low & 0x7f) | 0x80
  target[at++] = ((low >>> 7) & 0x7f) | 0x80
  target[at++] = ((low >>> 14) & 0x7f) | 0x80
  target[at++] = ((low >>> 21) & 0x7f) | 0x80
  const middle = (low >>> 28) | ((high & 7) << 4)
  const upper = high >>> 3
  if (upper === 0) {
    target[at++] = middle
    return at
  }
  target[at++] = middle | 0x80
  return writeVarint(target, at, upper)
}
