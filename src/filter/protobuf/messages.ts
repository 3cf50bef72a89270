/** Protobuf messages with what Java's runtime demands of them. */

import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import { HBaseError } from '../../model/errors.ts'

const { LEGACY_REQUIRED } = FeatureSet_FieldPresence

/** What of a filter or comparator cannot be understood: HBase's region server throws DoNotRetryIOException for it. */
export function malformed(what: string, cause?: unknown): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `malformed filter: ${what}`, { cause })
}

/** Reads a message that has all of its required fields. Throws DO_NOT_RETRY. */
export function readMessage<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> {
  let message: MessageShape<Desc>
  try {
    message = fromBinary(schema, bytes, { readUnknownFields: false })
  } catch (cause) {
    throw malformed(`${schema.name} of ${bytes.length} bytes: ${String(cause)}`, cause)
  }
  const missing = missingField(reflect(schema, message))
  if (missing !== undefined) throw malformed(`${schema.name} is missing the required field ${missing}`)
  return message
}

/** The first required field that is not there, of the message or of one within it. */
function missingField(message: ReflectMessage): string | undefined {
  for (const field of message.fields) {
    if (!message.isSet(field)) {
      if (field.presence === LEGACY_REQUIRED) return field.name
      continue
    }
    const within: Iterable<unknown> =
      field.fieldKind === 'message'
        ? [message.get(field)]
        : field.fieldKind === 'list' && field.listKind === 'message'
          ? message.get(field)
          : []
    for (const inner of within) {
      const missing = missingField(inner as ReflectMessage)
      if (missing !== undefined) return `${field.name}.${missing}`
    }
  }
  return undefined
}

/** The same bytes as a Buffer, without a copy. */
export function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
