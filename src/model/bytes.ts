/**
 * Byte strings: how HBase compares them and reads integers from them.
 *
 * Everything here takes Buffers only: one hidden class keeps V8's feedback monomorphic, which is worth a factor of two
 * and more where these functions are hot.
 */

export const EMPTY: Buffer = Buffer.alloc(0)

/** Above this length the native comparison beats the loop. */
const NATIVE_COMPARE_LENGTH = 64

/** Unsigned, lexicographic; a prefix sorts before what it begins. Negative, zero or positive. */
export function compareRange(
  a: Buffer,
  aStart: number,
  aLength: number,
  b: Buffer,
  bStart: number,
  bLength: number,
): number {
  const common = aLength < bLength ? aLength : bLength
  if (common > NATIVE_COMPARE_LENGTH) {
    const order = a.compare(b, bStart, bStart + common, aStart, aStart + common)
    return order !== 0 ? order : aLength - bLength
  }
  for (let i = 0; i < common; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!
    if (difference !== 0) return difference
  }
  return aLength - bLength
}

export function compareBytes(a: Buffer, b: Buffer): number {
  return compareRange(a, 0, a.length, b, 0, b.length)
}

export function equalRange(
  a: Buffer,
  aStart: number,
  aLength: number,
  b: Buffer,
  bStart: number,
  bLength: number,
): boolean {
  return aLength === bLength && compareRange(a, aStart, aLength, b, bStart, bLength) === 0
}

/** Big-endian, signed. */
export function readInt32(buffer: Buffer, offset: number): number {
  return (
    (buffer[offset]! << 24) | (buffer[offset + 1]! << 16) | (buffer[offset + 2]! << 8) | buffer[offset + 3]!
  )
}

/** Big-endian; the low 32 bits of `value`. */
export function writeInt32(buffer: Buffer, offset: number, value: number): void {
  buffer[offset] = value >>> 24
  buffer[offset + 1] = value >>> 16
  buffer[offset + 2] = value >>> 8
  buffer[offset + 3] = value
}

/** Up to this length a loop beats Buffer.copy. */
const LOOP_BYTES_MAX = 64

/** Copies all of `source`, which has no view; returns the offset after it. */
export function copyBytes(source: Buffer, target: Buffer, offset: number): number {
  const { length } = source
  if (length > LOOP_BYTES_MAX) source.copy(target, offset)
  else for (let i = 0; i < length; i++) target[offset + i] = source[i]!
  return offset + length
}

/**
 * The first row after every row that begins with `prefix`, or EMPTY (the end of the table) where there is none, as for
 * a prefix of 0xff bytes. HBase: ClientUtil.calculateTheClosestNextRowKeyForPrefix.
 */
export function rowAfterPrefix(prefix: Buffer): Buffer {
  let length = prefix.length
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return EMPTY
  const after = Buffer.from(prefix.subarray(0, length))
  after[length - 1]! += 1
  return after
}

const BACKSLASH = 0x5c
const HEX_DIGITS = Buffer.from('0123456789ABCDEF', 'latin1')
/** Shorter ones are the usual rows and columns: a text of theirs costs less than a buffer. */
const SHORT_BYTES = 256
/** Bytes whose text is made at a time. */
const PART_BYTES = 64 * 1024
/** The text of a byte that is not printable. */
const ESCAPED_BYTES = 4

/** HBase's Bytes.toStringBinary: printable ASCII as it is, every other byte (and the backslash) as \xHH. */
export function toStringBinary(bytes: Buffer): string {
  if (bytes.length > SHORT_BYTES) return toLongStringBinary(bytes)
  let text = ''
  for (const byte of bytes) {
    text += isPrintable(byte)
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return text
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte <= 0x7e && byte !== BACKSLASH
}

function toLongStringBinary(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(Math.min(bytes.length, PART_BYTES) * ESCAPED_BYTES)
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += PART_BYTES) {
    const to = Math.min(from + PART_BYTES, bytes.length)
    let at = 0
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!
      if (isPrintable(byte)) out[at++] = byte
      else {
        out[at] = BACKSLASH
        out[at + 1] = 0x78
        out[at + 2] = HEX_DIGITS[byte >>> 4]!
        out[at + 3] = HEX_DIGITS[byte & 0x0f]!
        at += ESCAPED_BYTES
      }
    }
    parts.push(out.toString('latin1', 0, at))
  }
  return parts.join('')
}

/** Bytes of a row, key or name that an error prints: a request may cause thousands of errors, of 32767 bytes of a row each. */
export const ABBREVIATED_BYTES = 128
/** The last bytes among them: a region's name ends with its id. */
const LAST_BYTES = 40

/** As toStringBinary, for errors: of what is long, the begin and the end. */
export function abbreviated(bytes: Buffer): string {
  const { length } = bytes
  if (length <= ABBREVIATED_BYTES) return toStringBinary(bytes)
  const begin = toStringBinary(bytes.subarray(0, ABBREVIATED_BYTES - LAST_BYTES))
  return `${begin}...${toStringBinary(bytes.subarray(length - LAST_BYTES))} (${length} bytes)`
}
