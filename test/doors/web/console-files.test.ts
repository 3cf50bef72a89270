import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import { ConsoleClient } from './console-client.ts'

const FOLDER = fileURLToPath(new URL('console/', packageRoot()))
const FILES = readdirSync(FOLDER).filter((name) => name !== 'tsconfig.json')

let client: ConsoleClient
beforeAll(async () => {
  client = await ConsoleClient.start()
})
afterAll(() => client.server.stop())

test('every file is served as what it is, and asked for again without being sent again', async () => {
  for (const name of FILES) {
    const first = await client.ask(`/console/${name}`)
    expect([name, first.status, await first.text()]).toEqual([
      name,
      200,
      readFileSync(`${FOLDER}${name}`, 'utf8'),
    ])
    expect(first.headers.get('content-type')).toMatch(
      /^(?:text\/(?:html|css|javascript); charset=utf-8|image\/svg\+xml)$/,
    )
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await client.ask(`/console/${name}`, {
      headers: { 'If-None-Match': first.headers.get('etag')! },
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
  const index = await client.ask('/console/')
  expect(await index.text()).toBe(readFileSync(`${FOLDER}index.html`, 'utf8'))
  expect(index.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
  )
})

test('no other file can be asked for', async () => {
  for (const path of [
    'tsconfig.json',
    'nothing.js',
    '..%2fpackage.json',
    '%2e%2e/package.json',
    'app.js%00.html',
    'API/overview',
    'api/nothing',
    'api/toString',
    'api/',
  ]) {
    const answer = await client.ask(`/console/${path}`)
    expect([path, answer.status]).toEqual([path, 404])
  }
  expect((await client.ask('/console/app.js', { method: 'POST' })).status).toBe(405)
  expect((await client.ask('/consoles')).status).toBe(404)
  const head = await client.ask('/console/app.js', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await client.ask('/console', { redirect: 'manual' })).headers.get('location')).toBe('console/')
})

test('it is small, needs no other server, and makes no markup of text', () => {
  const bytes = FILES.reduce((sum, name) => sum + statSync(`${FOLDER}${name}`).size, 0)
  expect(bytes).toBeLessThan(200_000)
  for (const name of FILES) {
    const text = readFileSync(`${FOLDER}${name}`, 'utf8').replaceAll('http://www.w3.org/2000/svg', '')
    expect(text, name).not.toMatch(
      /https?:\/\/|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
    )
  }
})

test('the root leads browsers to the console, and other programs get the status', async () => {
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
  const led = await client.ask('/', { ...browser, redirect: 'manual' })
  expect([led.status, led.headers.get('location'), led.headers.get('vary')]).toEqual([
    302,
    'console/',
    'Accept',
  ])
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
    expect(await (await client.ask('/', { headers })).text()).toContain('Serving')
  const status = await client.ask('/master-status', browser)
  expect(status.status).toBe(200)
  expect(await status.text()).toContain('<a href="console/">Console</a>')
})
