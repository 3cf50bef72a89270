import { openSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RpcClient } from '../../conformance/src/runner/rpc-client.ts'
import { ChildServer } from '../harness/child-server.ts'
import {
  checkAnswer,
  createTable,
  i32Answer,
  listAnswerLength,
  mutateRows,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../harness/thrift-frames.ts'
import { FREE_PORTS, MAIN, makeTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

const ROWS = Array.from({ length: 40 }, (_, i) => `row${String(i).padStart(2, '0')}`)

const folder = makeTemporaryFolder()
const log = join(folder, 'log')
let behind: ChildServer
let front: ChildServer

beforeAll(async () => {
  behind = await startTidegate(`native:${join(folder, 'data')}`)
  vi.stubEnv('TMPDIR', folder)
  const store = `hbase:127.0.0.1:${behind.port('rpc')}`
  const args = ['serve', '--store', store, '--processes', '2', ...FREE_PORTS]
  front = await ChildServer.start(MAIN, args, openSync(log, 'a'))
  vi.unstubAllEnvs()
  checkAnswer(await thrift(createTable('t', 'f')))
  checkAnswer(await thrift(mutateRows('t', ROWS, 'f:q', 'value')))
}, 30_000)

afterAll(async () => {
  await front?.stop()
  await behind?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** One call of Thrift over a connection of its own, which the next worker gets. */
function thrift(frame: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(front.port('thrift'), '127.0.0.1', () => socket.write(frame))
    let received = Buffer.alloc(0)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection ended without an answer')))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 4 || received.length < 4 + received.readInt32BE(0)) return
      resolve(received)
      socket.destroy()
    })
  })
}

/** One request over a connection of its own. */
function rest(path: string, init: Pick<RequestInit, 'method' | 'body'> = {}): Promise<Response> {
  const json = 'application/json'
  const headers = { accept: json, 'content-type': json, connection: 'close' }
  return fetch(new URL(path, `http://127.0.0.1:${front.port('rest')}/`), { ...init, headers })
}

async function openRestScanner(): Promise<string> {
  const body = JSON.stringify({ batch: 3 })
  const opened = await rest('t/scanner', { method: 'PUT', body })
  expect(opened.status).toBe(201)
  return opened.headers.get('location')!
}

async function keysOf(response: Response): Promise<string[]> {
  const { Row } = (await response.json()) as { Row: { key: string }[] }
  return Row.map(({ key }) => Buffer.from(key, 'base64').toString())
}

function logged(word: string): Record<string, unknown>[] {
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  return lines
    .filter((line) => line.includes(word))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** Looks at each line that comes to the log. */
async function until(isSo: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(log, () => look())
    const look = (): void => {
      if (!isSo()) return
      watcher.close()
      resolve()
    }
    look()
  })
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** In which the processes reach each other. */
function folders(): string[] {
  return readdirSync(folder).filter((name) => /^tidegate-\w{6}$/.test(name))
}

async function text(path: string): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${front.port('web')}/${path}`)).text()
}

test('a REST scanner is read over many connections, whichever process they come to', async () => {
  const location = await openRestScanner()
  const read: string[] = []
  for (;;) {
    const response = await rest(location)
    if (response.status === 204) break
    expect(response.status).toBe(200)
    read.push(...(await keysOf(response)))
  }
  expect(read).toEqual(ROWS)
  expect((await rest(location, { method: 'DELETE' })).status).toBe(200)
  expect((await rest(location, { method: 'DELETE' })).status).toBe(404)
  expect((await rest(location)).status).toBe(404)
})

test('a scanner of Thrift too', async () => {
  const id = i32Answer(await thrift(scannerOpenWithScan('t', 10)))
  let rows = 0
  for (;;) {
    const page = listAnswerLength(await thrift(scannerGetList(id, 7)))
    if (page === 0) break
    rows += page
  }
  expect(rows).toBe(ROWS.length)
  checkAnswer(await thrift(scannerClose(id)))
  const gone = (await thrift(scannerGetList(id, 1))).toString('latin1')
  expect(gone).toContain('scanner')
})

test('and one of native RPC, in the order of its calls', async () => {
  const { Region } = (await (await rest('t/regions')).json()) as { Region: { name: string }[] }
  const service = 'ClientService'
  const call = async (fields: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const address = { host: '127.0.0.1', port: front.port('rpc') }
    const client = new RpcClient(address, { service }, 5000)
    try {
      const answer = await client.call({ service, method: 'Scan' } as never, fields as never)
      if (answer.kind === 'exception') throw new Error(answer.exception.exceptionClassName)
      return { ...answer.message }
    } finally {
      client.close()
    }
  }
  const region = { type: 1, value: Buffer.from(Region[0]!.name) }
  const { scannerId } = await call({ region, scan: {}, numberOfRows: 0 })
  let rows = 0
  for (let sequence = 0n; ; sequence++) {
    const answer = await call({ scannerId, numberOfRows: 6, nextCallSeq: sequence })
    rows += (answer['cellsPerResult'] as number[]).length
    if (answer['moreResultsInRegion'] !== true) break
  }
  expect(rows).toBe(ROWS.length)
  const another = await call({ region, scan: {}, numberOfRows: 0 })
  const late = { scannerId: another['scannerId'], numberOfRows: 1, nextCallSeq: 5n }
  for (let i = 0; i < 2; i++) await expect(call(late)).rejects.toThrow('OutOfOrderScannerNextException')
})

test('metrics are those of all processes, and so is health', async () => {
  await Promise.all(Array.from({ length: 10 }, () => rest('t/row00')))
  const counted = /tidegate_requests_total\{door="rest",service="row",method="GET",outcome="ok"\} (\d+)/
  for (let i = 0; i < 2; i++) {
    const metrics = await text('metrics')
    expect(Number(counted.exec(metrics)![1])).toBe(10)
    expect(metrics).toMatch(/^tidegate_info\{.*store="hbase"\} 1$/m)
  }
  expect(JSON.parse(await text('health'))).toMatchObject({ status: 'ok', store: 'hbase' })
})

test('the other process goes on when one is killed, whose scanners are unknown, and another takes its place', async () => {
  const [serving] = logged('serving by 2 processes')
  const pids = serving!['workerPids'] as number[]
  const scanners = [await openRestScanner(), await openRestScanner()]
  process.kill(pids[0]!, 'SIGKILL')
  await until(() => logged('takes its place').length > 0)
  const readings = async (): Promise<string> => {
    const statuses = await Promise.all(scanners.map(async (at) => (await rest(at)).status))
    return statuses.toSorted((a, b) => a - b).join(' ')
  }
  expect(await readings()).toBe('200 404')
  await until(() => logged('serves again').length > 0)
  const next = logged('serves again').map((line) => line['workerPid'] as number)
  for (let i = 0; i < 4; i++) expect((await rest('t/row07')).status).toBe(200)
  expect(await readings()).toBe('200 404')
  expect(folders()).toHaveLength(1)
  expect(await front.stop()).toBe(0)
  expect([...pids, ...next].filter(lives)).toEqual([])
  expect(folders()).toEqual([])
}, 30_000)
