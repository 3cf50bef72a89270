import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readToken, scanDigest, writeToken } from '../../../src/doors/rest/scans/scan-position.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { type Gateways, openGateways, TEXT_JSON } from './paged-gateways.ts'
import { startRestServer } from './rest-server.ts'

let gateways: Gateways

beforeAll(async () => {
  gateways = await openGateways()
})
afterAll(() => gateways.close())

describe('a token', () => {
  const LINK = /token=([\w-]+)/
  const tokenOf = async (path: string): Promise<string> =>
    LINK.exec((await gateways.both[0].get(path, TEXT_JSON)).headers['link']!)![1]!

  beforeAll(async () => {
    await gateways.putOnly([
      ['a', 3, 1],
      ['b', 1, 1],
    ])
  })

  test('of another scan, table or store is refused', async () => {
    const token = await tokenOf('/t/*?page=1')
    await gateways.both[0].put('/u/schema', '{"ColumnSchema":[{"name":"f"}]}')
    const other = await startRestServer()
    const wrong = [
      `/t/a*?page=1&token=${token}`,
      `/t/*?page=1&reversed=true&token=${token}`,
      `/t/*?page=1&column=f&token=${token}`,
      `/u/*?page=1&token=${token}`,
    ]
    for (const path of wrong) {
      const { status, text } = await gateways.both[0].get(path, TEXT_JSON)
      expect([status, text]).toEqual([400, expect.stringContaining('another scan or another store')])
    }
    expect((await other.get(`/t/*?page=1&token=${token}`, TEXT_JSON)).status).toBe(400)
    await other.close()
    expect((await gateways.both[1].get(`/t/*?token=${token}`, TEXT_JSON)).status).toBe(200)
  })

  test('that is not the only one is refused', async () => {
    const token = await tokenOf('/t/*?page=1')
    for (const others of [`token=${token}`, 'token=']) {
      const { status, text } = await gateways.both[0].get(`/t/*?page=1&token=${token}&${others}`, TEXT_JSON)
      expect([status, text]).toEqual([400, expect.stringContaining('continues from one')])
    }
  })

  test('that is damaged anywhere is refused', async () => {
    const token = await tokenOf('/t/*?page=1&batchsize=2')
    const damaged = fc.tuple(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '0', '_', '', '='))
    await fc.assert(
      fc.asyncProperty(damaged, async ([at, character]) => {
        const text = token.slice(0, at) + character + token.slice(at + 1)
        fc.pre(text !== token)
        const reply = await gateways.both[0].get(`/t/*?page=1&batchsize=2&token=${text}`, TEXT_JSON)
        expect(reply.status).toBe(400)
      }),
      { numRuns: testRuns(60) },
    )
    for (const text of ['', 'x', '*', 'A'.repeat(40)]) {
      expect((await gateways.both[0].get(`/t/*?token=${text}`, TEXT_JSON)).status).toBe(400)
    }
  })

  test('of a later version is refused, and so is one made up', () => {
    const scan = scanDigest(['a'])
    const token = writeToken(scan, { row: Buffer.from('r'), cell: undefined, remaining: 7 })
    expect(readToken(token, scan)).toEqual({ row: Buffer.from('r'), cell: undefined, remaining: 7 })
    // PERSISTED: clients hold such tokens.
    expect(Buffer.from(token, 'base64url').toString('hex')).toMatch(/^01.{16}0200000007000172.{16}$/)
    const empty = writeToken(scan, { row: EMPTY, cell: undefined, remaining: undefined })
    expect(() => readToken(empty, scan)).toThrow('is damaged')
  })

  test.each(['PageFilter(2)', 'SKIP PageFilter(2)', "PrefixFilter('a') OR (WHILE RowFilter(=,'binary:a'))"])(
    'cannot be had with %s',
    async (text) => {
      const filter = encodeURIComponent(text)
      const reply = await gateways.both[0].get(`/t/*?page=1&filter=${filter}`, TEXT_JSON)
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('counts or ends rows')])
      const limited = await gateways.both[0].get(`/t/*?limit=1&filter=${filter}`, TEXT_JSON)
      expect(limited.headers['link']).toBeUndefined()
    },
  )

  test.each([
    ['page=0', TEXT_JSON, 400],
    ['page=-1', TEXT_JSON, 400],
    ['page=x', TEXT_JSON, 400],
    ['page=1', 'application/x-protobuf', 406],
  ])('is not had by ?%s as %s', async (query, accept, status) => {
    expect((await gateways.both[0].get(`/t/*?${query}`, accept)).status).toBe(status)
  })
})
