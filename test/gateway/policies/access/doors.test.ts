/** Denials through every door in its own form, as recorded from a real HBase's gateways. */

import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'
import { THRIFT1, THRIFT2 } from '../../../doors/thrift/service/thrift-server.ts'
import { PemFolder } from '../../../harness/certificates.ts'
import { thriftPackage } from '../../../harness/thrift-package.ts'
import type { StubClient, ThriftStubs } from '../../../harness/thrift-stubs.ts'

const SECRET = 'a secret of thirty-two bytes or more, as HS256 needs'
const DENIED = 'org.apache.hadoop.hbase.security.AccessDeniedException'

let folder: PemFolder
let server: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  server = await startTidegate({
    jwtSecret: folder.file('secret', SECRET),
    authorization: true,
    superuser: 'super',
    groups: folder.file('groups', 'readers: reader, other\n'),
  })
  await answer('super', 'PUT', '/t/schema', '{"ColumnSchema":[{"name":"f"},{"name":"g"}]}')
  await answer('super', 'PUT', '/t/r', rowOf('f:q'))
  await answer('super', 'PUT', '/t/r', rowOf('g:q'))
  const thrift2 = await thrift(THRIFT2, 'super')
  await thrift2['grant']!(entity('@readers', 'R'))
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

function entity(username: string, actions: string): Record<string, unknown> {
  return { username, scope: 0, actions, tableName: 't' }
}

function text(value: string): string {
  return Buffer.from(value).toString('base64')
}

function rowOf(column: string): string {
  return JSON.stringify({ Row: [{ key: text('r'), Cell: [{ column: text(column), $: text('v') }] }] })
}

async function bearer(user: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 600
  const token = new SignJWT({ sub: user, exp }).setProtectedHeader({ alg: 'HS256' })
  return `Bearer ${await token.sign(Buffer.from(SECRET))}`
}

async function answer(
  user: string,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: await bearer(user),
    'content-type': 'application/json',
    accept: 'application/json',
  }
  const url = `http://127.0.0.1:${server.ports.rest}${path}`
  const reply = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  return { status: reply.status, text: await reply.text() }
}

async function thrift(stubs: ThriftStubs, user: string): Promise<StubClient> {
  const connection = thriftPackage.createHttpConnection('127.0.0.1', server.ports.thrift!, {
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
    path: '/',
    headers: { Authorization: await bearer(user) },
  })
  return thriftPackage.createHttpClient(stubs, connection) as StubClient
}

describe('REST', () => {
  test.each([
    ['GET', '/t/r', `user 'stranger' (table=t, action=READ)`],
    ['GET', '/t/r/f:q', `user 'stranger' (table=t, action=READ)`],
    ['GET', '/t/multiget?row=r', `user 'stranger' (table=t, action=READ)`],
    ['PUT', '/t/r', 'family=f:q, params=[table=default:t,family=f:q],action=WRITE)'],
    ['DELETE', '/t/r', 'family=f:|g:, params=[table=default:t,family=f:'],
    ['DELETE', '/t/r/f:q', 'family=f:q, params=[table=default:t,family=f:q],action=WRITE)'],
    ['GET', '/t/schema', 'params=[table=default:t,],action=CREATE)'],
    ['POST', '/t/schema', 'params=[table=default:t,],action=CREATE)'],
    ['DELETE', '/t/schema', 'params=[table=default:t,],action=CREATE)'],
    ['PUT', '/new/schema', 'params=[namespace=default,table=default:new,family=h],action=CREATE)'],
    ['POST', '/namespaces/nn', `user 'stranger' (global, action=ADMIN)`],
  ])('%s %s is 403', async (method, path, reason) => {
    const isSchema = path.endsWith('/schema') && method !== 'GET' && method !== 'DELETE'
    const isRow = method === 'PUT' && !isSchema
    const body = isSchema ? '{"ColumnSchema":[{"name":"h"}]}' : isRow ? rowOf('f:q') : undefined
    const { status, text } = await answer('stranger', method, path, body)
    expect([status, text.slice(0, 11)]).toEqual([403, 'Forbidden\r\n'])
    expect(text).toContain(DENIED)
    expect(text).toContain(reason.split('|')[0])
  })

  test('lists what its user may see', async () => {
    expect((await answer('stranger', 'GET', '/')).text).toBe('{"table":[]}')
    expect((await answer('reader', 'GET', '/')).text).toBe('{"table":[{"name":"t"}]}')
    expect((await answer('stranger', 'GET', '/status/cluster')).text).toMatch(
      /^\{"LiveNodes":\[\{"name":"[^"]+",.*"Region":\[\]\}\]/,
    )
    expect((await answer('stranger', 'GET', '/t/exists')).status).toBe(200)
    expect((await answer('stranger', 'GET', '/t/regions')).status).toBe(200)
    expect((await answer('stranger', 'GET', '/namespaces')).text).toBe('{"Namespace":[]}')
    expect((await answer('stranger', 'GET', '/none/r')).status).toBe(404)
    expect((await answer('reader', 'GET', '/t/r')).status).toBe(200)
    const globbed = await Promise.all(['/t/*', '/t/r*'].map((path) => answer('stranger', 'GET', path)))
    expect(globbed.map(({ status }) => status)).toEqual([403, 403])
  })
})

const READ = "Insufficient permissions for user 'stranger' (table=t, action=READ)"

test.each([
  ['getRow', ['t', 'r', {}], READ],
  ['mutateRow', ['t', 'r', [{ column: 'f:q', value: 'w' }], {}], 'family=f:q, params=['],
  ['getColumnDescriptors', ['t'], 'action=CREATE)'],
  ['disableTable', ['t'], 'action=CREATE)'],
  [
    'createTable',
    ['u', [{ name: 'f:' }]],
    'params=[namespace=default,table=default:u,family=f],action=CREATE)',
  ],
] as const)('Thrift 1 %s is an IOError', async (method, args, reason) => {
  const client = await thrift(THRIFT1, 'stranger')
  const failure = await client[method]!(...args).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'IOError', canRetry: false })
  expect((failure as Error).message).toContain(`${DENIED}: `)
  expect((failure as Error).message).toContain(reason)
})

test.each([
  ['get', ['t', { row: 'r' }], READ],
  [
    'put',
    ['t', { row: 'r', columnValues: [{ family: 'f', qualifier: 'q', value: 'v' }] }],
    'family=f:q, params=[',
  ],
  ['getScannerResults', ['t', {}, 1], READ],
  ['getTableDescriptor', [{ qualifier: 't' }], 'action=CREATE)'],
  ['getTableDescriptors', [[{ qualifier: 't' }]], 'action=CREATE)'],
  ['getNamespaceDescriptor', ['default'], 'params=[namespace=default,],action=ADMIN)'],
  ['grant', [entity('stranger', 'R')], 'params=[table=default:t,],action=ADMIN)'],
  ['revoke', [entity('reader', 'R')], 'params=[table=default:t,],action=ADMIN)'],
] as const)('Thrift 2 %s is a TIOError', async (method, args, reason) => {
  const client = await thrift(THRIFT2, 'stranger')
  const failure = await client[method]!(...args).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'TIOError', canRetry: false })
  expect((failure as Error).message).toContain(reason)
})

test('Thrift 2 grants beside what is granted, and revokes', async () => {
  const client = await thrift(THRIFT2, 'super')
  const asGained = await thrift(THRIFT2, 'gained')
  expect(await client['grant']!(entity('gained', 'W'))).toBe(true)
  await expect(asGained['get']!('t', { row: 'r' })).rejects.toMatchObject({ name: 'TIOError' })
  expect(await client['grant']!(entity('gained', 'R'))).toBe(true)
  await expect(asGained['get']!('t', { row: 'r' })).resolves.toBeDefined()
  expect(await client['revoke']!(entity('gained', 'R'))).toBe(true)
  await expect(asGained['get']!('t', { row: 'r' })).rejects.toMatchObject({ name: 'TIOError' })
  const put = { row: 'r', columnValues: [{ family: 'f', qualifier: 'q', value: 'v' }] }
  await expect(asGained['put']!('t', put)).resolves.toBeUndefined()
  for (const wrong of [
    { username: 'x', scope: 0, actions: 'R' },
    entity('x', 'Z'),
    { username: 'x', scope: 1, actions: 'R' },
  ])
    await expect(client['grant']!(wrong)).rejects.toMatchObject({ name: 'TIOError' })
})

test.each(['C', 'RWC', 'A'])(
  'Thrift 1 compacts a table or its region, by either name, for who has %s',
  async (actions) => {
    const user = `upkeep-${actions}`
    await (await thrift(THRIFT2, 'super'))['grant']!(entity(user, actions))
    const [client, stranger] = [await thrift(THRIFT1, user), await thrift(THRIFT1, 'stranger')]
    const [region] = (await client['getTableRegions']!('t')) as [{ readonly name: Buffer }]
    for (const method of ['compact', 'majorCompact'])
      for (const name of ['t', region.name]) {
        await expect(client[method]!(name)).resolves.toBeUndefined()
        const failure = await stranger[method]!(name).catch((error: unknown) => error)
        expect((failure as Error).message).toContain('params=[table=default:t,],action=CREATE)')
      }
  },
)
