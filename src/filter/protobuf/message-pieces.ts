/** Parts of the bytes of a long message, each of which is a message itself: protobuf reads messages behind each other as one. */

import type { DescMessage } from '@bufbuild/protobuf'

/** About the bytes of a piece. */
const PIECE_BYTES = 16 * 1024
const VARINT_BYTES_MAX = 10
const LENGTH_DELIMITED = 2
const START_GROUP = 3
const END_GROUP = 4

/**
 * Cuts between fields, and between the numbers of a packed list of the schema. Bytes that are no fields are the last piece's, whose reader
 * refuses them.
 */
export function* piecesOfMessage(schema: DescMessage, bytes: Uint8Array): Generator<Uint8Array, void> {
  let start = 0
  let at = 0
  while (at < bytes.length && bytes.length - start > PIECE_BYTES) {
    const field = fieldAt(bytes, at)
    if (field === undefined) break
    if (field.end - field.value > PIECE_BYTES && isPacked(schema, field.tag)) {
      if (at > start) yield bytes.subarray(start, at)
      yield* piecesOfPacked(bytes, field)
      start = field.end
    } else if (field.end - start >= PIECE_BYTES) {
      yield bytes.subarray(start, field.end)
      start = field.end
    }
    at = field.end
  }
  if (start < bytes.length || start === 0) yield bytes.subarray(start)
}

interface FieldBytes {
  readonly tag: number
  /** Where the value begins, behind its length. */
  readonly value: number
  readonly end: number
}

/** Undefined where there is no whole field, or one in a form that no list has. */
function fieldAt(bytes: Uint8Array, at: number): FieldBytes | undefined {
  const tag = varintAt(bytes, at)
  if (tag === undefined) return undefined
  const kind = tag.value & 7
  if (kind === 1 || kind === 5) {
    const end = tag.end + (kind === 1 ? 8 : 4)
    return end <= bytes.length ? { tag: tag.value, value: tag.end, end } : undefined
  }
  if (kind === START_GROUP) {
    const end = groupEnd(bytes, tag.end)
    return end === undefined ? undefined : { tag: tag.value, value: tag.end, end }
  }
  const number = varintAt(bytes, tag.end)
  if (number === undefined || (kind !== 0 && kind !== LENGTH_DELIMITED)) return undefined
  const end = kind === 0 ? number.end : number.end + number.value
  return end <= bytes.length ? { tag: tag.value, value: kind === 0 ? tag.end : number.end, end } : undefined
}

/** Behind the end of a group, and of the groups in it. */
function groupEnd(bytes: Uint8Array, start: number): number | undefined {
  let groups = 1
  for (let at = start; at < bytes.length; ) {
    const tag = varintAt(bytes, at)
    if (tag === undefined) return undefined
    const kind = tag.value & 7
    if (kind === START_GROUP || kind === END_GROUP) {
      at = tag.end
      groups += kind === START_GROUP ? 1 : -1
      if (groups === 0) return at
    } else {
      const field = fieldAt(bytes, at)
      if (field === undefined) return undefined
      at = field.end
    }
  }
  return undefined
}

/** The low 32 bits. */
function varintAt(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0
  for (let i = 0; i < VARINT_BYTES_MAX && start + i < bytes.length; i++) {
    const byte = bytes[start + i]!
    if (i < 5) value |= (byte & 0x7f) << (7 * i)
    if (byte < 0x80) return { value: value >>> 0, end: start + i + 1 }
  }
  return undefined
}

function isPacked(schema: DescMessage, tag: number): boolean {
  const field = (tag & 7) === LENGTH_DELIMITED && schema.fields.find(({ number }) => number === tag >>> 3)
  return field !== false && field?.fieldKind === 'list' && field.listKind === 'scalar' && field.packed
}

/** Each with a tag and a length of its own. */
function* piecesOfPacked(bytes: Uint8Array, { tag, value, end }: FieldBytes): Generator<Uint8Array, void> {
  for (let at = value; at < end; ) {
    let stop = Math.min(end, at + PIECE_BYTES)
    // A number goes on while the highest bit of its bytes is set.
    for (let i = 0; i < VARINT_BYTES_MAX && stop < end && bytes[stop - 1]! >= 0x80; i++) stop++
    yield Buffer.concat([varint(tag), varint(stop - at), bytes.subarray(at, stop)])
    at = stop
  }
}

function varint(value: number): Buffer {
  const made: number[] = []
  for (; value >= 0x80; value >>>= 7) made.push((value & 0x7f) | 0x80)
  made.push(value)
  return Buffer.from(made)
}
