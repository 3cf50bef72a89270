import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode, HBaseError } from '../../../src/model/errors.ts'
import { type RestServer, startRestServer } from './rest-server.ts'

const PROBLEM = 'application/problem+json'

/** The error that the store throws next. */
let failure: ErrorCode = 'IO'
let server: RestServer

function refuse(): Promise<never> {
  return Promise.reject(new HBaseError(failure, `on purpose: ${failure}`))
}

beforeAll(async () => {
  const rows = { get: refuse, openScanner: refuse, mutate: refuse, mutateRow: refuse, mutateRows: refuse }
  server = await startRestServer({}, { rows })
})
afterAll(() => server.close())

async function problemOf(method: string, path: string, accept = PROBLEM, body?: string) {
  const reply = await server.ask(method, path, {
    headers: { Accept: accept },
    ...(body !== undefined && { body }),
  })
  expect(reply.headers['content-type']).toBe(PROBLEM)
  const problem = JSON.parse(reply.text) as Record<string, unknown>
  expect(problem).toMatchObject({ type: 'about:blank', status: reply.status })
  return problem
}

describe('problem details', () => {
  test.each(ERROR_CODES)('of %s, with the status that it has without them', async (code) => {
    failure = code
    const plain = await server.get('/t/r/f:q')
    const problem = await problemOf('GET', '/t/r/f:q')
    expect(problem).toMatchObject({ status: plain.status, instance: '/t/r/f:q', code })
    expect(problem['detail']).toBe(`on purpose: ${code}`)
    expect(String(problem['exception'])).toMatch(/^(?:org|java)\./)
    expect(problem['mayRetry']).toBe(new HBaseError(code, '').mayRetry)
    expect(plain.headers['content-type']).toBe('text/plain')
  })

  test.each([
    ['GET', '/version/nowhere', 404],
    ['GET', '/no-such/schema', 404],
    ['GET', '/no-such/exists', 404],
    ['PATCH', '/t/schema', 405],
    ['GET', '/t/%zz', 400],
    ['GET', '/t/r?v=x', 500],
    ['DELETE', '/t/scanner/none', 404],
    ['GET', '/t/multiget', 404],
    ['POST', '/t/schema', 400],
  ])('of %s %s', async (method, path, status) => {
    const { title, detail, ...problem } = await problemOf(method, path)
    expect(problem['status']).toBe(status)
    expect([typeof title, typeof detail]).toEqual(['string', 'string'])
  })

  test('tell that there is nothing from that there is no table', async () => {
    expect(await problemOf('GET', '/no-such/exists')).toMatchObject({
      code: 'NOTHING_FOUND',
      mayRetry: false,
    })
    expect(await problemOf('GET', '/no-such/schema')).toMatchObject({ code: 'TABLE_NOT_FOUND' })
  })

  test('only for those who take them', async () => {
    const accepts = ['*/*', 'application/*', `${PROBLEM};q=0, */*`, 'application/json']
    for (const accept of accepts) {
      expect((await server.get('/no-such/schema', accept)).headers['content-type']).toBe('text/plain')
    }
    await problemOf('GET', '/no-such/schema', `application/json, Application/Problem+JSON;q=0.1`)
  })

  test('a header that names nothing else asks for anything, and a 406 stays one', async () => {
    expect((await server.get('/', PROBLEM)).headers['content-type']).toBe('text/plain')
    expect((await server.get('/', `${PROBLEM}, application/json`)).headers['content-type']).toBe(
      'application/json',
    )
    expect(await problemOf('GET', '/', `image/png, ${PROBLEM}`)).toMatchObject({ status: 406 })
  })

  test('keep the headers of the error', async () => {
    const { headers } = await server.ask('PATCH', '/t/schema', { headers: { Accept: PROBLEM } })
    expect(headers['allow']).toContain('GET')
  })
})

describe('Retry-After', () => {
  const PASSING: readonly ErrorCode[] = [
    'THROTTLED',
    'OVERLOADED',
    'NOT_SERVING_REGION',
    'REGION_TOO_BUSY',
    'UNAVAILABLE',
    'TIMEOUT',
  ]

  test.each(ERROR_CODES)('where %s passes by itself', async (code) => {
    failure = code
    for (const accept of ['*/*', PROBLEM]) {
      const { headers } = await server.ask('DELETE', '/t/r', { headers: { Accept: accept } })
      expect(headers['retry-after']).toBe(PASSING.includes(code) ? '1' : undefined)
    }
  })
})
