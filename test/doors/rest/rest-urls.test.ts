import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testRuns } from '../../harness/test-runs.ts'
import { type Reply, type RestServer, startRestServer } from './rest-server.ts'

/** Each run asks some twenty requests. */
vi.setConfig({ testTimeout: 120_000 })

let server: RestServer
beforeAll(async () => {
  server = await startRestServer()
})
afterAll(() => server.close())

const numRuns = testRuns(20)
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((each) => Buffer.from(each))

function percent(key: Buffer | string): string {
  return Array.from(Buffer.from(key), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

/** As little escaped as a path or query allows: the rest is raw UTF-8, a character for each byte. */
function raw(key: string): string {
  return Buffer.from(key.replace(/[\0-\x20%+#?&/,;*={}]/g, percent)).toString('latin1')
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1')
}

/** The rows and columns of an answer, as text. */
function found(reply: Reply): string[] {
  expect(reply.status, reply.text).toBe(200)
  const { Row } = JSON.parse(reply.text) as { Row: { key: string; Cell: { column: string }[] }[] }
  return Row.flatMap(({ key, Cell }) => Cell.map(({ column }) => `${decoded(key)} ${decoded(column)}`))
}

/** Each put is later than the deletes before it, which would hide it. */
let time = 0

/** The table `t` with one cell: row and qualifier are the key. */
async function holding(key: Buffer): Promise<string> {
  const column = Buffer.concat([Buffer.from('f:'), key]).toString('base64')
  const cell = `{"column":"${column}","timestamp":${++time},"$":"dg=="}`
  const put = await server.put('/t/x', `{"Row":[{"key":"${key.toString('base64')}","Cell":[${cell}]}]}`)
  expect(put.status, put.text).toBe(200)
  return `${key.toString('latin1')} f:${key.toString('latin1')}`
}

async function empty(key: Buffer): Promise<void> {
  const column = Buffer.concat([Buffer.from('f:'), key]).toString('base64url')
  const deleted = await server.ask('DELETE', `/t/${key.toString('base64url')}/${column}/${time}?e=b64`)
  expect(deleted.status).toBe(200)
}

/** Paths that each lead to the one cell, by the key as it is written. */
function pathsTo(key: string): string[] {
  return [
    `/t/${key}`,
    `/t/${key}/f:${key}`,
    `/t/${key},${key}`,
    `/t/${key}*`,
    `/t/*?startrow=${key}`,
    `/t/*?startrow=${key}&endrow=${key}%00`,
    `http://some.host/t/${key}?v=1#${key}`,
  ]
}

test('a row and a column of any text are found, escaped or raw, wherever a URL names them', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (key) => {
      // A NUL or a star at the end of a path means something else.
      fc.pre(!/\0|[*]$/.test(key))
      const cell = await holding(Buffer.from(key))
      try {
        const twice = percent(percent(key))
        const paths = [
          ...pathsTo(percent(key)),
          ...pathsTo(raw(key)),
          `/t/multiget?row=${twice}`,
          `/t/multiget?row=nothing&row=${twice}/f:${twice}`,
        ]
        for (const path of paths) expect(found(await server.get(path)), path).toEqual([cell])
      } finally {
        await empty(Buffer.from(key))
      }
    }),
    { numRuns, endOnFailure: true },
  )
})

test('a filter, a column of a scan and one of a multiget are any text', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (key) => {
      fc.pre(!/[\0-\x20,/]|multiget/.test(key))
      const cell = await holding(Buffer.from(key))
      try {
        const filter = `ColumnPrefixFilter('${key.replaceAll("'", "''")}')`
        const rows = percent(percent(key))
        const paths = [
          ...[percent(key), raw(key)].flatMap((each) => [
            `/t/*?column=f:${each}`,
            `/t/multiget/f:${each}?row=${rows}`,
          ]),
          ...[percent(filter), raw(filter)].flatMap((each) => [
            `/t/*?filter=${each}`,
            `/t/multiget?row=${rows}&filter=${each}`,
          ]),
          `/t/*?filter_b64=${Buffer.from(filter).toString('base64url')}`,
        ]
        for (const path of paths) expect(found(await server.get(path)), path).toEqual([cell])
      } finally {
        await empty(Buffer.from(key))
      }
    }),
    { numRuns, endOnFailure: true },
  )
})

test('all bytes are exact in base64', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (key) => {
      const cell = await holding(key)
      try {
        const column = Buffer.concat([Buffer.from('f:'), key])
        const [row, name] = [key.toString('base64url'), column.toString('base64url')]
        const basic = [key, column].map((each) => encodeURIComponent(each.toString('base64')))
        const paths = [
          `/t/${row}?e=b64`,
          `/t/${row}/${name}?e=base64url`,
          `/t/${basic.join('/')}?e=b64basic`,
          `/t/multiget?row=${row}/${name}&e=b64`,
          `/t/${row},${Buffer.concat([key, Buffer.of(0)]).toString('base64url')}?e=b64`,
        ]
        for (const path of paths) expect(found(await server.get(path)), path).toEqual([cell])
      } finally {
        await empty(key)
      }
    }),
    { numRuns, endOnFailure: true },
  )
})

test('a path may name what a put writes and a delete deletes, raw or escaped', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (key) => {
      fc.pre(!/\0|[*]$/.test(key))
      const column = Buffer.from(key).toString('latin1')
      for (const each of [percent(key), raw(key)]) {
        const put = await server.ask('PUT', `/t/${each}/f:${each}`, {
          headers: { 'Content-Type': 'application/octet-stream', 'X-Timestamp': String(++time) },
          // Node's client would write a path as UTF-8 in front of a text.
          body: Buffer.from('v'),
        })
        expect(put.status, put.text).toBe(200)
        expect(found(await server.get('/t/*'))).toEqual([`${column} f:${column}`])
        expect((await server.ask('DELETE', `/t/${each}/f:${each}/${time}`)).status).toBe(200)
        expect((await server.get(`/t/${percent(key)}`)).status).toBe(404)
      }
    }),
    { numRuns, endOnFailure: true },
  )
})

test('bytes that are not UTF-8 are refused raw, and U+FFFD escaped', async () => {
  await holding(Buffer.from('\ufffd'))
  for (const each of ['\xff', '\xe9', '\xed\xa0\x80', '\xc0\xaf', '\xe2\x82']) {
    expect((await server.ask('GET', `/t/${each}`)).status).toBe(400)
    expect((await server.ask('GET', `/t/*?startrow=${each}`)).status).toBe(400)
  }
  for (const each of ['%FF', '%E9', '%ed%a0%80', '%E2%82']) {
    expect(found(await server.get(`/t/${each}`))).toHaveLength(1)
    expect(found(await server.get(`/t/multiget?row=${each}`))).toHaveLength(1)
    expect(found(await server.get(`/t/*?startrow=${each}`))).toHaveLength(1)
  }
  await empty(Buffer.from('\ufffd'))
})
