/** A server in test mode, as tests of clients use it. */

import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../../src/library/start-tidegate.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const OCTETS = { 'content-type': 'application/octet-stream', accept: 'application/octet-stream' }
const SEED = {
  namespaces: ['shop'],
  tables: [
    { name: 'shop:t', families: ['f'], splits: ['m'], rows: { a: { 'f:q': 'one' }, z: { 'f:q': 'two' } } },
  ],
}

let server: Tidegate | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function start(options: TidegateOptions = {}): Promise<void> {
  server = await startTidegate({ web: 0, testMode: true, ...options })
}

const rest = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${server!.ports.rest}${path}`, init)

const ask = (
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`http://127.0.0.1:${server!.ports.web}/_test/${path}`, {
    method,
    headers: { ...JSON_TYPE, ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })

const valueOf = async (path: string): Promise<string> => (await rest(path, { headers: OCTETS })).text()
const put = (path: string, value: string): Promise<Response> =>
  rest(path, { method: 'PUT', headers: OCTETS, body: value })

const newRow = (row: string): object => ({
  key: Buffer.from(row).toString('base64'),
  Cell: [{ column: Buffer.from('f:q').toString('base64'), $: Buffer.from('new').toString('base64') }],
})

describe.each(['memory', 'native'])('on %s', (kind) => {
  const served = (work: () => Promise<void>): Promise<void> =>
    inTemporaryFolder(async (folder) => {
      const seed = join(folder, 'seed.json')
      writeFileSync(seed, JSON.stringify(SEED))
      await start({ store: kind === 'memory' ? kind : `native:${folder}/store`, seed })
      await work()
      await server!.stop()
    })

  test('a reset brings back the seed after any changes of a test', async () => {
    await served(async () => {
      expect(await valueOf('/shop:t/a/f:q')).toBe('one')
      await put('/shop:t/a/f:q', 'changed')
      await put('/shop:t/new/f:q', 'new')
      await rest('/other/schema', {
        method: 'PUT',
        headers: JSON_TYPE,
        body: '{"ColumnSchema":[{"name":"f"}]}',
      })
      await rest('/namespaces/spare', { method: 'POST' })
      expect((await ask('POST', 'reset')).status).toBe(200)
      expect(await valueOf('/shop:t/a/f:q')).toBe('one')
      expect(await valueOf('/shop:t/z/f:q')).toBe('two')
      expect((await rest('/shop:t/new/f:q')).status).toBe(404)
      expect((await rest('/other/exists')).status).toBe(404)
      const { Namespace } = (await (
        await rest('/namespaces', { headers: { accept: 'application/json' } })
      ).json()) as {
        readonly Namespace: readonly string[]
      }
      expect([...Namespace].sort()).toEqual(['default', 'hbase', 'shop'])
    })
  })

  test('a reset may bring another seed, and one of a disabled table works, too', async () => {
    await served(async () => {
      await ask('POST', 'reset', { tables: [{ name: 'u', families: ['g'], rows: { r: { 'g:': 'v' } } }] })
      expect((await rest('/shop:t/exists')).status).toBe(404)
      expect(await valueOf('/u/r/g:')).toBe('v')
      await ask('POST', 'reset')
      expect(await valueOf('/shop:t/a/f:q')).toBe('one')
    })
  })

  test('many resets at the same time come one after the other', async () => {
    await served(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask('POST', 'reset')))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(await valueOf('/shop:t/z/f:q')).toBe('two')
    })
  })
})

const startedWith = async (...rules: readonly unknown[]): Promise<void> => {
  await start()
  await ask('POST', 'reset', SEED)
  expect(await (await ask('PUT', 'faults', rules)).json()).toEqual({})
}

describe('faults', () => {
  test('an error reaches the client in the form of its protocol, as often as the rule says', async () => {
    await startedWith({ on: ['get'], times: 1, error: 'NotServingRegion' })
    const failed = await rest('/shop:t/a/f:q', { headers: OCTETS })
    expect(failed.status).toBe(503)
    expect(await valueOf('/shop:t/a/f:q')).toBe('one')
    expect(await (await ask('GET', 'faults')).json()).toEqual({ made: [1] })
  })

  test('of a batch only each second row fails', async () => {
    await startedWith({ on: ['write'], failEach: 2, error: 'RegionTooBusy' })
    const body = JSON.stringify({ Row: ['b', 'c', 'd'].map(newRow) })
    const answer = await rest('/shop:t/any', { method: 'PUT', headers: JSON_TYPE, body })
    expect(answer.status).toBe(503)
    const found = await Promise.all(
      ['b', 'c', 'd'].map(async (row) => (await rest(`/shop:t/${row}/f:q`)).status),
    )
    expect(found).toEqual([200, 404, 200])
  })

  test('a lost scanner is unknown from then on', async () => {
    await startedWith({ on: ['next'], times: 1, loseScanner: true })
    const opened = await rest('/shop:t/scanner', { method: 'PUT', headers: JSON_TYPE, body: '{"batch":1}' })
    const scanner = new URL(opened.headers.get('location')!)
    expect((await rest(scanner.pathname)).status).not.toBe(200)
    expect((await rest(scanner.pathname)).status).not.toBe(200)
  })

  test.each([
    ['before', 'one'],
    ['after', 'changed'],
  ])('a connection that ends %s the change leaves %s', async (hangUp, value) => {
    await startedWith({ on: ['write'], times: 1, hangUp })
    await expect(put('/shop:t/a/f:q', 'changed')).rejects.toThrow()
    expect(await valueOf('/shop:t/a/f:q')).toBe(value)
  })

  test('a reset and an empty list end them', async () => {
    await startedWith({ error: 'IO' })
    await ask('PUT', 'faults', [])
    expect(await valueOf('/shop:t/a/f:q')).toBe('one')
    await ask('PUT', 'faults', [{ error: 'IO' }])
    expect((await rest('/shop:t/a/f:q')).status).toBe(503)
    await ask('POST', 'reset', SEED)
    expect(await valueOf('/shop:t/a/f:q')).toBe('one')
  })
})

test('what is no rule, no seed and no JSON is refused, and changes nothing', async () => {
  await start()
  await ask('POST', 'reset', SEED)
  expect(await (await ask('PUT', 'faults', [{ on: ['get'] }])).json()).toEqual({
    error: 'rule 1 must be a fault: delayMs, error, loseScanner or hangUp, not {"on":["get"]}',
  })
  expect((await ask('POST', 'reset', { tables: 1 })).status).toBe(400)
  const broken = await fetch(`http://127.0.0.1:${server!.ports.web}/_test/reset`, {
    method: 'POST',
    body: '{',
  })
  expect(broken.status).toBe(400)
  expect(await valueOf('/shop:t/a/f:q')).toBe('one')
})

test('pages of browsers may not', async () => {
  await start()
  expect((await ask('POST', 'reset', SEED, { origin: 'http://elsewhere.example' })).status).toBe(403)
  expect((await rest('/shop:t/exists')).status).toBe(404)
})

test('without test mode there is no such page', async () => {
  await start({ testMode: false })
  expect((await ask('POST', 'reset', SEED)).status).toBe(404)
})

test('what cannot be is refused at the start', async () => {
  await expect(startTidegate({ testMode: true, store: 'hbase:127.0.0.1:1' })).rejects.toThrow(
    'a whole cluster',
  )
  await expect(startTidegate({ seed: 'seed.json' })).rejects.toThrow('seed needs testMode')
  await expect(startTidegate({ testMode: true, seed: '/nowhere.json' })).rejects.toThrow('/nowhere.json')
})

test('a body that is too long is refused, also where it states no length', async () => {
  await start({ store: 'memory' })
  const chunk = Buffer.alloc(1 << 20, ' ')
  const body = new ReadableStream({
    pull: (stream) => stream.enqueue(chunk),
  })
  const url = `http://127.0.0.1:${server!.ports.web}/_test/reset`
  const answer = await fetch(url, { method: 'POST', body, duplex: 'half' })
  expect(answer.status).toBe(413)
  await answer.text()
})

test('requests without any body, as curl -X POST sends them, reset and end the faults', async () => {
  await start()
  await ask('PUT', 'faults', [{ on: ['get'], error: 'IO' }])
  for (const line of ['PUT /_test/faults', 'POST /_test/reset']) {
    const socket = connect(server!.ports.web!, '127.0.0.1')
    socket.end(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    expect(answer, line).toMatch(/^HTTP\/1.1 200 /)
  }
  expect(await (await ask('GET', 'faults')).json()).toEqual({ made: [] })
})
