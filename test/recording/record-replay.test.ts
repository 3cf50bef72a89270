/** Real clients of a server through a recorder, and then of the recording alone. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ZooKeeperClient } from '../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { get, scan } from '../../src/model/query.ts'
import { gathered } from '../../src/model/results.ts'
import { compareTape } from '../../src/recording/compare.ts'
import { startPlayer } from '../../src/recording/player.ts'
import { startRecorder } from '../../src/recording/recorder.ts'
import { readTape, type Tape } from '../../src/recording/tape.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { Thrift1Client } from '../harness/demo/thrift1-client.ts'
import { keptPort } from '../harness/kept-port.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { TapeText } from './tape-text.ts'

type Door = 'rest' | 'thrift' | 'rpc' | 'zookeeper'
type Work = (port: number) => Promise<unknown>

const HOST = '127.0.0.1'
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' }
const row = (name: string): string => Buffer.from(name).toString('base64')

const cellsOf = (value: string): object[] => [{ column: row('f:q'), timestamp: 7, $: row(value) }]

let server: Tidegate
/** The port of recorders and players of native RPC, whose clients connect to the address that the server announces. */
let port: number

beforeEach(async () => {
  port = await keptPort()
  server = await startTidegate({ rpc: 0, zookeeper: 0, advertise: `${HOST}:${port}` })
  await makeTable(server)
})

afterEach(() => server.stop())

async function makeTable({ ports }: Tidegate): Promise<void> {
  const url = `http://${HOST}:${ports.rest}/t`
  await fetch(`${url}/schema`, { method: 'PUT', headers: JSON_TYPE, body: '{"ColumnSchema":[{"name":"f"}]}' })
  const rows = ['a', 'b', 'c'].map((name) => ({ key: row(name), Cell: cellsOf(`value of ${name}`) }))
  await fetch(`${url}/x`, { method: 'PUT', headers: JSON_TYPE, body: JSON.stringify({ Row: rows }) })
}

async function recorded(door: Door, work: Work): Promise<{ tape: Tape; text: string; result: unknown }> {
  const tape = new TapeText()
  const recorder = await startRecorder({
    host: HOST,
    port: door === 'rpc' ? port : 0,
    target: { host: HOST, port: server.ports[door]! },
    tape,
    messageBytesMax: 1 << 24,
    now: () => performance.now(),
    begun: '2026-01-01T00:00:00Z',
  })
  try {
    const result = await work(recorder.port)
    const text = await settled(() => tape.text)
    return { result, text, tape: readTape(text) }
  } finally {
    await recorder.close()
  }
}

/** The text once the last answer, which the client may have had before the recorder, is in it. */
async function settled(text: () => string): Promise<string> {
  for (let before = ''; before !== text(); await new Promise(setImmediate)) before = text()
  return text()
}

async function replayed(tape: Tape, work: Work): Promise<{ result: unknown; unknown: string[] }> {
  const unknown: string[] = []
  const player = await startPlayer(tape, {
    host: HOST,
    port: tape.head.protocol === 'rpc' ? port : 0,
    unknown: (request) => unknown.push(request),
  })
  try {
    return { result: await work(player.port), unknown }
  } finally {
    await player.close()
  }
}

async function askRest(at: number): Promise<unknown> {
  const url = `http://${HOST}:${at}/t`
  const got: unknown[] = []
  for (const path of ['a', 'b/f:q', 'none', '*']) {
    const answer = await fetch(`${url}/${path}`, {
      headers: { ...JSON_TYPE, authorization: 'Basic c2VjcmV0' },
    })
    got.push([answer.status, await answer.text()])
  }
  const opened = await fetch(`${url}/scanner`, { method: 'PUT', headers: JSON_TYPE, body: '{"batch":2}' })
  const scanner = opened.headers.get('location')!
  expect(new URL(scanner).port).toBe(String(at))
  for (const query of ['?c=1', ''])
    got.push(await (await fetch(`${scanner}${query}`, { headers: JSON_TYPE })).text())
  return got
}

async function askThrift(at: number): Promise<unknown> {
  const thrift = new Thrift1Client(at)
  try {
    const table = Buffer.from('t')
    const first = await thrift.client['getRow']!(table, Buffer.from('a'), {})
    const id = await thrift.client['scannerOpen']!(table, Buffer.from(''), [], {})
    const rows = await thrift.client['scannerGetList']!(id, 10)
    const none = await thrift.client['getRow']!(Buffer.from('none'), Buffer.from('a'), {}).catch(
      (error: Error) => error.name,
    )
    return JSON.parse(JSON.stringify([first, rows, none])) as unknown
  } finally {
    thrift.close()
  }
}

async function askRpc(at: number): Promise<unknown> {
  const store = await openRpcStore(at)
  try {
    const limits = { rows: 10, bytes: 1e6, allowPartial: false }
    const { cells } = await store.rows.get('t' as never, [get(Buffer.from('b'))], { bytes: 1e6 }, OWN_CALL)
    const { id } = await store.rows.openScanner('t' as never, scan({}), OWN_CALL)
    const batch = gathered((await store.handouts.next(id, limits, OWN_CALL)).results)
    await store.handouts.closeScanner(id)
    return [cells, batch.cells].map(({ buffer, start, end }) => buffer.toString('latin1', start, end))
  } finally {
    await store.close()
  }
}

async function askZooKeeper(at: number): Promise<unknown> {
  const client = new ZooKeeperClient({
    servers: [{ host: HOST, port: at }],
    chroot: '',
    sessionTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    idleMs: 10_000,
    random: () => 0,
  })
  const id = await client.getData('/hbase/hbaseid')
  const none = await client.exists('/none')
  await client.close()
  return [id?.data.toString('latin1'), none]
}

const DOORS: readonly [Door, Work][] = [
  ['rest', askRest],
  ['thrift', askThrift],
  ['rpc', askRpc],
  ['zookeeper', askZooKeeper],
]

describe.each(DOORS)('a recording of %s', (door, work) => {
  test('answers the same clients as the server did, without the server', async () => {
    const { tape, result } = await recorded(door, work)
    await server.stop()
    expect(await replayed(tape, work)).toEqual({ result, unknown: [] })
    // The clients' own numbers are others the second time.
    expect((await replayed(tape, async (at) => [await work(at), await work(at)])).result).toEqual([
      result,
      result,
    ])
  })

  test('finds another server the same, and one with other cells different', async () => {
    const { tape } = await recorded(door, work)
    // Calls of native RPC name regions, which another server has under other names.
    const other = door === 'rest' || door === 'thrift' ? await startTidegate({}) : server
    if (other !== server) await makeTable(other)
    const differing: string[] = []
    const options = {
      host: HOST,
      port: other.ports[door]!,
      headers: {},
      timeoutMs: 10_000,
      differs: ({ exchange }: { readonly exchange: { readonly request: Buffer } }) =>
        void differing.push(exchange.request.toString('latin1')),
    }
    const answersWithoutScanner = tape.exchanges.filter(
      ({ request }) => !/scanner|Scan/.test(request.toString('latin1')),
    )
    const plain = { ...tape, exchanges: door === 'rest' ? tape.exchanges : answersWithoutScanner }
    await compareTape(plain, options)
    expect(differing).toEqual([])
    if (door === 'zookeeper') return
    await fetch(`http://${HOST}:${other.ports.rest}/t/a`, { method: 'DELETE' })
    await fetch(`http://${HOST}:${other.ports.rest}/t/b`, { method: 'DELETE' })
    const sums = await compareTape(plain, options)
    expect(sums.differing).toBeGreaterThan(0)
    if (other !== server) await other.stop()
  })
})

test('a recording has no secret, and a request that it does not have is reported', async () => {
  const { tape, text } = await recorded('rest', askRest)
  expect(text).not.toContain('c2VjcmV0')
  expect(text).toContain('authorization: (not recorded)')
  const { result, unknown } = await replayed(tape, async (at) => {
    const answer = await fetch(`http://${HOST}:${at}/other`)
    return [answer.status, await answer.text()]
  })
  expect(result).toEqual([501, 'the recording has no such request\n'])
  expect(unknown).toHaveLength(1)
})

test('a call of Thrift or native RPC that the recording does not have fails in its protocol', async () => {
  const thrift = await recorded('thrift', askThrift)
  const asked = await replayed(thrift.tape, async (at) => {
    const client = new Thrift1Client(at)
    const failure = await client.client['getTableNames']!().catch((error: Error) => error.message)
    client.close()
    return failure
  })
  expect(asked.result).toBe('the recording has no such request')
  const rpc = await recorded('rpc', askRpc)
  const called = await replayed(rpc.tape, async (at) => {
    const store = await openRpcStore(at)
    const got = store.rows.get('t' as never, [get(Buffer.from('other'))], { bytes: 1e6 }, OWN_CALL)
    const failure = await got.catch((error: Error) => error.message)
    await store.close()
    return failure
  })
  expect(called.result).toContain('the recording has no such request')
})
