/** The data of the console's pages of the server: snapshots, namespaces, users, settings, the log, replication, backups, load. */

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../harness/tidegate-process.ts'
import { b64, ConsoleClient } from './console-client.ts'

let folder: string
let client: ConsoleClient

beforeAll(async () => {
  folder = makeTemporaryFolder()
  client = await ConsoleClient.start({
    store: `native:${join(folder, 'data')}`,
    consoleWrites: true,
    archiveLog: join(folder, 'backups'),
    archiveLogEvery: 100,
    define: ['hbase.quota.enabled=true'],
  })
  await client.change({ kind: 'createTable', table: 't', families: [{ name: b64('f') }] })
  await client.put('t', b64('r'), b64('before'))
})
afterAll(async () => {
  await client.server.stop()
  rmSync(folder, { recursive: true })
})

async function valueOf(table: string): Promise<string> {
  type Page = { rows: { cells: { value: string }[] }[] }
  const { rows } = await client.read<Page>('rows', [['table', table]])
  return Buffer.from(rows[0]!.cells[0]!.value, 'base64').toString()
}

interface Snapshots {
  readonly isThere: boolean
  readonly snapshots: readonly { readonly name: string; readonly bytes: number }[]
}

test('a snapshot is made, cloned, restored and deleted', async () => {
  await client.change({ kind: 'createSnapshot', snapshot: 's1', table: 't' })
  const { snapshots } = await client.read<Snapshots>('snapshots')
  expect(snapshots).toMatchObject([{ name: 's1', table: 't', type: 'FLUSH', regions: 1 }])
  expect(snapshots[0]!.bytes).toBeGreaterThan(0)
  await client.put('t', b64('r'), b64('after'))
  await client.change({ kind: 'cloneSnapshot', snapshot: 's1', table: 'copy' })
  expect([await valueOf('copy'), await valueOf('t')]).toEqual(['before', 'after'])
  await client.change({ kind: 'restoreSnapshot', snapshot: 's1' })
  expect(await valueOf('t')).toBe('before')
  expect(await client.read('table', [['name', 't']])).toMatchObject({ state: 'ENABLED' })
  await client.change({ kind: 'deleteSnapshot', snapshot: 's1' })
  expect(await client.read<Snapshots>('snapshots')).toMatchObject({ isThere: true, snapshots: [] })
})

test('changes of snapshots that cannot be made have clear errors, and leave tables as they were', async () => {
  const refused = async (change: object): Promise<[number, string]> => {
    const answer = await client.send(change)
    return [answer.status, ((await answer.json()) as { error: string }).error]
  }
  expect(await refused({ kind: 'createSnapshot', table: 't' })).toEqual([400, 'the change names no snapshot'])
  expect(await refused({ kind: 'createSnapshot', snapshot: 's' })).toEqual([400, 'the change names no table'])
  expect((await refused({ kind: 'createSnapshot', snapshot: '../s', table: 't' }))[0]).toBe(400)
  expect((await refused({ kind: 'createSnapshot', snapshot: 7, table: 't' }))[1]).toContain(
    'must be a string',
  )
  for (const kind of ['restoreSnapshot', 'deleteSnapshot', 'cloneSnapshot']) {
    const [status, error] = await refused({ kind, snapshot: 'nothing', table: 'copy2' })
    expect([status, /nothing/.test(error)], kind).toEqual([400, true])
  }
  expect(await client.read('table', [['name', 't']])).toMatchObject({ state: 'ENABLED' })
})

test('namespaces have their tables and properties', async () => {
  const { namespaces } = await client.read<{ namespaces: { name: string }[] }>('namespaces')
  expect(namespaces.find(({ name }) => name === 'default')).toMatchObject({ properties: {} })
  expect(namespaces.map(({ name }) => name)).toEqual(['default', 'hbase'])
})

test('the log has the changes of the console, by level', async () => {
  type Events = { events: { level: string; message: string; fields: object }[] }
  await client.change({ kind: 'flush', table: 't' })
  const { events } = await client.read<Events>('events')
  expect(events[0]).toMatchObject({
    level: 'info',
    message: 'the console: flush of t',
    fields: { audit: 'console', kind: 'flush', table: 't' },
  })
  expect((await client.read<Events>('events', [['level', 'error']])).events).toEqual([])
})

test('the archived log has backups, whose moments the page has', async () => {
  type Backups = {
    folder: string
    backups: { at: number; bytes: number; missing: number }[]
    faults: string[]
  }
  // A restored snapshot, whose cells no log has, is followed by another backup.
  const names = (): number => {
    const made = join(folder, 'backups', 'backups')
    return existsSync(made) ? readdirSync(made).length : 0
  }
  await expect.poll(names).toBeGreaterThanOrEqual(2)
  const answer = await client.read<Backups>('backups')
  expect(answer).toMatchObject({ folder: join(folder, 'backups'), faults: [] })
  expect(new Set(answer.backups.map(({ missing }) => missing))).toEqual(new Set([0]))
  expect(Math.abs(answer.backups[0]!.at - Date.now())).toBeLessThan(3_600_000)
})

test('parts that the store lacks are absent, and the page has the reason', async () => {
  const memory = await ConsoleClient.start()
  expect(await memory.read('snapshots')).toEqual({ isThere: false })
  expect(await memory.read('backups')).toEqual({ isThere: false })
  expect(await memory.read('replication')).toEqual({ isThere: false, peers: [] })
  expect(await memory.read('users')).toMatchObject({ isEnforced: false, own: [], permissions: [] })
  await memory.server.stop()
})

test('load has points of an hour, and requests by table', async () => {
  const points = await client.read<{ at: number[]; everyMs: number; processes: number }>('history')
  expect(points).toMatchObject({ everyMs: 5000, processes: 1 })
  const load = await client.read<{ tables: { name: string; writes: number }[] }>('table-load')
  expect(load.tables.find(({ name }) => name === 'copy')).toMatchObject({ regions: 1, writes: 0 })
})

const READS = [
  'history',
  'table-load',
  'namespaces',
  'snapshots',
  'users',
  'settings',
  'events',
  'replication',
  'backups',
] as const

describe('bad requests', () => {
  test.each(READS)('%s refuses other methods and pages of other sites', async (name) => {
    const path = `/console/api/${name}`
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await client.ask(path, { method })
      expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'GET'])
    }
    const refusals: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'evil.example' },
    ]
    for (const headers of refusals) expect(await statusWith(path, headers), JSON.stringify(headers)).toBe(403)
  })

  test('a wrong parameter has a clear error, and a huge or unknown one does no harm', async () => {
    const refused: readonly (readonly [string, string])[] = [
      ['events?level=loud', 'level must be one of info, warn, error'],
      ['events?level=%00', 'level must be one of'],
      ['history?since=yesterday', 'since must be a time in milliseconds since 1970'],
      ['history?since=-1', 'since must be'],
      [`history?since=${'9'.repeat(400)}`, 'since must be'],
    ]
    for (const [path, words] of refused) {
      const answer = await client.ask(`/console/api/${path}`)
      expect([answer.status, answer.headers.get('content-type')], path).toEqual([
        400,
        expect.stringContaining('json'),
      ])
      expect(((await answer.json()) as { error: string }).error).toContain(words)
    }
    expect((await client.ask('/console/api/history?since=')).status).toBe(200)
    for (const name of READS)
      expect((await client.ask(`/console/api/${name}?x=${'y'.repeat(8000)}&x=&=&%ff`)).status, name).toBe(200)
    for (const name of ['nothing', 'toString', '__proto__', 'events/', 'EVENTS', '..%2fapi%2fevents'])
      expect((await client.ask(`/console/api/${name}`)).status, name).toBe(404)
  })

  test('a console that only reads refuses changes of snapshots', async () => {
    const reader = await ConsoleClient.start({ store: `native:${join(folder, 'reader')}` })
    const answer = await reader.send({ kind: 'deleteSnapshot', snapshot: 's' })
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('--console-writes')])
    await reader.server.stop()
  })
})

/** The status of a GET with headers that fetch does not let programs set. */
function statusWith(path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${client.origin}${path}`, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
