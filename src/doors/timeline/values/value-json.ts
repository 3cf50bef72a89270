/** Reads and writes values as JSON the way Jackson does. */

import { type DecodeLimits, ElementCount } from '../../../model/decode-limits.ts'
import { javaDoubleText } from '../../../wire/rest/java-numbers.ts'
import { JsonReader } from '../../../wire/text/json-reader.ts'
import { DIGITS_MAX, isList, JavaDouble, numberOf, type TimelineValue } from './timeline-value.ts'

/** Throws CORRUPTION, and TOO_LARGE above the limits. */
export function readValue(reader: JsonReader, depth: number, count: ElementCount): TimelineValue {
  count.add()
  if (depth <= 0) reader.fail('it is nested too deep')
  switch (reader.peek()) {
    case 'null':
      reader.nil()
      return null
    case 'boolean':
      return reader.boolean()
    case 'number': {
      const digits = reader.number()
      if (digits.length > DIGITS_MAX) reader.fail(`a number of more than ${DIGITS_MAX} digits`)
      return numberOf(digits)
    }
    case 'string':
      reader.string()
      return reader.textString()
    case 'array': {
      const list: TimelineValue[] = []
      reader.beginArray()
      while (reader.nextElement(list.length === 0)) list.push(readValue(reader, depth - 1, count))
      return list
    }
    case 'object': {
      const map = new Map<string, TimelineValue>()
      reader.beginObject()
      for (let first = true; reader.nextMember(first); first = false) {
        const name = reader.textString()
        map.set(name, readValue(reader, depth - 1, count))
      }
      return map
    }
  }
}

const WORD_BYTE = /[\w$]/

/** The first JSON value of a parameter, or its text if it is not JSON: `2` is a number, `2x` and `x` are texts. */
export function parameterValue(text: string, limits: DecodeLimits): TimelineValue {
  try {
    const bytes = Buffer.from(text)
    const reader = new JsonReader(bytes)
    const value = readValue(reader, limits.depthMax, new ElementCount(limits))
    const next = String.fromCharCode(bytes[reader.offset] ?? 0x20)
    const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof JavaDouble
    if (isNumber && next.trim() !== '') return text
    if ((value === null || typeof value === 'boolean') && WORD_BYTE.test(next)) return text
    return value
  } catch {
    return text
  }
}

/** Characters that Jackson escapes: quotes, backslashes, control characters and unpaired surrogates. */
const ESCAPED = /["\\]|[^ -\ud7ff\ue000-\uffff]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

export function jsonText(text: string): string {
  return `"${text.replace(ESCAPED, escaped)}"`
}

function escaped(character: string): string {
  const short = ESCAPES[character]
  if (short !== undefined) return short
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

export function valueJson(value: TimelineValue): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return jsonText(value)
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return String(value)
  if (value instanceof JavaDouble) {
    const text = javaDoubleText(value.value)
    return Number.isFinite(value.value) ? text : jsonText(text)
  }
  if (isList(value)) return `[${value.map(valueJson).join(',')}]`
  return objectJson([...value].map(memberJson))
}

/** A member of a map; undefined for null, which is left out. */
export function memberJson([name, value]: readonly [string, TimelineValue]): readonly [
  string,
  string | undefined,
] {
  return [name, value === null ? undefined : valueJson(value)]
}

/** An object of members whose values are JSON already. Leaves out members without a value. */
export function objectJson(members: Iterable<readonly [string, string | undefined]>): string {
  const parts: string[] = []
  for (const [name, json] of members) if (json !== undefined) parts.push(`${jsonText(name)}:${json}`)
  return `{${parts.join(',')}}`
}
