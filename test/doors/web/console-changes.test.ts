import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { writeUser } from '../../../src/gateway/identity/guard/passwords/users-file.ts'
import type { TidegateOptions } from '../../../src/library/start-tidegate.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'
import { b64, ConsoleClient, type ShownPage } from './console-client.ts'

let client: ConsoleClient
afterEach(() => client.server.stop())

async function started(options: TidegateOptions = {}): Promise<ConsoleClient> {
  client = await ConsoleClient.start({ consoleWrites: true, ...options })
  return client
}

const TABLE = { kind: 'createTable', table: 't', families: [{ name: b64('f'), versions: '2' }] }

async function refusal(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<[number, string]> {
  const answer = await client.send(body, headers)
  const { code } = (await answer.json()) as { code: string }
  return [answer.status, code]
}

test('nothing is changed unless a setting lets the console do it', async () => {
  await started({ consoleWrites: false })
  expect(await refusal(TABLE)).toEqual([403, 'READ_ONLY'])
  expect(await client.read('overview')).toMatchObject({ writes: false })
  await client.server.stop()
  await started({ readOnly: true })
  expect(await refusal(TABLE)).toEqual([403, 'READ_ONLY'])
  expect(await client.read('overview')).toMatchObject({ writes: false })
})

test('tables are made, cells put and deleted, rows deleted', async () => {
  await started()
  await client.change(TABLE)
  expect(await refusal(TABLE)).toEqual([409, 'TABLE_EXISTS'])
  const row = Buffer.from([0, 0xff, 0x5c]).toString('base64')
  await client.put('t', row, b64('a'))
  await client.put('t', row, b64('b'), { qualifier: b64('other') })
  await client.put('t', b64('r'), b64('c'))
  const keys = async (): Promise<string[]> => {
    const { rows } = await client.read<ShownPage>('rows', [['table', 't']])
    return rows.flatMap(({ row: key, cells }) => cells.map(({ qualifier }) => `${key} ${qualifier}`))
  }
  expect(await keys()).toEqual([`${row} ${b64('other')}`, `${row} ${b64('q')}`, `${b64('r')} ${b64('q')}`])
  await client.change({ kind: 'deleteColumn', table: 't', row, family: b64('f'), qualifier: b64('q') })
  await client.change({ kind: 'deleteRow', table: 't', row: b64('r') })
  expect(await keys()).toEqual([`${row} ${b64('other')}`])
})

test('regions and tables are flushed, compacted and split', () =>
  inTemporaryFolder(async (folder) => {
    await started({ store: `native:${folder}` })
    await client.change(TABLE)
    for (const row of ['a', 'm', 'z']) await client.put('t', b64(row), b64('v'))
    const regions = async (): Promise<
      { encodedName: string; startKey: string; load: { storeFiles: number } }[]
    > => (await client.read<{ regions: [] }>('table', [['name', 't']])).regions
    await client.change({ kind: 'flush', table: 't' })
    const [whole] = await regions()
    expect(whole!.load.storeFiles).toBe(1)
    await client.change({ kind: 'compact', table: 't', region: whole!.encodedName, major: true })
    await client.change({ kind: 'compact', table: 't' })
    await client.change({ kind: 'split', table: 't', at: b64('m') })
    expect((await regions()).map(({ startKey }) => startKey)).toEqual(['', b64('m')])
    const [first] = await regions()
    await client.change({ kind: 'flush', table: 't', region: first!.encodedName })
    expect(await refusal({ kind: 'split', table: 't', region: 'nowhere', at: b64('b') })).toEqual([
      400,
      'DO_NOT_RETRY',
    ])
    const { rows } = await client.read<ShownPage>('rows', [['table', 't']])
    expect(rows.map(({ row }) => row)).toEqual(['a', 'm', 'z'].map((row) => b64(row)))
    await client.server.stop()
  }))

test('a malformed change is refused, and changes nothing', async () => {
  await started()
  for (const body of ['', '{', 'null', '[]', '{"kind":"toString","table":"t"}', '{"kind":{},"table":"t"}']) {
    expect(await refusal(body), body).toEqual([400, 'ILLEGAL_ARGUMENT'])
  }
  for (const families of [undefined, [], [{}], [{ name: b64('a:b') }], [{ name: b64('f'), versions: 3 }]]) {
    const [status] = await refusal({ ...TABLE, families })
    expect(status, JSON.stringify(families)).toBe(400)
  }
  expect(await refusal({ kind: 'put', table: 't', row: '', family: '', qualifier: '', value: '' })).toEqual([
    400,
    'ILLEGAL_ARGUMENT',
  ])
  expect(await refusal({ kind: 'deleteRow', table: 't', row: b64('r') })).toEqual([404, 'TABLE_NOT_FOUND'])
  expect(await refusal(JSON.stringify({ kind: 'x'.repeat(3 << 20), table: 't' }))).toEqual([413, 'TOO_LARGE'])
  expect(await client.read('tables')).toMatchObject({ tables: [] })
})

interface ShownLoad {
  readonly kinds: readonly { service: string; method: string; refused: number; failed: number }[]
}

test('a client that hangs up within a change is no bug of the server', async () => {
  await started()
  const socket = connect(client.server.ports.web!, '127.0.0.1')
  socket.write(
    'POST /console/api/changes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      'X-Tidegate-Console: 1\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n',
  )
  // The server asks for the body.
  await once(socket, 'data')
  socket.end('{"kind":').destroySoon()
  const changes = async (): Promise<object | undefined> => {
    const { kinds } = await client.read<ShownLoad>('load')
    const found = kinds.find(({ service, method }) => service === 'console' && method === 'POST')
    return found && found.refused + found.failed > 0 ? found : undefined
  }
  let counted = await changes()
  while (counted === undefined) counted = await changes()
  expect(counted).toMatchObject({ refused: 1, failed: 0 })
})

test('a page of another site changes nothing and reads nothing', async () => {
  await started()
  const denied = [403, 'ACCESS_DENIED']
  expect(await refusal(TABLE, { Origin: 'https://evil.example' })).toEqual(denied)
  expect(await refusal(TABLE, { Origin: 'null' })).toEqual(denied)
  expect(await refusal(TABLE, { Origin: `http://127.0.0.1:${client.server.ports.rest}` })).toEqual(denied)
  expect(await refusal(TABLE, { 'Sec-Fetch-Site': 'same-site' })).toEqual(denied)
  expect(await refusal(TABLE, { 'Content-Type': 'text/plain' })).toEqual(denied)
  expect(await refusal(TABLE, { 'Content-Type': 'application/x-www-form-urlencoded' })).toEqual(denied)
  const form = await client.ask('/console/api/changes', { method: 'POST', body: JSON.stringify(TABLE) })
  expect([form.status, await form.json()]).toMatchObject([
    403,
    { error: 'a change needs the header x-tidegate-console' },
  ])
  for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
    expect((await client.ask('/console/api/tables', { headers })).status).toBe(403)
  }
  const preflight = await client.ask('/console/api/changes', { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])
  expect((await client.ask('/console/api/changes')).status).toBe(405)
  expect(await client.read('tables')).toMatchObject({ tables: [] })
  expect((await client.send(TABLE, { Origin: client.origin, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(
    200,
  )
})

/** The status of a read under another name of the machine, which fetch does not let a program state. */
function statusAs(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port: client.server.ports.web, path: '/console/api/tables', headers: { host } }
    const sent = request(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    sent.on('error', reject).end()
  })
}

test('without logins, a host name that another site may have pointed at this machine is refused', async () => {
  await started()
  for (const host of ['localhost:16010', '127.0.0.1', '[::1]:80', 'tidegate', 'a.localhost']) {
    expect(await statusAs(host), host).toBe(200)
  }
  for (const host of ['evil.example', 'evil.example:16010', '127.0.0.1.evil.example']) {
    expect(await statusAs(host), host).toBe(403)
  }
})

test('where users log in, the console asks for a user, and changes are his', () =>
  inTemporaryFolder(async (folder) => {
    const users = join(folder, 'users')
    await writeUser(users, 'alice', 'secret')
    await started({ users })
    for (const path of ['/console/', '/console/app.js', '/console/api/overview', '/jmx', '/master-status']) {
      const answer = await client.ask(path)
      expect([answer.status, answer.headers.get('www-authenticate')], path).toEqual([
        401,
        expect.stringContaining('Basic'),
      ])
    }
    expect((await client.send(TABLE)).status).toBe(401)
    const headers = { Authorization: `Basic ${b64('alice:secret')}` }
    expect((await client.send(TABLE, headers)).status).toBe(200)
    expect((await client.send(TABLE, { ...headers, Origin: 'https://evil.example' })).status).toBe(403)
    const overview = await client.ask('/console/api/overview', { headers })
    expect(await overview.json()).toMatchObject({ user: 'alice' })
    await client.server.stop()
  }))
