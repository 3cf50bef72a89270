/** Protobuf messages as Java's runtime reads and writes them. */

import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  isFieldSet,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import type { Steps } from '../../model/steps.ts'
import type { FilterParts } from '../schema/filter-parts.ts'
import { piecesOfMessage } from './message-pieces.ts'
import { checkWire, InvalidMessage, MISSING_NAMES_MAX, missingFields, strayFields } from './wire-check.ts'

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

/** As readMessage, of a message without messages but in its lists, which may be long: `parts` counts their elements. */
export function* readMessageInSteps<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  parts: FilterParts,
): Steps<MessageShape<Desc>> {
  const pieces = yield* checkedPieces(schema, bytes)
  const whole = create(schema)
  const members = whole as Record<string, unknown>
  const within: string[] = []
  for (const piece of pieces) {
    const message = parsed(schema, piece)
    const next = reflect(schema, message)
    for (const field of schema.fields) {
      const value = (message as Record<string, unknown>)[field.localName]
      if (field.fieldKind === 'list') {
        const list = members[field.localName] as unknown[]
        parts.add((value as unknown[]).length)
        missingInList(next, field, list.length, within)
        for (const element of value as unknown[]) list.push(element)
      } else if (isFieldSet(message, field)) members[field.localName] = value
    }
    yield
  }
  const own = schema.fields.filter((field) => field.presence === LEGACY_REQUIRED && !isFieldSet(whole, field))
  const missing = [...own.map(({ name }) => name), ...within]
  if (missing.length > 0) throw missingFields(missing)
  return whole
}

/** As checkWire. */
function* checkedPieces(schema: DescMessage, bytes: Uint8Array): Steps<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  const strays: string[] = []
  for (const piece of piecesOfMessage(schema, bytes)) {
    for (const name of strayFields(schema, piece)) if (!strays.includes(name)) strays.push(name)
    pieces.push(piece)
    yield
  }
  if (strays.length > 0) throw missingFields(strays)
  return pieces
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
 * skips further elements of a list once it has more names than the error lists.
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
    } else missingInList(message, field, 0, within)
  }
  return [...own, ...within]
}

/** Adds the names of what the messages of a list miss. `first`: the index of the first of them. */
function missingInList(message: ReflectMessage, field: DescField, first: number, within: string[]): void {
  if (field.fieldKind !== 'list' || field.listKind !== 'message') return
  let index = first
  for (const element of message.get(field)) {
    if (within.length > MISSING_NAMES_MAX) return
    const inner = requiredButMissing(element as ReflectMessage)
    within.push(...inner.map((name) => `${field.name}[${index}].${name}`))
    index++
  }
}

/** The same bytes as a Buffer, without a copy. */
export function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
