/**
 * Protobuf without its schema, one field a line: `3: 1000`, `2: 'f:a'`, nested messages in braces. Field numbers and
 * values are taken from the bytes; the printer guesses whether bytes are a message, in the same way for every server.
 */

import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { quoted } from './print-bytes.ts'

const LENGTH_BYTES = 2

/**
 * Prints a message, or messages that each follow their length as 16 bits, as in answers to scans. Undefined for other
 * bytes.
 */
export function printProtobuf(body: Buffer): string | undefined {
  return printMessage(body) ?? printFrames(body)
}

function printMessage(bytes: Buffer): string | undefined {
  const lines: string[] = []
  try {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag()
      const value = printField(reader, field, type)
      if (field === 0 || value === undefined) return undefined
      lines.push(`${field}: ${value}`)
    }
  } catch {
    return undefined
  }
  return lines.join('\n')
}

function printField(reader: BinaryReader, field: number, type: WireType): string | undefined {
  switch (type) {
    case WireType.Varint:
      return String(reader.int64())
    case WireType.LengthDelimited:
      return printBytes(Buffer.from(reader.bytes()))
    case WireType.Bit32:
    case WireType.Bit64:
      return `0x${Buffer.from(reader.skip(type, field)).toString('hex')}`
    case WireType.StartGroup:
    case WireType.EndGroup:
      return undefined
  }
}

function printBytes(bytes: Buffer): string {
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  const message = isText ? undefined : printMessage(bytes)
  return message === undefined ? quoted(bytes) : `{\n  ${message.replaceAll('\n', '\n  ')}\n}`
}

function printFrames(body: Buffer): string | undefined {
  const frames: string[] = []
  for (let at = 0; at < body.length; ) {
    if (at + LENGTH_BYTES > body.length) return undefined
    const start = at + LENGTH_BYTES
    const end = start + body.readUInt16BE(at)
    const frame = end <= body.length ? printMessage(body.subarray(start, end)) : undefined
    if (frame === undefined) return undefined
    frames.push(`frame\n  ${frame.replaceAll('\n', '\n  ')}`.trimEnd())
    at = end
  }
  return frames.join('\n')
}
