import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64, type RestServer, rowJson, startRestServer } from './rest-server.ts'

const TEXT_JSON = 'application/json;cells=text'
const NDJSON = 'application/x-ndjson'
const TEXT_NDJSON = 'application/x-ndjson;cells=text'
const ONE = { key: 'r1', cells: [{ column: 'f:q', timestamp: 1, value: 'Zürich' }] }
const TWO = {
  key: 'r2\\xFF',
  cells: [
    { column: 'f:n', timestamp: 2, value: '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05', int64: '5' },
    { column: 'f:q', timestamp: 3, value: 'C:\\x5C"x"' },
    { column: 'f:q', timestamp: 2, value: '' },
  ],
}

let server: RestServer

function put(path: string, body: unknown, type = TEXT_JSON, method = 'PUT') {
  return server.ask(method, path, { headers: { 'Content-Type': type }, body: JSON.stringify(body) })
}

function row(...cells: unknown[]) {
  return { rows: [{ key: 'c', cells }] }
}

beforeAll(async () => {
  server = await startRestServer()
  expect((await put('/t/x', { rows: [ONE, TWO] })).status).toBe(200)
})
afterAll(() => server.close())

describe('rows as text', () => {
  test('are got as they were put', async () => {
    const reply = await server.get('/t/r1', TEXT_JSON)
    expect(reply.headers['content-type']).toBe(TEXT_JSON)
    expect(JSON.parse(reply.text)).toEqual({ rows: [ONE] })
    const all = await server.get('/t/*?maxversions=9', TEXT_JSON)
    expect(JSON.parse(all.text)).toEqual({ rows: [ONE, TWO] })
    const range = await server.get('/t/r1,r3?v=9', TEXT_JSON)
    expect(JSON.parse(range.text)).toEqual({ rows: [ONE, TWO] })
    const many = await server.get('/t/multiget?row=r1&row=none', TEXT_JSON)
    expect(JSON.parse(many.text)).toEqual({ rows: [ONE] })
    const column = await server.get('/t/r1/f:q', TEXT_JSON)
    expect(JSON.parse(column.text)).toEqual({ rows: [ONE] })
  })

  test('are HBase’s own rows, in other words', async () => {
    const { text } = await server.get('/t/r1')
    expect(text).toBe(rowJson('r1', ['f:q', 'ZÃ¼rich', 1]))
  })

  test('are a line each, as text or as HBase has them', async () => {
    const text = await server.get('/t/*?maxversions=9', TEXT_NDJSON)
    expect(text.headers['content-type']).toBe(TEXT_NDJSON)
    expect(
      text.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual([ONE, TWO])
    const plain = await server.get('/t/multiget?row=r1&row=r1', NDJSON)
    expect(plain.headers['content-type']).toBe(NDJSON)
    const line = rowJson('r1', ['f:q', 'ZÃ¼rich', 1]).slice('{"Row":['.length, -2)
    expect(plain.text).toBe(`${line}\n${line}\n`)
    expect((await server.get('/t/r1', NDJSON)).text).toBe(`${line}\n`)
    const none = await server.get('/t/none*', NDJSON)
    expect([none.status, none.text]).toEqual([200, ''])
  })

  test.each([
    [`${NDJSON};q=0.5, ${TEXT_JSON}`, TEXT_JSON],
    [`text/xml;q=0.5, application/json; cells="text"`, TEXT_JSON],
    [`text/xml, ${TEXT_JSON};q=0.9`, 'text/xml'],
    [`${TEXT_JSON};q=0, application/json`, 'application/json'],
    ['application/json;cells=base64', 'application/json;cells=base64'],
    [`text/html, ${TEXT_NDJSON}, */*`, TEXT_NDJSON],
    [`${TEXT_JSON};charset=utf-8`, TEXT_JSON],
  ])('Accept: %s gives %s', async (accept, type) => {
    expect((await server.get('/t/r1', accept)).headers['content-type']).toBe(type)
  })

  test('may leave to the path what it tells', async () => {
    await put('/t/path/f:p', { cells: [{ int64: '-9223372036854775808' }] }, TEXT_JSON, 'POST')
    const { rows } = JSON.parse((await server.get('/t/path', TEXT_JSON)).text) as {
      rows: { key: string; cells: { column: string; int64: string }[] }[]
    }
    expect(rows[0]!.key).toBe('path')
    expect(rows[0]!.cells[0]).toMatchObject({ column: 'f:p', int64: '-9223372036854775808' })
  })

  test('have keys that stand in paths as they are shown', async () => {
    const key = encodeURIComponent(TWO.key)
    const row = await server.get(`/t/${key}?e=text&v=9`, TEXT_JSON)
    expect(JSON.parse(row.text)).toEqual({ rows: [TWO] })
    const column = { key: 'r3', cells: [{ column: 'f:\\x00', timestamp: 1, value: 'v' }] }
    await put('/t/x', { rows: [column] })
    const many = await server.get(
      `/t/multiget?e=text&row=${key}/f:n&row=r3/f:${encodeURIComponent('\\x00')}`,
      TEXT_JSON,
    )
    expect(JSON.parse(many.text)).toEqual({ rows: [{ ...TWO, cells: [TWO.cells[0]] }, column] })
    expect((await server.ask('DELETE', '/t/r3?e=text')).status).toBe(200)
    expect((await server.get('/t/%5C?e=text', TEXT_JSON)).status).toBe(500)
  })

  test('check, append and increment', async () => {
    const [old, new_] = ['old', 'new'].map((value) => ({ column: 'f:a', value }))
    await put('/t/c', row(old))
    expect((await put('/t/c?check=put', row(new_, new_))).status).toBe(304)
    expect((await put('/t/c?check=put', row(new_, old))).status).toBe(200)
    const headers = { 'Content-Type': TEXT_JSON, Accept: TEXT_JSON }
    const change = async (check: string, column: string, value: string) => {
      const body = JSON.stringify(row({ column, value }))
      const { text } = await server.ask('PUT', `/t/c?check=${check}&rr=true`, { headers, body })
      return JSON.parse(text) as { rows: { cells: unknown[] }[] }
    }
    expect((await change('append', 'f:a', '\\xFF')).rows[0]!.cells[0]).toMatchObject({ value: 'new\\xFF' })
    expect((await change('increment', 'f:i', '-7')).rows[0]!.cells[0]).toMatchObject({ int64: '-7' })
    expect((await put('/t/c?check=delete', row({ column: 'f:a', value: 'new\\xFF' }))).status).toBe(200)
    expect((await server.get('/t/c/f:a', TEXT_JSON)).status).toBe(404)
  })

  test('describe scanners, whose batches are text or lines', async () => {
    const body = {
      startRow: 'r1',
      endRow: 'r2\\xFF\\x00',
      column: ['f:q'],
      batch: 10,
      filter: "PrefixFilter('r2')",
    }
    const { status, headers } = await put('/t/scanner', body)
    expect(status).toBe(201)
    const path = new URL(headers['location']!).pathname
    const read = await server.get(`${path}?c=1`, TEXT_JSON)
    expect(JSON.parse(read.text)).toEqual({ rows: [{ key: TWO.key, cells: [TWO.cells[1]] }] })
    expect(JSON.parse((await server.get(path, TEXT_NDJSON)).text)).toEqual({
      key: TWO.key,
      cells: [TWO.cells[2]],
    })
    expect((await server.get(path, TEXT_JSON)).status).toBe(204)
  })

  test.each([
    ['/t/bad', '{"rows":[{"cells":[{"column":"f:q","value":"\\\\n"}]}]}', /a backslash begins a byte/],
    ['/t/bad', '{"Row":[]}', /no member "Row"/],
    ['/t/bad', '{"rows":', /malformed JSON/],
    ['/t/bad', '', /the body has no cell set/],
    ['/t/scanner', '{"startRow":"\\\\q"}', /a backslash begins a byte/],
    ['/t/scanner', '{"startRow":"\\udfff"}', /half a pair of surrogates/],
    ['/t/scanner', '{"filter":"Nope()"}', /Nope/],
    ['/t/scanner', '{"startKey":"a"}', /no member "startKey"/],
  ])('%s refuses %s', async (path, body, reason) => {
    const reply = await server.ask('PUT', path, { headers: { 'Content-Type': TEXT_JSON }, body })
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(reason)
  })

  test('stay base64 for clients that do not ask for text', async () => {
    await server.ask('PUT', '/t/plain', {
      headers: { 'Content-Type': 'application/json;charset=utf-8' },
      body: rowJson('plain', ['f:q', 'v', 1]),
    })
    expect((await server.get('/t/plain')).text).toContain(base64('f:q'))
  })
})
