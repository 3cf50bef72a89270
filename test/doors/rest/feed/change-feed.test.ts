/** The change feed of the REST door, as its clients read it. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ChangeTokens, placeBehind } from '../../../../src/wire/changes/change-token.ts'
import { StoreUnderTest, TABLE } from '../../../adapters/native/store-under-test.ts'
import { type RestServer, startRestServer } from '../rest-server.ts'
import { type FeedLine, FeedReader, TEXT_LINES } from './feed-reader.ts'

let session: StoreUnderTest
let server: RestServer
let open: FeedReader[]

beforeEach(async () => {
  session = await StoreUnderTest.open(
    { wal: { logBytesMax: 2000, syncEveryBytes: 500 } },
    undefined,
    Math.random,
  )
  server = await startRestServer({}, {}, session.store)
  open = []
})

afterEach(async () => {
  for (const feed of open) feed.close()
  await server.close()
})

async function feedOf(path: string, headers?: Record<string, string>): Promise<FeedReader> {
  const feed = await FeedReader.open(server.port, path, headers)
  open.push(feed)
  return feed
}

/** A feed whose first line, with the token of now, has come. */
async function begun(path = '/t/*?changes='): Promise<FeedReader> {
  const feed = await feedOf(path)
  expect(feed.status).toBe(200)
  expect((await feed.line())?.heartbeat).toBe(true)
  return feed
}

function keysOf(lines: readonly FeedLine[]): (string | undefined)[] {
  return lines.map(({ key }) => key)
}

describe('lines', () => {
  test('come in order with the cells, their types and a token', async () => {
    const feed = await begun()
    await server.put(
      '/t/a',
      '{"Row":[{"key":"YQ==","Cell":[{"column":"ZjpxAf8=","timestamp":5,"$":"AAE="}]}]}',
    )
    await server.ask('DELETE', '/t/a/f:x/7')
    await server.ask('DELETE', '/t/a/f:x')
    await server.ask('DELETE', '/t/a/g')
    const lines = await feed.changes(4)
    expect(lines.map(({ cells }) => cells)).toMatchObject([
      [{ column: 'f:q\\x01\\xFF', timestamp: 5, type: 'Put', value: '\\x00\\x01' }],
      [{ column: 'f:x', timestamp: 7, type: 'DeleteColumn' }],
      [{ column: 'f:x', type: 'DeleteColumn' }],
      [{ column: 'g:', type: 'DeleteFamily' }],
    ])
    expect(new Set(lines.map(({ token }) => token)).size).toBe(4)
    expect(feed.headers).toMatchObject({ 'content-type': TEXT_LINES, 'cache-control': 'no-cache' })
  })

  test('have bytes as base64 unless text is asked for', async () => {
    const feed = await feedOf('/t/*?changes', { Accept: '*/*' })
    expect(feed.headers['content-type']).toBe('application/x-ndjson')
    await session.put(['a'], { value: 'v' })
    await feed.line()
    const line = (await feed.change()) as unknown as { key: string; Cell: Record<string, unknown>[] }
    expect(line.key).toBe('YQ==')
    expect(line.Cell).toMatchObject([{ type: 'Put', $: 'dg==' }])
    const text = await feedOf('/t/*?changes&cells=text', { Accept: '*/*' })
    expect(text.headers['content-type']).toBe(TEXT_LINES)
  })

  test('are of the prefix and the columns, and of tombstones of their families', async () => {
    const rows = await begun('/t/ab*?changes=')
    const columns = await begun('/t/*/f:q,g?changes=')
    await server.put('/t/abc/f:q', '{"Row":[{"key":"YWJj","Cell":[{"column":"Zjpx","$":"AAE="}]}]}')
    await server.put('/t/b/f:z', '{"Row":[{"key":"Yg==","Cell":[{"column":"Zjp6","$":"AAE="}]}]}')
    await server.ask('DELETE', '/t/ac/f')
    await session.put(['abd'], { family: 'g' })
    expect(keysOf(await rows.changes(2))).toEqual(['abc', 'abd'])
    const [first, second, third] = await columns.changes(3)
    expect([first, second, third].map((line) => [line?.key, line?.cells?.[0]?.type])).toEqual([
      ['abc', 'Put'],
      ['ac', 'DeleteFamily'],
      ['abd', 'Put'],
    ])
  })

  test('go on behind any token, also within a batch of rows', async () => {
    const feed = await begun()
    await session.put(['a', 'b', 'c'])
    await session.put(['d'])
    const lines = await feed.changes(4)
    for (const [index, { token }] of lines.entries()) {
      const again = await feedOf(`/t/*?changes=${token}`)
      const rest = ['a', 'b', 'c', 'd'].slice(index + 1)
      expect(keysOf(await again.changes(rest.length))).toEqual(rest)
      again.close()
    }
    const oldest = await feedOf('/t/*?changes=oldest')
    expect(keysOf(await oldest.changes(4))).toEqual(['a', 'b', 'c', 'd'])
  })

  test('of a batch go on with its own rows only: none of a later batch that begins with the same rows is left out', async () => {
    const feed = await begun()
    await session.put(['a', 'b'], { family: 'f' })
    await session.put(['a', 'b'], { family: 'g' })
    const [first] = await feed.changes(1)
    const others = await feedOf(`/t/*/g?changes=${first?.token}`)
    expect(keysOf(await others.changes(2))).toEqual(['a', 'b'])
  })

  test('go on after a kill of the server, as long as the log is kept', async () => {
    const kept = await StoreUnderTest.open({ changesKeepBytes: 1 << 20 }, undefined, Math.random)
    const before = await startRestServer({}, {}, kept.store)
    await kept.put(['a', 'b'])
    const feed = await FeedReader.open(before.port, '/t/*?changes=oldest')
    const token = (await feed.change())?.token
    const again = await kept.killed({ changesKeepBytes: 1 << 20 })
    feed.close()
    await before.close()
    const after = await startRestServer({}, {}, again.store)
    await again.put(['c'])
    const rest = await FeedReader.open(after.port, `/t/*?changes=${token}`)
    expect(keysOf(await rest.changes(2))).toEqual(['b', 'c'])
    rest.close()
    await after.close()
  })

  test('come as events, whose ids are tokens that a client which connects again sends', async () => {
    const events = await feedOf('/t/*?changes&cells=text', { Accept: 'text/event-stream' })
    expect(events.headers['content-type']).toBe('text/event-stream')
    await session.put(['a', 'b'])
    const texts: (string | undefined)[] = []
    while (texts.length < 7) texts.push(await events.text())
    expect(texts[0]).toBe('event: heartbeat')
    expect([texts[3], texts[6]]).toEqual(['', ''])
    const [id, data] = [texts[4]!, texts[5]!]
    const line = JSON.parse(data.slice('data: '.length)) as FeedLine
    expect(id).toBe(`id: ${line.token}`)
    expect(line.key).toBe('a')
    const again = await feedOf('/t/*?changes', { Accept: TEXT_LINES, 'Last-Event-ID': line.token })
    expect((await again.change())?.key).toBe('b')
  })

  test('are tokens alone while there is no change', async () => {
    const feed = await begun('/t/*?changes=&heartbeat=0.1')
    const { token } = feed
    await server.store.catalog.createTable(
      { ...(await server.store.catalog.table(TABLE, OWN_CALL)), name: parseTableName('other') },
      [],
      OWN_CALL,
    )
    expect(await feed.line()).toMatchObject({ heartbeat: true })
    await session.put(['a'])
    expect((await feed.change())?.key).toBe('a')
    expect(feed.token).not.toBe(token)
  })

  test('are sent as they are made to a client that takes zipped answers', async () => {
    const feed = await feedOf('/t/*?changes', { Accept: TEXT_LINES, 'Accept-Encoding': 'gzip' })
    expect(feed.headers['content-encoding']).toBeUndefined()
    expect(await feed.line()).toMatchObject({ heartbeat: true })
  })
})

describe('a feed ends with a line', () => {
  test('where the server stops', async () => {
    const feed = await begun()
    const stopped = server.close()
    expect(await feed.line()).toMatchObject({
      error: { code: 'UNAVAILABLE', detail: 'the server stops', mayRetry: true },
      token: feed.token,
    })
    expect(await feed.line()).toBeUndefined()
    await stopped
    server = await startRestServer()
  })

  test('where its table is disabled or dropped', async () => {
    const feed = await begun('/t/*?changes=&heartbeat=0.1')
    await server.store.catalog.disableTable(TABLE, OWN_CALL)
    expect(await feed.change()).toMatchObject({ error: { code: 'TABLE_NOT_ENABLED', mayRetry: true } })
    expect(await feed.line()).toBeUndefined()
    expect((await feedOf('/t/*?changes=')).status).toBe(503)
    await server.store.catalog.enableTable(TABLE, OWN_CALL)
    const again = await begun('/t/*?changes=&heartbeat=0.1')
    await server.store.catalog.disableTable(TABLE, OWN_CALL)
    await server.store.catalog.deleteTable(TABLE, OWN_CALL)
    expect((await again.change())?.error).toBeDefined()
    expect((await feedOf('/t/*?changes=')).status).toBe(404)
  })

  test('where the log is lost behind it', async () => {
    const feed = await begun()
    await session.put(['a'])
    const { token } = (await feed.change())!
    for (let row = 0; row < 40; row++) await session.put([`r${row}`])
    await session.flush()
    const lost = await feedOf(`/t/*?changes=${token}`)
    expect([lost.status, await lost.rest()]).toEqual([410, expect.stringContaining('not kept any more')])
  })
})

describe('refusals', () => {
  test.each([
    ['/t/*?changes=abc', 400, 'malformed'],
    ['/t/*?changes=&heartbeat=0', 400, 'heartbeat'],
    ['/t/*?changes=&heartbeat=x', 400, 'heartbeat'],
    ['/t/*?changes=&cells=xml', 400, 'cells'],
    ['/t/*/f/5?changes=', 400, 'timestamps'],
    ['/none/*?changes=', 404, 'Not found'],
    ['/t/*/none:q?changes=', 404, 'Not found'],
  ])('%s', async (path, status, text) => {
    const refused = await feedOf(path)
    expect([refused.status, await refused.rest()]).toEqual([status, expect.stringContaining(text)])
  })

  test('another type, and other methods', async () => {
    expect((await feedOf('/t/*?changes=', { Accept: 'text/xml' })).status).toBe(406)
    expect((await server.ask('POST', '/t/*?changes=')).status).toBe(405)
    const head = await server.ask('HEAD', '/t/*?changes=')
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'application/x-ndjson', ''])
    expect(server.counters.feeds?.size).toBe(0)
  })

  test('a row is read as ever: HBase ignores what it does not know', async () => {
    await session.put(['a'])
    expect((await server.get('/t/a?changes=')).status).toBe(200)
  })

  test('tokens of another store, and of a later state of this one', async () => {
    const other = new ChangeTokens('another').text(placeBehind(1))
    expect((await feedOf(`/t/*?changes=${other}`)).status).toBe(409)
    const later = new ChangeTokens(await session.store.clusterId()).text(placeBehind(1e6))
    const refused = await feedOf(`/t/*?changes=${later}`)
    expect([refused.status, await refused.rest()]).toEqual([409, expect.stringContaining('does not have')])
  })

  test('a store without changes', async () => {
    const plain = await startRestServer()
    const refused = await plain.get('/t/*?changes=', '*/*')
    expect([refused.status, refused.text]).toEqual([501, expect.stringContaining('replication')])
    await plain.close()
  })
})
