/** Multigets of many rows, whose names a request line has no room for. */

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base64, type Reply, type RestServer, rowKeys, startRestServer } from './rest-server.ts'

const ROWS = 10_000
const FORM = 'application/x-www-form-urlencoded'
const row = (index: number): string => `row-${String(index).padStart(6, '0')}`
const formOf = (rows: number): string => Array.from({ length: rows }, (_, i) => `row=${row(i)}`).join('&')

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const cell = `{"column":"${base64('f:q')}","$":"${base64(`v${i}`)}"}`
    return `{"key":"${base64(row(i))}","Cell":[${cell}]}`
  })
  await server.put('/t/false-row', `{"Row":[${rows.join(',')}]}`)
})

afterAll(() => server.close())

function post(
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const all = { Accept: 'application/json', 'Content-Type': FORM, ...headers }
  return server.ask('POST', path, { headers: all, body })
}

test('a POST of a form reads 10,000 rows, in their order', async () => {
  const reply = await post('/t/multiget', formOf(ROWS))
  expect(reply.status).toBe(200)
  expect(rowKeys(reply)).toEqual(Array.from({ length: ROWS }, (_, i) => row(i)))
})

test('a POST answers as the GET of the same query does', async () => {
  for (const query of [
    'row=row-000001&row=none&row=row-000002',
    'row=row-000001/f:q&row=row-000002/f:other',
    'row=row-000001&row=row-000002&filter_b64=UHJlZml4RmlsdGVyKCdyb3ctMDAwMDAxJyk',
    'row=cm93LTAwMDAwMQ&e=b64',
    'row=none',
    'row=%25zz',
    '',
  ]) {
    const get = await server.get(`/t/multiget?${query}`)
    const replies = [await post('/t/multiget', query), await post(`/t/multiget?${query}`, '')]
    for (const { status, text } of replies)
      expect([query, status, text]).toEqual([query, get.status, get.text])
  }
})

test('a form adds to the query, and may be zipped', async () => {
  const zipped = gzipSync(Buffer.from('row=row-000007&row=row-000008'))
  const headers = { 'Content-Encoding': 'gzip', 'Content-Type': `${FORM}; charset=UTF-8` }
  expect(rowKeys(await post('/t/multiget?row=row-000001', zipped, headers))).toEqual([1, 7, 8].map(row))
})

test('a POST of anything else is the 405 of HBase', async () => {
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencodedx'])
    expect((await post('/t/multiget', 'row=row-000001', { 'Content-Type': type })).status).toBe(405)
})

test('a form of too many bytes is a 413', async () => {
  const reply = await post('/t/multiget', `row=${'a'.repeat(2 * 1024 * 1024)}`)
  expect([reply.status, reply.text]).toEqual([413, expect.stringContaining('2097152 bytes')])
})

test('a request line of too many rows is a 431 that says to POST', async () => {
  const reply = await server.get(`/t/multiget?${formOf(ROWS)}`)
  expect(reply.status).toBe(431)
  expect(reply.text).toContain(
    'more than 65536 bytes, the limit --header-bytes-max. Send a multiget of many rows by POST',
  )
})
