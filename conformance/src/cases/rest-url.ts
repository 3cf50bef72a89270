/** Keys in URLs, written in every way: raw, percent-encoded, in base64, malformed; in every place that a URL has for them. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { digested, type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { BINARY, createTable, get, JSON_TYPE, send } from './rest-request.ts'
import {
  ASCII,
  codeOf,
  LATIN1,
  OTHERS,
  percent,
  placesOf,
  raw,
  tableOfCharacters,
} from './rest-url-characters.ts'
import { BASE64_PATHS, FORMS, MALFORMED, NOT_UTF8 } from './rest-url-paths.ts'

const TABLE = 'conf_rest_url'
const WRITTEN = 'conf_rest_url_written'

const places = placesOf(TABLE, get)
const { row, multigetRow, column, startRow } = places

/** Raw, these end a path or a line, or are no part of a target. */
const NEVER_RAW: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r'])

function inAllPlaces(character: string, text: string): NamedCase {
  return named(
    codeOf(character),
    Object.values(places).map((place) => place(text)),
  )
}

function inSomePlaces(character: string, text: string): NamedCase {
  return named(
    codeOf(character),
    [row!, multigetRow!, column!, startRow!].map((place) => place(text)),
  )
}

const rawTexts = [...ASCII, ...OTHERS].filter((character) => !NEVER_RAW.has(character))

/** The key as base64, for URLs and not. */
function inBase64(key: Buffer): RestRequest[] {
  const url = key.toString('base64url')
  const basic = key.toString('base64')
  return [
    get(`/${TABLE}/${url}?e=b64`),
    get(`/${TABLE}/${encodeURIComponent(basic)}?e=b64basic`),
    get(`/${TABLE}/multiget?row=${url}&row=YWJj&e=base64url`),
    get(`/${TABLE}/${url}`, JSON_TYPE, { Encoding: 'base64' }),
  ]
}

const bytesInBase64 = Array.from({ length: 0x100 }, (_, byte) =>
  named(`byte ${byte.toString(16).padStart(2, '0')}`, inBase64(Buffer.of(byte))),
)

const filters: readonly NamedCase[] = ['é', 'Ł', '€', '😀', "''", '%', '+', '&', '#', '\u0001'].flatMap(
  (text) => {
    const filter = `RowFilter(=,'substring:${text}')`
    const name = Array.from(text, codeOf).join(' ')
    const asked = (query: string): RestRequest => get(`/${TABLE}/x*?${query}&limit=3&column=f:a`)
    const multiget = `/${TABLE}/multiget?row=x${percent(percent(text))}y&row=abc&filter=${percent(filter)}`
    return [
      named(`percent ${name}`, asked(`filter=${percent(filter)}`)),
      named(`base64 ${name}`, asked(`filter_b64=${Buffer.from(filter).toString('base64url')}`)),
      named(`multiget ${name}`, get(multiget)),
    ]
  },
)

function read(prefix: string): RestRequest {
  return get(`/${WRITTEN}/${prefix}*`)
}

/** Writes a row that the path names, reads it by the key's bytes, and deletes it by the path. */
function writtenBy(name: string, text: string, query = ''): NamedCase {
  const cells = '{"Row":[{"Cell":[{"timestamp":1,"$":"dg=="}]}]}'
  return named(name, [
    rest('PUT', `/${WRITTEN}/${text}/f:${text}${query}`, { 'Content-Type': BINARY, 'X-Timestamp': '1' }, 'v'),
    send('PUT', `/${WRITTEN}/${text}/g:${text}${query}`, JSON_TYPE, cells),
    get(`/${WRITTEN}/*`),
    rest('DELETE', `/${WRITTEN}/${text}/f:${text}${query}`),
    get(`/${WRITTEN}/*`),
    rest('DELETE', `/${WRITTEN}/${text}${query}`),
    get(`/${WRITTEN}/*`),
  ])
}

const WRITTEN_TEXTS = ['é', 'Ł', '€', '😀', ' ', '+', '%', '/', ',', '*', '#', '?', '&', ';', '\\', '"']

const writes: readonly NamedCase[] = [
  ...WRITTEN_TEXTS.map((text) => writtenBy(`percent ${codeOf(text)}`, percent(text))),
  ...['é', 'Ł', '€', '😀', '\\', '"', '+'].map((text) => writtenBy(`raw ${codeOf(text)}`, raw(text))),
  ...['%FF', '%ED%A0%80', '%C3'].map((text) => writtenBy(`not utf8 ${text.slice(1)}`, text)),
]

const headers: readonly Listed[] = ['\xe9', raw('é'), raw('€'), '\xff', '%C3%A9'].map((text) =>
  named(Array.from(text, codeOf).join(' '), [
    rest(
      'PUT',
      `/${WRITTEN}/x/f:a`,
      { 'Content-Type': BINARY, 'X-Row': `h${text}`, 'X-Timestamp': '1' },
      'r',
    ),
    rest(
      'PUT',
      `/${WRITTEN}/hc/f:a`,
      { 'Content-Type': BINARY, 'X-Column': `f:${text}`, 'X-Timestamp': '1' },
      'c',
    ),
    read('h'),
    rest('DELETE', `/${WRITTEN}/hc`),
  ]),
)

const others: readonly Listed[] = [
  named('proxy', get(`http://some.host/${TABLE}/${raw('é')}`)),
  named('proxy percent', get(`http://some.host/${TABLE}/%C3%A9?v=1`)),
  named('row and parameters', get(`/${TABLE}/${raw('é')}?v=1&other=${raw('ü')}`)),
  ...['\xe9', '\xc3', '\xed\xa0\x80', '\xc0\xaf', '\xe2\x82'].flatMap((bytes) => {
    const name = Array.from(bytes, codeOf).join(' ')
    return [
      named(`raw bytes ${name}`, get(`/${TABLE}/${bytes}`)),
      named(`raw bytes in a query ${name}`, get(`/${TABLE}/*?startrow=${bytes}&limit=1`)),
    ]
  }),
]

export const restUrl: Scenario = {
  name: 'rest-url',
  tables: [TABLE, WRITTEN],
  namespaces: [],
  setup: [...tableOfCharacters(TABLE), createTable(WRITTEN)],
  cases: [
    ...listed(
      'rest-url-percent',
      [...ASCII, ...OTHERS].map((each) => inAllPlaces(each, percent(each))),
    ),
    ...listed(
      'rest-url-raw',
      rawTexts.map((each) => inAllPlaces(each, raw(each))),
    ),
    ...listed(
      'rest-url-latin1',
      LATIN1.map((each) => inSomePlaces(each, percent(each))),
    ),
    ...listed(
      'rest-url-raw-latin1',
      LATIN1.map((each) => inSomePlaces(each, raw(each))),
    ),
    ...listed(
      'rest-url-not-utf8',
      NOT_UTF8.map((text) =>
        named(text.replaceAll('%', ' '), [row!(text), multigetRow!(text), startRow!(text)]),
      ),
    ),
    ...listed(
      'rest-url-malformed',
      MALFORMED.map((text) =>
        digested(
          text,
          text,
          Object.values(places).map((place) => place(text)),
        ),
      ),
    ),
    ...listed('rest-url-base64', bytesInBase64),
    ...listed(
      'rest-url-base64-place',
      BASE64_PATHS.map((path) => digested(path, path, get(`/${TABLE}${path}`))),
    ),
    ...listed(
      'rest-url-form',
      FORMS.map((path) => digested(path, path, get(`/${TABLE}${path}`))),
    ),
    ...listed('rest-url-filter', filters),
    ...listed('rest-url-write', writes),
    ...listed('rest-url-header', headers),
    ...listed('rest-url-other', others),
  ],
}
