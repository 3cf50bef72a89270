/** The forms of REST and the bodies of its requests, as words for a case's id. */

import { protobufWords } from './protobuf-words.ts'

const FORMS: Readonly<Record<string, string>> = {
  'application/json': '',
  'text/xml': 'xml',
  'application/x-protobuf': 'protobuf',
  'application/protobuf': 'protobuf-ietf',
  'application/octet-stream': 'binary',
  'text/plain': 'text',
  '*/*': 'anything',
  '': 'nothing',
}

/** JSON, which most requests have, goes without saying. */
export function formOf(type: string, label: string): string {
  const form = FORMS[type] ?? type
  return form === '' ? '' : label + form
}

/** Members whose values say enough. */
const PLAIN = new Set([
  'Row',
  'Cell',
  'key',
  'column',
  '$',
  'ColumnSchema',
  'name',
  'filter',
  'type',
  'op',
  'comparator',
  'value',
  'filters',
  'family',
  'qualifier',
])
const IN_BASE64 = new Set([
  'key',
  'column',
  '$',
  'startRow',
  'endRow',
  'stopRow',
  'value',
  'prefixes',
  'minColumn',
  'maxColumn',
  'family',
  'qualifier',
  'mask',
])

export function bodyWords(type: string | undefined, body: Buffer): string {
  if (body.length === 0) return 'empty-body'
  if (type?.includes('protobuf') === true) return protobufWords(body)
  const text = body.toString('latin1')
  if (text.startsWith('{')) return jsonTextWords(text)
  return text.startsWith('<') ? xmlWords(text) : text
}

/** JSON that cannot be read as it stands. */
export function jsonTextWords(text: string): string {
  try {
    return jsonWords('', JSON.parse(text.replace(/(?<=[:[,])-?\d{16,}(?=[,}\]])/g, '"$&"')))
  } catch {
    return text
  }
}

function jsonWords(name: string, value: unknown): string {
  if (typeof value === 'string') return textWords(name, value)
  if (Array.isArray(value)) {
    return value.length === 0 ? `no ${name}` : value.map((each) => jsonWords(name, each)).join(' ')
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value)
  if (members.length === 0) return `nothing`
  return members
    .map(([key, each]) => `${PLAIN.has(key) && typeof each !== 'number' ? '' : key} ${jsonWords(key, each)}`)
    .join(' ')
}

function textWords(name: string, text: string): string {
  if (text === '') return 'empty'
  if (text.startsWith('{')) return jsonTextWords(text)
  if (/^-?\d+$/.test(text)) return `text ${text}`
  if (name === 'type') return text.replace(/(?:Filter|Comparator)$/, '')
  const bytes = Buffer.from(text, 'base64')
  const isBase64 = IN_BASE64.has(name) && bytes.toString('base64') === text
  return isBase64 && (text.endsWith('=') || isPrintable(bytes)) ? bytes.toString('latin1') : text
}

function isPrintable(bytes: Buffer): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
}

/** Without its brackets; base64 in attributes and elements is left as it is. */
export function xmlWords(text: string): string {
  const words = text.replace(/<\/\w+>/g, ' ').replace(/[<>]|\/>/g, ' ')
  return /[A-Za-z]/.test(words) ? words : text
}
