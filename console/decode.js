/** Shows a value in the format that the user chose. 64-bit numbers are read as BigInt, which keeps all digits. */

import { escaped, hexText, readableText } from './bytes.js'

/** @typedef {'auto' | 'text' | 'hex' | 'int64' | 'int32' | 'float64' | 'float32' | 'json'} Form */

/** @type {readonly (readonly [Form, string])[]} */
export const FORMS = [
  ['auto', 'UTF-8 text, else \\xHH'],
  ['text', 'ASCII and \\xHH'],
  ['hex', 'hexadecimal'],
  ['int64', 'int64 (Bytes.toLong)'],
  ['int32', 'int32 (Bytes.toInt)'],
  ['float64', 'double'],
  ['float32', 'float'],
  ['json', 'JSON'],
]

/** @type {Readonly<Record<'int64' | 'int32' | 'float64' | 'float32', readonly [number, (view: DataView) => string]>>} */
const NUMBERS = {
  int64: [8, (view) => view.getBigInt64(0).toString()],
  int32: [4, (view) => String(view.getInt32(0))],
  float64: [8, (view) => String(view.getFloat64(0))],
  float32: [4, (view) => String(view.getFloat32(0))],
}

/**
 * The text of a value. Bytes that the format cannot show are escaped instead, and `isOther` is true.
 *
 * @param {Uint8Array} bytes
 * @param {Form} form
 * @returns {{ text: string, isOther: boolean }}
 */
export function decoded(bytes, form) {
  if (form === 'hex') return { text: hexText(bytes), isOther: false }
  if (form === 'text') return { text: escaped(bytes), isOther: false }
  const text = readableText(bytes)
  if (form === 'auto') return { text: text ?? escaped(bytes), isOther: false }
  if (form === 'json') {
    const json = text === undefined ? undefined : indentedJson(text)
    return { text: json ?? escaped(bytes), isOther: json === undefined }
  }
  const [length, read] = NUMBERS[form]
  if (bytes.length !== length) return { text: escaped(bytes), isOther: true }
  return { text: read(new DataView(bytes.buffer, bytes.byteOffset, length)), isOther: false }
}

/**
 * The same JSON with a line for each member; undefined where the text is not JSON. Numbers are copied as text, because parsing would
 * round long ones.
 *
 * @param {string} text
 */
export function indentedJson(text) {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  let depth = 0
  let out = ''
  for (const [index, token] of tokens.entries()) {
    const line = () => `\n${'  '.repeat(depth)}`
    const isEmpty = /^[{[]$/.test(tokens[index - 1] ?? '') && /^[}\]]$/.test(token)
    if (/^[}\]]$/.test(token)) {
      depth--
      if (!isEmpty) out += line()
    }
    out += token
    if (token === ':') out += ' '
    if (/^[{[]$/.test(token)) {
      depth++
      if (!/^[}\]]$/.test(tokens[index + 1] ?? '')) out += line()
    }
    if (token === ',') out += line()
  }
  return out
}
