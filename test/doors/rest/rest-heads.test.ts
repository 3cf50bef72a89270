/** The status line of an answer and its headers beside the body's, as a real HBase 2.6.1 sends them. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchangeBytes } from '../../gateway/connections/exchange-bytes.ts'
import { type RestServer, startRestServer } from './rest-server.ts'
import { ARE_IN_THREADS } from './rest-threads.ts'

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
})

afterAll(() => server.close())

interface Head {
  readonly line: string
  readonly headers: ReadonlyMap<string, string>
}

async function head(
  request: string,
  headers: readonly string[] = [],
  version = '1.1',
  body = '',
): Promise<Head> {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [`${request} HTTP/${version}`, 'Host: h', ...headers, ...length]
  const answer = await exchangeBytes(server.port, `${lines.join('\r\n')}\r\n\r\n${body}`)
  const [line = '', ...rest] = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n')
  const pairs = rest.map((each) => each.split(': ') as [string, string])
  return { line, headers: new Map(pairs.map(([name, value]) => [name.toLowerCase(), value])) }
}

const JSON_BODY = 'Content-Type: application/json'
const GZIP = 'Accept-Encoding: gzip'

/** Of answers that HBase's servlet container makes; HBase's words for the status. */
const OF_THE_CONTAINER: [line: string, request: string, headers: string[], body: string][] = [
  ['405 Method Not Allowed', 'DELETE /version', [], ''],
  ['406 Not Acceptable', 'GET /version', ['Accept: application/foo'], ''],
  ['415 Unsupported Media Type', 'POST /t/r', ['Content-Type: text/foo'], 'x'],
  ['500 Server Error', 'PUT /t/r', [JSON_BODY], '{bad'],
]

test.each(OF_THE_CONTAINER)('%s is not zipped: %s', async (line, request, headers, body) => {
  const answer = await head(request, [...headers, GZIP], '1.1', body)
  expect(answer.line).toBe(`HTTP/1.1 ${line}`)
  expect(answer.headers.has('content-encoding')).toBe(false)
})

test.each([
  ['200 OK', 'GET /version'],
  ['404 Not Found', 'GET /t/nosuch'],
  ['404 Not Found', 'GET /nosuch/schema'],
])('%s of a resource is zipped: %s', async (line, request) => {
  const answer = await head(request, [GZIP])
  expect(answer.line).toBe(`HTTP/1.1 ${line}`)
  expect(answer.headers.get('content-encoding')).toBe('gzip')
})

test.each([
  ['/', 'HEAD,GET,OPTIONS'],
  ['/version', 'HEAD,GET,OPTIONS'],
  ['/t/schema', 'HEAD,DELETE,POST,GET,OPTIONS,PUT'],
  ['/t/r', 'HEAD,DELETE,POST,GET,OPTIONS,PUT'],
  ['/t/r/f:q', 'HEAD,DELETE,POST,GET,OPTIONS,PUT'],
  ['/t/multiget', 'HEAD,GET,OPTIONS'],
  ['/t/scanner', 'POST,OPTIONS,PUT'],
  ['/t/scanner/none', 'HEAD,DELETE,GET,OPTIONS'],
  ['/namespaces/default', 'HEAD,DELETE,POST,GET,OPTIONS,PUT'],
])('OPTIONS %s tells the methods %s', async (path, methods) => {
  for (const headers of [['Accept: application/json'], ['Accept: */*'], []]) {
    const answer = await head(`OPTIONS ${path}`, headers)
    expect(answer.line).toBe('HTTP/1.1 200 OK')
    expect(answer.headers.get('allow')?.split(',').toSorted()).toEqual(methods.split(',').toSorted())
  }
})

test('OPTIONS of no resource is a 404', async () => {
  expect((await head('OPTIONS /version//', ['Accept: application/json'])).line).toBe('HTTP/1.1 404 Not Found')
})

async function connectionOf(version: string, ...headers: string[]): Promise<string | undefined> {
  return (await head('GET /t/nosuch', headers, version)).headers.get('connection')
}

// The client has ended its side: an answer that comes later says that the connection closes.
const answersAtOnce = test.skipIf(ARE_IN_THREADS)

answersAtOnce('only a connection that closes, or stays open with HTTP/1.0, is spoken of', async () => {
  expect(await connectionOf('1.1')).toBeUndefined()
  expect(await connectionOf('1.1', 'Connection: keep-alive')).toBeUndefined()
  expect(await connectionOf('1.1', 'Connection: close')).toBe('close')
  expect(await connectionOf('1.0')).toBe('close')
  expect(await connectionOf('1.0', 'Connection: keep-alive')).toBe('keep-alive')
})
