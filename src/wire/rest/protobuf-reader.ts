/** Reads protobuf messages field by field. Any fault of the bytes is a CORRUPTION. */

import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { HBaseError, isHBaseError } from '../../model/errors.ts'

/** Called for each field, with the reader after the tag; returns false for an unknown tag. */
export type FieldReader = (tag: number, reader: BinaryReader) => boolean

/** The tag of a field of bytes, text or a message. */
export function bytesTag(field: number): number {
  return tagOf(field, WireType.LengthDelimited)
}

/** The tag of a field with an integer or a boolean. */
export function varintTag(field: number): number {
  return tagOf(field, WireType.Varint)
}

function tagOf(field: number, wireType: WireType): number {
  return field * 8 + wireType
}

/**
 * Passes over fields whose tag is unknown.
 * QUIRK rest-body-protobuf-scanner-batch-as-bytes: a known field of another wire type is such a field.
 */
export function readMessage(bytes: Buffer, onField: FieldReader): void {
  const reader = new BinaryReader(bytes)
  try {
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag()
      if (!onField(tagOf(field, wireType), reader)) skipField(reader, wireType, field)
    }
  } catch (cause) {
    if (isHBaseError(cause)) throw cause
    const what = cause instanceof Error ? cause.message : String(cause)
    throw new HBaseError('CORRUPTION', `malformed protobuf at byte ${reader.pos}: ${what}`, { cause })
  }
}

function skipField(reader: BinaryReader, wireType: WireType, field: number): void {
  reader.skip(wireType, field)
  if (reader.pos > reader.len) throw new RangeError('a field goes on behind the end of its message')
}

/** The offsets of a bytes field in the reader's bytes. */
export function bytesSpan(reader: BinaryReader): { start: number; end: number } {
  const length = reader.bytes().length
  return { start: reader.pos - length, end: reader.pos }
}

export function bytesField(reader: BinaryReader): Buffer {
  const bytes = reader.bytes()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

export function int64Field(reader: BinaryReader): bigint {
  return BigInt(reader.int64())
}
