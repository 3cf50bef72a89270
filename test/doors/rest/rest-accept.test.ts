/** Every GET resource, asked as the clients that people have at hand ask by default: the answers can be read. */

import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Reply, type RestServer, rowJson, startRestServer } from './rest-server.ts'

const OF_CLIENTS: Readonly<Record<string, string | undefined>> = {
  'Go, OkHttp': undefined,
  'curl, wget, HTTPie, Postman, Python': '*/*',
  'HTTPie with JSON': 'application/json, */*;q=0.5',
  axios: 'application/json, text/plain, */*',
  jQuery: 'text/plain, */*; q=0.01',
  'any application type': 'application/*',
  Chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'Firefox, Safari': 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'older Firefox':
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8',
  'URLConnection of Java': 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'later URLConnection of Java': 'text/html, image/gif, image/jpeg, */*; q=0.2',
  'a star': '*',
}

/** Documents are text, and cells XML; clients that put JSON first get JSON. */
const DOCUMENTS = [
  '/',
  '/version',
  '/version/rest',
  '/version/cluster',
  '/status/cluster',
  '/namespaces',
].concat('/namespaces/default', '/namespaces/default/tables', '/t/schema', '/t/regions')
const CELLS = [
  '/t/r1',
  '/t/r1/f',
  '/t/r1/f:a,f:b',
  '/t/r1/f:a?v=2',
  '/t/r1,r9',
  '/t/r*/f:a',
  '/t/r*',
  '/t/*',
].concat('/t/*?limit=1', '/t/multiget?row=r1&row=r2', '/t/multiget/f:a?row=r1')
const VALUES = ['/t/r1/f:a', '/t/r1/g:', '/t/r1/f:a/6', '/t/r1/f:a?v=1']

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
  await server.put(
    '/t/x',
    rowJson('r1', ['f:a', 'new', 5], ['f:a', 'old', 4], ['f:b', 'b', 5], ['g:', 'new', 5]),
  )
  await server.put('/t/x', rowJson('r2', ['f:a', 'other', 5]))
})

afterAll(() => server.close())

function asked(path: string, accept: string | undefined): Promise<Reply> {
  return server.ask('GET', path, accept === undefined ? {} : { headers: { Accept: accept } })
}

async function openScanner(): Promise<string> {
  const headers = { 'Content-Type': 'text/xml' }
  const { headers: answered } = await server.ask('PUT', '/t/scanner', {
    headers,
    body: '<Scanner batch="3"/>',
  })
  return new URL(answered['location']!).pathname
}

describe.each(Object.entries(OF_CLIENTS))('%s', (_, accept) => {
  const prefersJson = accept?.startsWith('application/') === true

  test.each(DOCUMENTS)('reads %s as text', async (path) => {
    const { status, headers, text } = await asked(path, accept)
    expect([status, headers['content-type']]).toEqual([200, prefersJson ? 'application/json' : 'text/plain'])
    expect(text).not.toBe('')
  })

  test.each(CELLS)('reads all cells of %s as XML', async (path) => {
    const { status, headers, text } = await asked(path, accept)
    expect([status, headers['content-type']]).toEqual([200, prefersJson ? 'application/json' : 'text/xml'])
    expect(text).toContain(prefersJson ? '"key":"cjE="' : '<Row key="cjE=">')
    const whole = await asked(path, prefersJson ? 'application/json' : 'text/xml')
    expect(text).toBe(whole.text)
  })

  test.each(VALUES)('reads the one value of %s as it is', async (path) => {
    const { status, headers, text } = await asked(path, accept)
    const wantsJson = accept?.startsWith('application/json') === true
    expect([status, headers['content-type']]).toEqual([
      200,
      wantsJson ? 'application/json' : 'application/octet-stream',
    ])
    expect(wantsJson || text === 'new').toBe(true)
  })

  test('loses no cell of a scanner', async () => {
    const path = await openScanner()
    const { status, headers, text } = await asked(path, accept)
    expect([status, headers['content-type']]).toEqual([200, prefersJson ? 'application/json' : 'text/xml'])
    expect(text.match(prefersJson ? /"column"/g : /<Cell /g)).toHaveLength(3)
    const rest = await asked(path, 'text/xml')
    expect(rest.text.match(/<Cell /g)).toHaveLength(2)
    await server.ask('DELETE', path)
  })

  test('learns what is there and what is not', async () => {
    expect((await asked('/t/exists', accept)).status).toBe(200)
    for (const path of [
      '/none/exists',
      '/none/schema',
      '/none/regions',
      '/none/r1',
      '/none/r1/f:a',
      '/t/none',
    ]) {
      const { status, headers, text } = await asked(path, accept)
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/plain'])
      expect(text).toMatch(/^Not found\r\n/)
    }
  })
})

test('curl prints what a person can read', { timeout: 30_000 }, async ({ skip }) => {
  if (spawnSync('curl', ['--version']).status !== 0) skip('this machine has no curl')
  const run = promisify(execFile)
  const curl = async (...args: string[]): Promise<string> =>
    (await run('curl', ['-sS', '--write-out', '\n%{http_code} %{content_type}', ...args])).stdout
  const url = `http://127.0.0.1:${server.port}`
  for (const path of DOCUMENTS) expect(await curl(url + path), path).toMatch(/[ -~]\n+200 text\/plain$/)
  for (const path of CELLS) expect(await curl(`${url}${path}`), path).toMatch(/<\/CellSet>\n200 text\/xml$/)
  for (const path of VALUES) expect(await curl(url + path), path).toBe('new\n200 application/octet-stream')
  expect(await curl(`${url}/none/r1`)).toBe('Not found\r\n\n404 text/plain')
  expect(await curl('-H', 'Accept: image/png', `${url}/t/r1`)).toMatch(
    /^this resource offers text\/xml, .* not image\/png\r\n\n406 /,
  )
})
