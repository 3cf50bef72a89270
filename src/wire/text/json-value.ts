import { isUtf8 } from 'node:buffer'
import { type DecodeLimits, ElementCount } from './decode-limits.ts'
import { JsonReader } from './json-reader.ts'

/** Any JSON value; a number stays its digits. */
export type JsonValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly value: readonly JsonValue[] }
  | { readonly kind: 'object'; readonly value: ReadonlyMap<string, JsonValue> }

/** Parses small documents: schemas, scanners, namespaces. The last of several members of one name counts. Throws CORRUPTION, and TOO_LARGE above the limits. */
export function parseJson(bytes: Buffer, limits: DecodeLimits): JsonValue {
  const reader = new JsonReader(bytes)
  if (!isUtf8(reader.text)) reader.fail('it is not UTF-8')
  const value = readValue(reader, limits.depthMax, new ElementCount(limits))
  if (!reader.atEnd) reader.fail('more follows after the value')
  return value
}

function readValue(reader: JsonReader, depth: number, count: ElementCount): JsonValue {
  count.add()
  if (depth <= 0) reader.fail('it is nested too deep')
  const kind = reader.peek()
  switch (kind) {
    case 'null':
      reader.nil()
      return { kind }
    case 'boolean':
      return { kind, value: reader.boolean() }
    case 'number':
      return { kind, value: reader.number() }
    case 'string':
      reader.string()
      return { kind, value: reader.textString() }
    case 'array': {
      const elements: JsonValue[] = []
      reader.beginArray()
      while (reader.nextElement(elements.length === 0)) elements.push(readValue(reader, depth - 1, count))
      return { kind, value: elements }
    }
    case 'object': {
      const members = new Map<string, JsonValue>()
      reader.beginObject()
      for (let first = true; reader.nextMember(first); first = false) {
        members.set(reader.textString(), readValue(reader, depth - 1, count))
      }
      return { kind, value: members }
    }
  }
}
