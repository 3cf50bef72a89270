/** Protobuf messages as Java's runtime reads and writes them. */

import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import { checkWire, InvalidMessage, MISSING_NAMES_MAX, missingFields } from './wire-check.ts'

const { LEGACY_REQUIRED } = FeatureSet_FieldPresence

export function writeMessage<Desc extends DescMessage>(
  schema: Desc,
  fields: MessageInitShape<Desc>,
): Uint8Array {
  return toBinary(schema, create(schema, fields))
}

/** Reads a message with all of its required fields. Throws InvalidMessage. */
export function readMessage<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> {
  checkWire(schema, bytes)
  const message = parsed(schema, bytes)
  const missing = requiredButMissing(reflect(schema, message))
  if (missing.length > 0) throw missingFields(missing)
  return message
}

function parsed<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> {
  try {
    return fromBinary(schema, bytes, { readUnknownFields: false })
  } catch (error) {
    // Java keeps the low 32 bits of a longer tag.
    throw error instanceof Error ? new InvalidMessage(error.message) : error
  }
}

/**
 * The names of missing required fields, in Java's order: a message's own before those of the messages in it. The walk
 * skips further elements of a list once it has more names than the error tells.
 */
function requiredButMissing(message: ReflectMessage): string[] {
  const own: string[] = []
  const within: string[] = []
  for (const field of message.fields) {
    if (!message.isSet(field)) {
      if (field.presence === LEGACY_REQUIRED) own.push(field.name)
    } else if (field.fieldKind === 'message') {
      const inner = requiredButMissing(message.get(field))
      within.push(...inner.map((name) => `${field.name}.${name}`))
    } else if (field.fieldKind === 'list' && field.listKind === 'message') {
      let index = 0
      for (const element of message.get(field)) {
        if (within.length > MISSING_NAMES_MAX) break
        const inner = requiredButMissing(element as ReflectMessage)
        within.push(...inner.map((name) => `${field.name}[${index}].${name}`))
        index++
      }
    }
  }
  return [...own, ...within]
}

/** The same bytes as a Buffer, without a copy. */
export function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
