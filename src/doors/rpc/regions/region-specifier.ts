import type { NamedRegion } from './named-region.ts'

/** A region's name as a client sends it. */
export interface RegionSpecifier {
  /** True where the client calls the name an encoded one. */
  readonly isEncoded: boolean
  readonly name: Buffer
  /** The region of that name, once it has been looked up. */
  region?: NamedRegion | undefined
}

/** Most specifiers that are remembered, and most bytes of each name: a client may send names of any length. */
const KNOWN_MAX = 4096
const NAME_BYTES_MAX = 1024
/** Bytes at the end of a name that are hashed. They differ between regions: they are a part of an MD5 in hexadecimal digits. */
const HASHED_BYTES = 10

const known = new Map<number, RegionSpecifier>()

/**
 * The specifier of the name at buffer[start..]. A client asks for the same few regions again and again. Each is one object, found
 * without making a text or a view of its name, which took a twentieth of a get.
 */
export function specifierAt(
  buffer: Buffer,
  start: number,
  length: number,
  isEncoded: boolean,
): RegionSpecifier {
  if (length > NAME_BYTES_MAX) return { isEncoded, name: buffer.subarray(start, start + length) }
  const key = keyOf(buffer, start, length)
  const found = known.get(key)
  if (found?.isEncoded === isEncoded && isAt(found.name, buffer, start, length)) return found
  const name = Buffer.from(buffer.subarray(start, start + length))
  const made = { isEncoded, name, region: undefined }
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(key, made)
  return made
}

/** A hash of the name. Of names with the same key, only the last one is remembered. */
function keyOf(buffer: Buffer, start: number, length: number): number {
  const end = start + length
  let key = length
  for (let at = Math.max(start, end - HASHED_BYTES); at < end; at++) key = (key * 31 + buffer[at]!) | 0
  return key
}

function isAt(name: Buffer, buffer: Buffer, start: number, length: number): boolean {
  if (name.length !== length) return false
  // From the end, where names differ.
  for (let i = length - 1; i >= 0; i--) if (name[i] !== buffer[start + i]) return false
  return true
}
