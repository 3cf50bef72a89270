/** Reads protobuf messages field by field. Any fault of the bytes is a CORRUPTION. */

import { BinaryReader } from '@bufbuild/protobuf/wire'
import { HBaseError, isHBaseError } from '../../model/errors.ts'

/** Called for each field, with the reader after the tag; returns false for an unknown field. */
export type FieldReader = (field: number, reader: BinaryReader) => boolean

export function readMessage(bytes: Buffer, onField: FieldReader): void {
  const reader = new BinaryReader(bytes)
  try {
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag()
      if (!onField(field, reader)) reader.skip(wireType, field)
    }
  } catch (cause) {
    if (isHBaseError(cause)) throw cause
    const what = cause instanceof Error ? cause.message : String(cause)
    throw new HBaseError('CORRUPTION', `malformed protobuf at byte ${reader.pos}: ${what}`, { cause })
  }
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
