/** Large descriptions of scanners are decoded in threads, and are answered as small ones are. */

import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeScanner } from '../../../src/doors/rest/decoding/decode-scanner.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { DecodeThreads, LARGE_BODY_BYTES } from '../../../src/gateway/requests/decoding/decode-threads.ts'
import { base64, type Reply, type RestServer, startRestServer } from './rest-server.ts'

const PARTS = 8000
let decoding: DecodeThreads
/** Decodes large bodies in threads; and one that decodes them itself. */
let server: RestServer
let plain: RestServer

beforeAll(async () => {
  decoding = new DecodeThreads({ logger: pino({ level: 'silent' }) })
  server = await startRestServer({}, {}, undefined, {}, new MemoryBudget(), decoding)
  plain = await startRestServer({})
  const cell = `"Cell":[{"column":"${base64('f:q')}","timestamp":5,"$":"dg=="}]`
  const Row = ['a', 'b'].map((key) => `{"key":"${base64(key)}",${cell}}`)
  const headers = { 'Content-Type': 'application/json' }
  for (const each of [server, plain])
    await each.ask('PUT', '/t/rows', { headers, body: `{"Row":[${Row.join(',')}]}` })
})
afterAll(async () => {
  await server.close()
  await plain.close()
  await decoding.close()
})

const prefixes = ['b', ...Array.from({ length: PARTS }, (_, i) => `missing prefix ${i}`)]
const filter = JSON.stringify({
  type: 'FilterList',
  op: 'MUST_PASS_ONE',
  filters: prefixes.map((prefix) => ({ type: 'PrefixFilter', value: base64(prefix) })),
})
const inLanguage = prefixes.map((prefix) => `PrefixFilter('${prefix}')`).join(' OR ')
const columns = ['f:q', ...Array.from({ length: PARTS }, (_, i) => `f:other${i}`)].map(base64)

const FORMS: readonly (readonly [string, string])[] = [
  ['application/json', JSON.stringify({ filter, column: columns, batch: 10 })],
  [
    'text/xml',
    `<Scanner batch="10"><filter>${filter}</filter>${columns.map((each) => `<column>${each}</column>`).join('')}</Scanner>`,
  ],
  ['application/json;cells=text', JSON.stringify({ filter: inLanguage, batch: 10 })],
]

function open(at: RestServer, type: string, body: string): Promise<Reply> {
  return at.ask('PUT', '/t/scanner', { headers: { 'Content-Type': type }, body })
}

async function found(at: RestServer, type: string, body: string): Promise<{ status: number; text: string }> {
  const opened = await open(at, type, body)
  expect(opened.status).toBe(201)
  const { status, text } = await at.get(new URL(String(opened.headers['location'])).pathname)
  return { status, text }
}

test.each(FORMS)('in %s', async (type, body) => {
  expect(body.length).toBeGreaterThan(LARGE_BODY_BYTES)
  const read = await found(server, type, body)
  expect(read).toEqual(await found(plain, type, body))
  expect(read.text).toContain(base64('b'))
  expect(read.text).not.toContain(`"${base64('a')}"`)
})

test.each(FORMS)('in %s, cut short, is refused like a small one', async (type, body) => {
  const refused = await open(server, type, body.slice(0, -2))
  const { status, text } = await open(plain, type, body.slice(0, -2))
  expect({ status: refused.status, text: refused.text }).toEqual({ status, text })
  expect(status).toBeGreaterThanOrEqual(400)
})

test('the event loop turns while it is decoded', async () => {
  let turns = 0
  let counting = setImmediate(function count() {
    turns++
    counting = setImmediate(count)
  })
  const body = Buffer.from(FORMS[0]![1])
  const spec = await decodeScanner(
    { limits: DEFAULT_LIMITS, decoding },
    { type: 'application/json', body: Buffer.from(body) },
  )
  clearImmediate(counting)
  expect(spec.filter).toBe(filter)
  expect(spec.columns).toHaveLength(PARTS + 1)
  expect(turns).toBeGreaterThan(2)
})
