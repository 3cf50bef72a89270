/** What the door does for browsers and against pages that misuse them. */

import { request } from 'node:https'
import { afterEach, expect, test } from 'vitest'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../src/library/start-tidegate.ts'
import { Authority, PemFolder } from '../../harness/certificates.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64)'
const ENABLED = 'hbase.rest.csrf.enabled=true'

let server: Tidegate | undefined

afterEach(() => server?.stop())

async function ask(
  options: TidegateOptions,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<[number, string]> {
  server = await startTidegate({ thrift: 'off', ...options })
  const answer = await fetch(`http://127.0.0.1:${server.ports.rest}/namespaces/n`, { method, headers })
  return [answer.status, await answer.text()]
}

const MISSING: [number, string] = [400, 'Missing Required Header for CSRF Vulnerability Protection\r\n']

test('a browser that changes something must send the header, other clients and reads need not', async () => {
  const define = [ENABLED]
  expect(await ask({ define }, 'POST', { 'user-agent': BROWSER })).toEqual(MISSING)
  const { port } = { port: server!.ports.rest }
  const status = async (method: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/namespaces/n`, { method, headers })).status
  expect(await status('GET', { 'user-agent': BROWSER })).not.toBe(400)
  expect(await status('POST', { 'user-agent': BROWSER, 'x-xsrf-header': '' })).toBe(201)
  expect(await status('DELETE', { 'user-agent': 'Opera/9.80' })).toBe(400)
  expect(await status('DELETE', { 'user-agent': 'curl/8 Mozilla' })).toBe(200)
})

test.each([
  [['hbase.rest-csrf.custom-header=X-Mine'], { 'x-xsrf-header': '' }, 400],
  [['hbase.rest-csrf.custom-header=X-Mine'], { 'x-mine': '' }, 201],
  [['hbase.rest.csrf.custom.header=X-Mine'], { 'x-mine': '' }, 201],
  [['hbase.rest-csrf.methods-to-ignore=GET,POST'], {}, 201],
  [['hbase.rest-csrf.browser-useragents-regex=^Lynx.*,^Links.*'], {}, 201],
])('with %j a browser with %j is answered %i', async (keys, headers, status) => {
  const [answered] = await ask({ define: [ENABLED, ...keys] }, 'POST', { 'user-agent': BROWSER, ...headers })
  expect(answered).toBe(status)
})

test('without the setting nothing is asked for', async () => {
  expect((await ask({}, 'POST', { 'user-agent': BROWSER }))[0]).toBe(201)
})

test.each([
  ['hbase.rest-csrf.browser-useragents-regex=(', 'hbase.rest-csrf.browser-useragents-regex'],
  ['hbase.rest-csrf.custom-header=a b', 'It must be the name of a header'],
  ['hbase.http.filter.csp.value=a\u0007', 'It must be the value of a header'],
])('%j keeps a server from starting', async (key, words) => {
  await expect(startTidegate({ define: [ENABLED, key] })).rejects.toThrow(words)
})

function secured(headers: Readonly<Record<string, unknown>>): unknown[] {
  return ['x-frame-options', 'strict-transport-security', 'content-security-policy', 'set-cookie'].map(
    (name) => headers[name],
  )
}

test('headers against frames and scripts are those of HBase, and no answer sets a cookie', async () => {
  server = await startTidegate({ thrift: 'off' })
  const plain = await fetch(`http://127.0.0.1:${server.ports.rest}/version`)
  expect(secured(Object.fromEntries(plain.headers))).toEqual(['DENY', undefined, undefined, undefined])
  await server.stop()
  const define = ['hbase.http.filter.xframeoptions.mode=SAMEORIGIN', 'hbase.http.filter.csp.value=none']
  server = await startTidegate({ thrift: 'off', define })
  const stated = await fetch(`http://127.0.0.1:${server.ports.rest}/version`)
  expect(secured(Object.fromEntries(stated.headers))).toEqual(['SAMEORIGIN', undefined, 'none', undefined])
})

test('over TLS those that ask for more of it, too', async () => {
  const folder = new PemFolder()
  try {
    const { certificate, key } = await (await Authority.make()).issue({
      name: 'localhost',
      hosts: ['localhost'],
    })
    const [tlsCertificate, tlsKey] = [folder.file('crt', certificate), folder.file('key', key)]
    server = await startTidegate({ thrift: 'off', tlsCertificate, tlsKey })
    const { port } = { port: server.ports.rest }
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      const sent = request({ port, path: '/version', rejectUnauthorized: false, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.headers)
      })
      sent.once('error', reject).end()
    })
    const policy = "default-src https: data: 'unsafe-inline' 'unsafe-eval'"
    expect(secured(headers)).toEqual([
      'DENY',
      'max-age=63072000;includeSubDomains;preload',
      policy,
      undefined,
    ])
  } finally {
    folder.remove()
  }
})
