/**
 * REST under load by k6. `npm run load:rest` runs it, once for each scenario and server; by hand, after `npm run build:all`:
 *
 *     k6 run -e URL=http://127.0.0.1:8080 -e SCENARIO=get -e SECONDS=10 -e VUS=16 dist/load/k6/rest.js
 *
 * The table is made and filled by `setup`. Each answer is checked for what it must hold, not for its status alone.
 */

import { check } from 'k6'
import encoding from 'k6/encoding'
import http, { type RefinedResponse } from 'k6/http'
import type { Options } from 'k6/options'
import { seededRandom, zipfKeys } from './zipf.ts'

const URL = __ENV['URL'] ?? 'http://127.0.0.1:8080'
const SCENARIO = __ENV['SCENARIO'] ?? 'get'
const SUMMARY = __ENV['SUMMARY']
const TABLE = `${URL}/load_rest`
const ROWS = 10_000
const FILL_ROWS = 1000
const MULTIGET_ROWS = 20
const BATCH_ROWS = 100
const SCAN_ROWS = 100
const SCANNER_ROWS = 500
const SCANNER_BATCH = 100
const VALUE = 'v'.repeat(100)
const COLUMN = encoding.b64encode('f:q')

const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json' }
const READ = { headers: { Accept: 'application/json' } }

export const options: Options = {
  scenarios: {
    rest: {
      executor: 'constant-vus',
      exec: 'work',
      vus: Number(__ENV['VUS'] ?? 16),
      duration: `${__ENV['SECONDS'] ?? 10}s`,
    },
  },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  // The figures of the work alone, without making and filling the table. k6 reports a figure only where it has a threshold.
  thresholds: {
    'http_req_failed{scenario:rest}': ['rate<0.0001'],
    'checks{scenario:rest}': ['rate>0.9999'],
    'http_req_duration{scenario:rest}': ['max>=0'],
    'http_reqs{scenario:rest}': ['count>0'],
  },
  // Many rows have URLs of their own: they are not metrics of their own.
  systemTags: ['status', 'method', 'name', 'scenario'],
  setupTimeout: '120s',
}

/** `setup` has a user of its own, before the others. */
const random = seededRandom(typeof __VU === 'number' ? __VU : 0)
const popular = zipfKeys(ROWS, random)
const any = (): number => Math.floor(random() * ROWS)

function key(row: number): string {
  return `row${String(row).padStart(7, '0')}`
}

function cellSet(rows: readonly number[]): string {
  const $ = encoding.b64encode(VALUE)
  const cells = rows.map((row) => ({ key: encoding.b64encode(key(row)), Cell: [{ column: COLUMN, $ }] }))
  return JSON.stringify({ Row: cells })
}

function named(name: string, headers: Record<string, string> = READ.headers): object {
  return { headers, tags: { name } }
}

function has(answer: RefinedResponse<'text'>, rows: number): void {
  check(answer, {
    'status 200': ({ status }) => status === 200,
    'all rows': ({ body }) => rowsIn(body) === rows,
  })
}

function rowsIn(body: string | ArrayBuffer | null): number {
  return typeof body === 'string' ? body.split('"key"').length - 1 : -1
}

function get(row: number): void {
  has(http.get(`${TABLE}/${key(row)}`, named('get')), 1)
}

function put(row: number): void {
  const headers = { 'Content-Type': 'application/octet-stream' }
  const answer = http.put(`${TABLE}/${key(row)}/f:q`, VALUE, named('put', headers))
  check(answer, { 'status 200': ({ status }) => status === 200 })
}

function multiget(): void {
  const first = any()
  const rows = Array.from({ length: MULTIGET_ROWS }, (_, i) => `row=${key((first + i * 101) % ROWS)}`)
  has(http.get(`${TABLE}/multiget?${rows.join('&')}`, named('multiget')), MULTIGET_ROWS)
}

function batch(): void {
  const first = any()
  const rows = Array.from({ length: BATCH_ROWS }, (_, i) => (first + i * 101) % ROWS)
  const answer = http.put(`${TABLE}/batch`, cellSet(rows), named('batch', JSON_TYPE))
  check(answer, { 'status 200': ({ status }) => status === 200 })
}

function scan(): void {
  const start = Math.floor(random() * (ROWS - SCAN_ROWS))
  has(http.get(`${TABLE}/*?startrow=${key(start)}&limit=${SCAN_ROWS}`, named('scan')), SCAN_ROWS)
}

/** Opens a scanner, reads all of it, closes it. */
function scanner(): void {
  const start = Math.floor(random() * (ROWS - SCANNER_ROWS))
  const [startRow, endRow] = [start, start + SCANNER_ROWS].map((row) => encoding.b64encode(key(row)))
  const spec = JSON.stringify({ batch: SCANNER_BATCH, startRow, endRow })
  const opened = http.put(`${TABLE}/scanner`, spec, named('open scanner', JSON_TYPE))
  const isOpen = check(opened, { 'status 201': ({ status }) => status === 201 })
  const location = opened.headers['Location']
  if (!isOpen || location === undefined) return
  let rows = 0
  for (let isAtEnd = false; !isAtEnd; ) {
    const page = http.get(location, named('scanner'))
    isAtEnd = page.status !== 200
    if (!isAtEnd) rows += rowsIn(page.body)
    else check(page, { 'status 204': ({ status }) => status === 204 })
  }
  check(rows, { 'all rows': (seen) => seen === SCANNER_ROWS })
  const closed = http.del(location, null, named('close scanner'))
  check(closed, { 'status 200': ({ status }) => status === 200 })
}

function mixed(reads: number): () => void {
  return () => (random() < reads ? get(popular()) : put(popular()))
}

const WORK: Readonly<Record<string, () => void>> = {
  get: () => get(any()),
  'get-zipf': () => get(popular()),
  put: () => put(any()),
  multiget,
  batch,
  scan,
  scanner,
  'mixed-95-5': mixed(0.95),
  'mixed-50-50': mixed(0.5),
}

export function setup(): void {
  http.del(`${TABLE}/schema`)
  const made = http.put(`${TABLE}/schema`, '{"ColumnSchema":[{"name":"f"}]}', { headers: JSON_TYPE })
  if (made.status !== 201)
    throw new Error(`the table was not made: ${made.status} ${JSON.stringify(made.body)}`)
  for (let start = 0; start < ROWS; start += FILL_ROWS) {
    const rows = Array.from({ length: FILL_ROWS }, (_, i) => start + i)
    const { status } = http.put(`${TABLE}/batch`, cellSet(rows), { headers: JSON_TYPE })
    if (status !== 200) throw new Error(`the table was not filled: ${status}`)
  }
}

export function work(): void {
  const one = WORK[SCENARIO]
  if (one === undefined) throw new Error(`no scenario ${SCENARIO}: ${Object.keys(WORK).join(', ')}`)
  one()
}

export function teardown(): void {
  http.del(`${TABLE}/schema`)
}

export function handleSummary(data: object): Record<string, string> {
  return { [SUMMARY ?? 'stdout']: JSON.stringify(data, undefined, 2) }
}
