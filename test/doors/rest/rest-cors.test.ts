import { afterEach, describe, expect, test } from 'vitest'
import { type Reply, type RestServer, startRestServer } from './rest-server.ts'

const PAGE = 'https://page.example'

let server: RestServer
afterEach(() => server.close())

const open = async (...corsOrigins: string[]) => {
  server = await startRestServer({}, {}, undefined, { corsOrigins })
}
const ask = (method: string, path: string, headers: Record<string, string>) =>
  server.ask(method, path, { headers })
const preflight = (origin: string, more: Record<string, string> = {}) =>
  ask('OPTIONS', '/t/r', { Origin: origin, 'Access-Control-Request-Method': 'PUT', ...more })
const corsHeaders = ({ headers }: Reply) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control') || name === 'vary'),
  )

describe('scripts of other origins', () => {
  test('get nothing unless an origin is allowed', async () => {
    await open()
    expect(corsHeaders(await ask('GET', '/', { Origin: PAGE }))).toEqual({})
    const reply = await preflight(PAGE)
    // As any OPTIONS: the methods of the resource, and no word for a browser.
    expect([reply.status, corsHeaders(reply)]).toEqual([200, {}])
  })

  test('get answers and errors where their origin is allowed, without credentials', async () => {
    await open(PAGE, 'http://localhost:3000')
    for (const path of ['/', '/no-such/schema', '/t/%zz', '/t/none', '/t/*']) {
      expect(corsHeaders(await ask('GET', path, { Origin: PAGE }))).toEqual({
        'access-control-allow-origin': PAGE,
        'access-control-expose-headers': 'Link, Location, Retry-After, X-Column, X-Row, X-Timestamp',
        vary: 'Origin',
      })
    }
    const other = await ask('GET', '/', { Origin: 'https://page.example.evil.example' })
    expect(corsHeaders(other)).toEqual({ vary: 'Origin' })
    expect(corsHeaders(await ask('GET', '/', {}))).toEqual({ vary: 'Origin' })
  })

  test('may ask first', async () => {
    await open(PAGE)
    const reply = await preflight(PAGE, { 'Access-Control-Request-Headers': 'content-type' })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(corsHeaders(reply)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    })
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
    expect(corsHeaders(await preflight('https://other.example'))).toEqual({ vary: 'Origin' })
    expect(
      (await ask('OPTIONS', '/t/schema', { Origin: PAGE })).headers['access-control-allow-methods'],
    ).toBeUndefined()
  })

  test('of every origin may come in where all are allowed', async () => {
    await open('*')
    expect(corsHeaders(await ask('GET', '/', { Origin: 'null' }))).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Link, Location, Retry-After, X-Column, X-Row, X-Timestamp',
    })
    expect((await preflight('null')).status).toBe(204)
  })
})
