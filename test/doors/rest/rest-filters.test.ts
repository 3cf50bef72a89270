import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RestServer, rowJson, rowKeys, startRestServer } from './rest-server.ts'

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
  for (const key of ['a', 'b1', 'b2', 'c']) await server.put('/t/x', rowJson(key, ['f:p', `${key}p`, 5]))
})
afterAll(() => server.close())

const base64 = (filter: string): string => Buffer.from(filter).toString('base64url')

describe('the filter of a query', () => {
  test.each([
    ["/t/*?filter=RowFilter(>,'binary:a')", ['b1', 'b2', 'c']],
    ["/t/b*?filter=RowFilter(!=,'binary:b1')", ['b2']],
    [`/t/*?filter_b64=${base64("PrefixFilter('c')")}`, ['c']],
    [`/t/*?filter_b64=${base64("PrefixFilter('c')")}&filter=nonsense`, ['c']],
    [`/t/multiget?row=a&row=c&filter_b64=${base64("PrefixFilter('c')")}`, ['c']],
    ["/t/multiget?row=a&row=c&filter=PrefixFilter('a')", ['a']],
    ['/t/a?filter=nonsense', ['a']],
  ])('%s', async (path, keys) => {
    expect(rowKeys(await server.get(path))).toEqual(keys)
  })

  test.each([
    ['/t/*?filter=', /^java\.lang\.IllegalArgumentException: /],
    ['/t/*?filter=PrefixFilter(', /at character \d+/],
    ['/t/*?filter_b64=!!', /is not base64/],
    [`/t/*?filter_b64=${encodeURIComponent('S2V5T25seUZpbHRlcigp==')}`, /is not base64/],
    ['/t/multiget?row=a&filter=Nope()', /Filter Name Nope not supported/],
  ])('%s is refused with a reason', async (path, reason) => {
    const { status, text } = await server.get(path)
    expect(status).toBe(500)
    expect(text).toMatch(reason)
  })
})

describe('the filter of a scanner', () => {
  test('leaves rows out', async () => {
    const filter = JSON.stringify({ type: 'PrefixFilter', value: Buffer.from('b').toString('base64') })
    const { status, headers } = await server.put('/t/scanner', JSON.stringify({ filter }))
    expect(status).toBe(201)
    expect(rowKeys(await server.get(new URL(headers['location']!).pathname))).toEqual(['b1', 'b2'])
  })

  test('is refused with a reason behind what HBase says', async () => {
    const { status, text } = await server.put('/t/scanner', JSON.stringify({ filter: '{"type":"Nope"}' }))
    expect(status).toBe(400)
    expect(text).toMatch(/^Bad request\r\nfilter: .* at character 1\b/)
  })
})
