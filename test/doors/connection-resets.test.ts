/** Clients that reset their connections amid everything: nothing of them stays behind. */

import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { startRestDoor } from '../../src/doors/rest/rest-door.ts'
import { openThriftServices } from '../../src/doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../../src/doors/thrift/thrift-door.ts'
import { startWebDoor } from '../../src/doors/web/web-door.ts'
import { advertised } from '../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import { ServerLife } from '../../src/gateway/server-life.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { askOnce, isWholeFrame } from '../harness/closed-loop.ts'
import { checkAnswer, getRow, mutateRows, scannerOpenWithScan } from '../harness/thrift-frames.ts'

type DoorName = 'rest' | 'thrift' | 'web'

const TIMES = 10
/** Event loop turns after which everything has ended, many times over. */
const TURNS_MAX = 20_000
const ROWS = 300

const http = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
const JSON_TYPE = 'Content-Type: application/json'
const unframed = (frame: Buffer): Buffer => frame.subarray(4)
const post = (frame: Buffer): string => http('POST /', `Content-Length: ${frame.length - 4}`)

const BYTES: readonly (readonly [string, DoorName, string | Buffer])[] = [
  ['nothing', 'rest', ''],
  ['a part of a head', 'rest', 'GET /t/r HTTP/1.1\r\nHos'],
  ['a part of a line with raw UTF-8', 'rest', 'GET /t/é'],
  ['a raw line and a part of a body', 'rest', `${http('PUT /t/é', JSON_TYPE, 'Content-Length: 99')}{"Row"`],
  [
    'a part of a body',
    'rest',
    `${http('PUT /t/r', JSON_TYPE, 'Content-Length: 999999')}${'{"Row":['.repeat(9999)}`,
  ],
  [
    'a part of a chunk',
    'rest',
    `${http('PUT /t/r', JSON_TYPE, 'Transfer-Encoding: chunked')}ffff\r\n{"Row":`,
  ],
  [
    'a part of a zipped body',
    'rest',
    Buffer.concat([
      Buffer.from(http('PUT /t/r', JSON_TYPE, 'Content-Encoding: gzip', 'Content-Length: 999')),
      gzipSync(Buffer.from('{"Row":[]}')).subarray(0, 15),
    ]),
  ],
  [
    'a part of a form',
    'rest',
    `${http('POST /t/multiget', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 999')}row=`,
  ],
  ['a get', 'rest', http('GET /t/row7')],
  ['gets in a row', 'rest', http('GET /t/row7').repeat(50)],
  ['a scan', 'rest', http('GET /t/*', 'Accept: application/json')],
  ['scans in a row', 'rest', http('GET /t/*', 'Accept: application/x-ndjson').repeat(9)],
  [
    'zipped scans behind large ones',
    'rest',
    http('GET /t/*').repeat(4) +
      http('GET /t/*', 'Accept: application/x-ndjson', 'Accept-Encoding: gzip').repeat(3),
  ],
  ['a scanner', 'rest', `${http('PUT /t/scanner', JSON_TYPE, 'Content-Length: 2')}{}`],
  ['another protocol', 'rest', http('GET /t/row7', 'Connection: Upgrade', 'Upgrade: h2c')],
  ['a tunnel', 'rest', http('CONNECT a:80')],
  ['a head that is too long', 'rest', `GET /${'a'.repeat(100_000)}`],
  ['no HTTP', 'rest', '\0\0\0\0'],
  ['a part of a head', 'web', 'GET /metrics HTTP/1.1\r\nHos'],
  ['pages', 'web', `${http('GET /')}${http('GET /metrics')}${http('GET /health')}`],
  ['nothing', 'thrift', ''],
  ['a byte', 'thrift', Buffer.of(0x80)],
  ['no Thrift', 'thrift', Buffer.of(0xff, 0xff, 0xff)],
  ['a part of a frame', 'thrift', getRow('t', 'row7').subarray(0, 30)],
  ['a part of a message', 'thrift', unframed(getRow('t', 'row7')).subarray(0, 30)],
  ['a large frame', 'thrift', mutateRows('t', ['x'], 'f:q', 'v'.repeat(300_000)).subarray(0, 200_000)],
  ['gets in a row', 'thrift', Buffer.concat(Array.from({ length: 50 }, () => getRow('t', 'row7')))],
  ['a scanner', 'thrift', scannerOpenWithScan('t', 10)],
  ['a part of a head', 'thrift', 'POST / HTTP/1.1\r\nHos'],
  ['a part of a body', 'thrift', post(getRow('t', 'row7')) + 'abc'],
  [
    'a call over HTTP',
    'thrift',
    Buffer.concat([Buffer.from(post(getRow('t', 'row7'))), unframed(getRow('t', 'row7'))]),
  ],
]

let doors: Readonly<Record<DoorName, Door>>
const memory = new MemoryBudget()
const server = { host: 'h', port: 1, startCode: 1 }
const store = advertised(openMemoryStore({ clock: Date }), server)

beforeAll(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  const logger = pino({ level: 'silent' })
  const context = { store, server, limits: DEFAULT_LIMITS, memory, logger }
  const address = { host: '127.0.0.1', port: 0 }
  doors = {
    rest: await startRestDoor(context, address),
    thrift: await startThriftDoor(context, address, openThriftServices(context)),
    web: await startWebDoor(context, address, {
      doors: new Map(),
      life: ServerLife.serving(store),
      version: '',
    }),
  }
  await store.catalog.createTable(tableDescriptor(parseTableName('t'), [familyDescriptor('f')]), [], OWN_CALL)
  const rows = Array.from({ length: ROWS }, (_, i) => `row${i}`)
  const written = await askOnce(
    doors.thrift.port,
    mutateRows('t', rows, 'f:q', 'v'.repeat(10_000)),
    isWholeFrame,
  )
  checkAnswer(written)
  while (held()['connections'] !== 0) await turn()
})

afterAll(async () => {
  vi.useRealTimers()
  for (const door of Object.values(doors)) await door.close()
  await store.close()
})

const descriptors = (): number => readdirSync('/proc/self/fd').length
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What the doors hold for clients. */
function held(): Readonly<Record<string, number>> {
  const open = Object.values(doors).map(({ counters }) => counters.connections())
  return {
    connections: open.reduce((a, b) => a + b),
    descriptors: descriptors(),
    timers: vi.getTimerCount(),
  }
}

/** Waits until they hold no more than that. Descriptors of earlier tests in this process may still be closing. */
async function untilHeld(expected: Readonly<Record<string, number>>): Promise<void> {
  const surplus = (): string[] =>
    Object.entries(held()).flatMap(([name, count]) => (count > expected[name]! ? [name] : []))
  for (let i = 0; i < TURNS_MAX && surplus().length > 0; i++) await turn()
  expect(surplus()).toEqual([])
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => undefined)
      resolve(socket)
    })
  })
}

async function resetBehind(
  bytes: Buffer | string,
  door: DoorName,
  connections: number,
  turns: number,
  isHalfClosed = false,
): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(doors[door].port)))
  for (const socket of sockets) {
    socket.write(bytes)
    if (isHalfClosed) socket.end()
  }
  for (let i = 0; i < turns; i++) await turn()
  for (const socket of sockets) socket.resetAndDestroy()
}

test.runIf(process.platform === 'linux').each(BYTES)(
  'behind %s at the door %s, a reset leaves no connection, descriptor and timer',
  async (_, door, bytes) => {
    // An incident that begins now has a timer of the log until it is over.
    await resetBehind(bytes, door, 1, 200)
    while (held()['connections'] !== 0) await turn()
    const before = held()
    for (const [index, isHalfClosed] of [false, true].entries()) {
      await resetBehind(bytes, door, TIMES, index * 200 + 3, isHalfClosed)
      await untilHeld(before)
    }
  },
)

test('scanners of clients that have gone are closed at their time, and then no memory is held', async () => {
  const { scanners } = {
    scanners: (): number[] =>
      Object.values(doors).flatMap(({ counters }) =>
        [...counters.scannerSamples('')].map(({ value }) => value),
      ),
  }
  expect(scanners().reduce((a, b) => a + b)).toBeGreaterThan(TIMES)
  await vi.advanceTimersByTimeAsync(DEFAULT_LIMITS.restScannerIdleMs + DEFAULT_LIMITS.scannerIdleMs)
  expect(scanners().every((open) => open === 0)).toBe(true)
  expect(memory.granted).toBe(0)
})
