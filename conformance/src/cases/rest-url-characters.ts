/** Characters and bytes that keys in URLs are made of, the table that has them, and the ways to write them. */

import type { Request, RestRequest } from '../runner/case.ts'
import { createTable, JSON_TYPE, send } from './rest-request.ts'

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

export const ASCII: readonly string[] = range(0x20, 0x7e)
export const LATIN1: readonly string[] = range(0xa0, 0xff)

/** Controls, ends of the lengths that UTF-8 has, white space, marks, letters, symbols, something of every plane that has characters. */
export const OTHERS: readonly string[] = [
  0x09, 0x0a, 0x0d, 0x7f, 0x80, 0x85, 0x9f, 0x100, 0x141, 0x1c5, 0x301, 0x3a9, 0x416, 0x5d0, 0x661, 0x7ff,
  0x800, 0xe01, 0x200b, 0x202e, 0x2028, 0x2029, 0x20ac, 0x2160, 0x3000, 0x4e2d, 0xac00, 0xd7ff, 0xe000,
  0xfb01, 0xfeff, 0xff21, 0xfffd, 0xffff, 0x10000, 0x1d7ce, 0x1f600, 0x1ffff, 0x20000, 0x2f800, 0x30000,
  0xe0001, 0xf0000, 0x10ffff,
].map((code) => String.fromCodePoint(code))

export const CHARACTERS: readonly string[] = [...ASCII, ...LATIN1, ...OTHERS]

export function codeOf(character: string): string {
  return `u${character.codePointAt(0)!.toString(16)}`
}

/** The text's UTF-8 as a path has it that is not encoded: a character for each byte. */
export function raw(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** The text's UTF-8, every byte percent-encoded. */
export function percent(text: string | Buffer): string {
  return Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&')
}

interface Row {
  readonly key: Buffer
  readonly columns: readonly (readonly [column: Buffer, value: string])[]
}

function rowsJson(rows: readonly Row[]): string {
  const texts = rows.map(({ key, columns }) => {
    const cells = columns.map(
      ([column, value]) =>
        `{"column":"${column.toString('base64')}","timestamp":1,"$":"${Buffer.from(value).toString('base64')}"}`,
    )
    return `{"key":"${key.toString('base64')}","Cell":[${cells.join(',')}]}`
  })
  return `{"Row":[${texts.join(',')}]}`
}

/** Texts that some way of decoding would take for another. */
const TEXTS = [
  'abc',
  'a+b',
  'a b',
  'a/b',
  'a,b',
  '%41',
  '%C3%A9',
  '%2',
  '%u00e9',
  '\x05',
  '/x',
  'cols',
  '\xe9x',
]

function rowOf(key: Buffer, column = 'f:a'): Row {
  return { key, columns: [[Buffer.from(column), `row ${key.toString('hex')}`]] }
}

/**
 * A row for each character and each byte from 0x80 on, one with a character between others, and the row `cols` with a
 * column for each character.
 */
export function tableOfCharacters(table: string): readonly Request[] {
  const bytes = Array.from({ length: 0x80 }, (_, index) => Buffer.of(0x80 + index))
  const inner = CHARACTERS.map((character) => Buffer.from(`x${character}y`))
  const plain = [...CHARACTERS, '\0', ...TEXTS].map((text) => Buffer.from(text))
  const columns = CHARACTERS.map((character): [Buffer, string] => [
    Buffer.from(`g:${character}`),
    codeOf(character),
  ])
  const rows = [
    ...[...plain, ...inner, ...bytes].map((key) => rowOf(key)),
    { key: Buffer.from('cols'), columns },
  ]
  return [createTable(table), send('PUT', `/${table}/x`, JSON_TYPE, rowsJson(rows))]
}

/** Requests that each name the text, as it is written in a URL, in another place. */
export function placesOf(
  table: string,
  get: (path: string) => RestRequest,
): Readonly<Record<string, (text: string) => RestRequest>> {
  return {
    row: (text) => get(`/${table}/${text}`),
    inner: (text) => get(`/${table}/x${text}y/f:a`),
    column: (text) => get(`/${table}/cols/g:${text}`),
    multigetRow: (text) => get(`/${table}/multiget?row=${text}`),
    multigetColumn: (text) => get(`/${table}/multiget/g:${text}?row=cols`),
    prefix: (text) => get(`/${table}/x${text}*?limit=3`),
    startRow: (text) => get(`/${table}/*?startrow=${text}&limit=1`),
    rows: (text) => get(`/${table}/*?reversed=true&startrow=x${text}z&endrow=x${text}x`),
    scanColumn: (text) => get(`/${table}/cols*?column=g:${text}`),
    filter: (text) => get(`/${table}/*?filter=RowFilter(=,%27binary:x${text}y%27)`),
  }
}
