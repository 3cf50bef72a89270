/**
 * The cost of connections: `npm run bench:connections`. 10,000 idle connections of each kind, their resident bytes, and the gets
 * a second of 1,000 busy connections, alone and beside the idle ones. Each kind has a server of its own.
 *
 * TIDEGATE_BENCH_SERVE is the main.js of another build to compare with; TIDEGATE_BENCH_IDLE the number of idle connections;
 * TIDEGATE_BENCH_KIND a part of the names of the kinds to measure.
 *
 * The server and this process each need as many open files (`ulimit -n`).
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { closedLoop } from '../test/harness/closed-loop.ts'
import { type BenchTable, fillTable } from './bench-table.ts'
import { restGetAnswer, restGetRequests, thriftGetAnswer, thriftGetRequests } from './get-requests.ts'

const SERVE = process.env['TIDEGATE_BENCH_SERVE'] ?? new URL('../src/cli/main.js', import.meta.url).pathname
const IDLE = Number(process.env['TIDEGATE_BENCH_IDLE'] ?? 10_000)
const KIND = process.env['TIDEGATE_BENCH_KIND'] ?? ''
const BUSY = 1000
const BUSY_MS = 4000
const ROWS = 1000
/** Connections that are opened and closed before anything is measured. */
const WARM_UP = 200
/** Connections that are being opened at a time. */
const OPENING = 100
/** The heap has come to rest by then. */
const SETTLE_MS = 4000
const GOAL_BYTES = 20 * 1024

/** Idle connections: each has had `request` answered once, where there is one. */
interface Kind {
  readonly name: string
  readonly door: 'rest' | 'thrift' | 'web'
  readonly request: (table: BenchTable) => Buffer | undefined
}

const httpGet = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`)
const framedGet = (table: BenchTable): Buffer => thriftGetRequests(table)[0]!
const unframed = (frame: Buffer): Buffer => frame.subarray(4)
const postOf = (body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ])

const KINDS: readonly Kind[] = [
  { name: 'REST, before a request', door: 'rest', request: () => undefined },
  { name: 'REST, after a get', door: 'rest', request: (table) => restGetRequests(table)[0] },
  { name: 'web, after /health', door: 'web', request: () => httpGet('/health') },
  { name: 'Thrift, before a call', door: 'thrift', request: () => undefined },
  { name: 'Thrift framed, after a get', door: 'thrift', request: framedGet },
  { name: 'Thrift unframed, after a get', door: 'thrift', request: (table) => unframed(framedGet(table)) },
  {
    name: 'Thrift over HTTP, after a get',
    door: 'thrift',
    request: (table) => postOf(unframed(framedGet(table))),
  },
]

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function openOne(port: number, request: Buffer | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', reject)
    socket.once('connect', () => {
      if (request === undefined) resolve(socket)
      else socket.write(request)
    })
    socket.once('data', () => resolve(socket))
  })
}

async function openMany(port: number, count: number, request: Buffer | undefined): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(OPENING, count - sockets.length) }, () =>
      openOne(port, request),
    )
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}

async function closeAll(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await pause(SETTLE_MS)
}

/** Gets a second of busy connections at both doors for data, one door after the other. */
async function busyGets(server: ChildServer, table: BenchTable): Promise<string> {
  const common = { connections: BUSY, durationMs: BUSY_MS }
  const rest = { port: server.port('rest'), requests: restGetRequests(table) }
  const { bytes } = await restGetAnswer(rest.port, table)
  const ofRest = await closedLoop({ ...common, ...rest, answerBytes: bytes })
  const thrift = { port: server.port('thrift'), requests: thriftGetRequests(table) }
  const answer = await thriftGetAnswer(thrift.port, table)
  const ofThrift = await closedLoop({ ...common, ...thrift, answerBytes: answer.length })
  const text = ({ callsPerSecond, p99Ms }: typeof ofRest): string =>
    `${Math.round(callsPerSecond)} gets/s, p99 ${p99Ms.toFixed(0)} ms`
  return `REST ${text(ofRest)}; Thrift ${text(ofThrift)}`
}

/** True where the connections of the kind are within the goal. */
async function measure(kind: Kind, directory: string): Promise<boolean> {
  const doors = ['--rest', '0', '--thrift', '0', '--rpc', 'off', '--zookeeper', 'off', '--web', '0']
  const log = ['--log-level', 'error']
  const limits = ['--connections-max', String(IDLE + WARM_UP + BUSY + OPENING)]
  const server = await ChildServer.start(SERVE, [
    'serve',
    '--store',
    `native:${directory}`,
    ...doors,
    ...log,
    ...limits,
  ])
  try {
    const table = await fillTable(server.port('thrift'), 'bench', ROWS)
    const port = server.port(kind.door)
    const request = kind.request(table)
    await closeAll(await openMany(port, WARM_UP, request))
    const before = server.residentBytes()
    const idle = await openMany(port, IDLE, request)
    await pause(SETTLE_MS)
    const each = (server.residentBytes() - before) / IDLE
    const verdict = each <= GOAL_BYTES ? 'good' : `above the goal of ${GOAL_BYTES}`
    process.stdout.write(`  ${kind.name.padEnd(30)} ${each.toFixed(0)} bytes a connection, ${verdict}\n`)
    process.stdout.write(`    ${BUSY} busy beside: ${await busyGets(server, table)}\n`)
    await closeAll(idle)
    if (kind === KINDS.at(-1))
      process.stdout.write(`  ${BUSY} busy alone: ${await busyGets(server, table)}\n`)
    return each <= GOAL_BYTES
  } finally {
    await server.stop()
  }
}

async function main(): Promise<void> {
  process.stdout.write(`${IDLE} idle connections of each kind\n`)
  let isGood = true
  for (const kind of KINDS.filter(({ name }) => name.includes(KIND))) {
    const directory = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
    try {
      if (!(await measure(kind, directory))) isGood = false
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  process.exitCode = isGood ? 0 : 1
}

await main()
