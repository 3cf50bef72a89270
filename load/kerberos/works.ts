/** The work of a comparison, the same at each server. */

import { openScanner } from '../../src/gateway/reads/scanner.ts'
import { get, scan } from '../../src/model/query.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { closedLoop } from '../../test/harness/closed-loop.ts'
import {
  getRow,
  i32Answer,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../../test/harness/thrift-frames.ts'
import { readRestAnswer } from '../answers/rest-answer.ts'
import { readThriftAnswer } from '../answers/thrift-answer.ts'
import { type BenchTable, benchTable } from '../bench-table.ts'
import { type BenchedServer, type Door, openNativeClient } from './benched-server.ts'
import { cookieOf, logInAndGet, restRequest } from './rest-client.ts'
import { ThriftClient } from './thrift-client.ts'

const ROWS = 20_000
export const TABLE: BenchTable = benchTable('bench', ROWS)
const TABLE_NAME = parseTableName(TABLE.name)
const PAGE_ROWS = 1000
const GETTING = 16
const SCANNING = 4
const LOGGING_IN = 4
const REST_REQUESTS = 2000
const GET_LIMITS = { bytes: Number.MAX_SAFE_INTEGER }
const SCAN_LIMITS = { rows: PAGE_ROWS, bytes: 4 * 1024 * 1024, allowPartial: false }

/** Clients of one server. */
export interface Clients {
  /** Resolves to the number of calls, rows or logins. */
  run(durationMs: number): Promise<number>
  close(): Promise<void>
}

export interface Work {
  readonly name: string
  readonly door: Door
  open(server: BenchedServer): Promise<Clients>
}

/** A step resolves to the number of calls, rows or logins that it was. */
type Step = (isOver: () => boolean) => Promise<number>

async function repeat(steps: readonly Step[], durationMs: number): Promise<number> {
  const end = performance.now() + durationMs
  const isOver = (): boolean => performance.now() >= end
  const counts = await Promise.all(
    steps.map(async (step) => {
      let count = 0
      do count += await step(isOver)
      while (!isOver())
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

const anyRow = (): string => TABLE.rows[Math.floor(Math.random() * ROWS)]!

/** Reads answers of new lengths only. */
class ThriftAnswers {
  readonly #rows = new Map<number, number>()

  check(answer: Buffer, expected: number): void {
    const rows = this.#rows.get(answer.length) ?? readThriftAnswer(answer).rows
    this.#rows.set(answer.length, rows)
    if (rows !== expected) throw new Error(`an answer of ${rows} rows in place of ${expected}`)
  }
}

async function scanByThrift(
  client: ThriftClient,
  answers: ThriftAnswers,
  isOver: () => boolean,
): Promise<number> {
  const opened = await client.call(scannerOpenWithScan(TABLE.name, PAGE_ROWS))
  // i32Answer reads frames.
  const id = i32Answer(Buffer.concat([Buffer.alloc(4), opened]))
  let rows = 0
  while (rows < ROWS && !(rows > 0 && isOver())) {
    answers.check(await client.call(scannerGetList(id, PAGE_ROWS)), PAGE_ROWS)
    rows += PAGE_ROWS
  }
  await client.call(scannerClose(id))
  return rows
}

function thriftWork(
  name: string,
  clients: number,
  step: (client: ThriftClient, answers: ThriftAnswers, isOver: () => boolean) => Promise<number>,
): Work {
  return {
    name,
    door: 'thrift',
    async open(server) {
      const opened = await Promise.all(Array.from({ length: clients }, () => ThriftClient.open(server)))
      const answers = new ThriftAnswers()
      const steps = opened.map(
        (client): Step =>
          (isOver) =>
            step(client, answers, isOver),
      )
      return {
        run: (durationMs) => repeat(steps, durationMs),
        close: async () => {
          for (const client of opened) client.close()
        },
      }
    },
  }
}

async function getByThrift(client: ThriftClient, answers: ThriftAnswers): Promise<number> {
  answers.check(await client.call(getRow(TABLE.name, anyRow())), 1)
  return 1
}

function loginWork(name: string, door: Door, step: (server: BenchedServer) => Promise<unknown>): Work {
  return {
    name,
    door,
    open: async (server) => {
      const steps = Array.from(
        { length: LOGGING_IN },
        (): Step => async () => {
          await step(server)
          return 1
        },
      )
      return { run: (durationMs) => repeat(steps, durationMs), close: async () => undefined }
    },
  }
}

async function logInByThrift(server: BenchedServer): Promise<void> {
  const client = await ThriftClient.open(server)
  try {
    await getByThrift(client, new ThriftAnswers())
  } finally {
    client.close()
  }
}

async function logInByRpc(server: BenchedServer): Promise<void> {
  const store = await openNativeClient(server)
  try {
    await getByRpc(store)
  } finally {
    await store.close()
  }
}

function restWork(name: string, clients: number, rows: number, paths: () => readonly string[]): Work {
  return {
    name,
    door: 'rest',
    async open(server) {
      const cookie = await cookieOf(server)
      const requests = paths().map((path) => restRequest(path, cookie))
      const port = server.ports.rest
      const loop = {
        port,
        requests,
        answerBytes: 'http',
        readAnswer: readRestAnswer,
        connections: clients,
      } as const
      return {
        async run(durationMs) {
          const { calls, answers } = await closedLoop({ ...loop, durationMs })
          if (answers.each?.rows !== rows) throw new Error(`an answer of ${answers.each?.rows} rows`)
          return calls * rows
        },
        close: async () => undefined,
      }
    },
  }
}

async function getByRpc(store: Store): Promise<number> {
  const { counts } = await store.rows.get(TABLE_NAME, [get(Buffer.from(anyRow()))], GET_LIMITS, OWN_CALL)
  if (counts[0] !== 1) throw new Error('a row is missing')
  return 1
}

async function scanByRpc(store: Store, isOver: () => boolean): Promise<number> {
  const scanner = await openScanner(store, TABLE_NAME, scan(), OWN_CALL)
  let rows = 0
  try {
    for (;;) {
      const { results, ended } = await scanner.next(SCAN_LIMITS, OWN_CALL)
      rows += results.counts.length
      if (ended === 'scan' || isOver()) return rows
    }
  } finally {
    await scanner.close()
  }
}

function rpcWork(
  name: string,
  clients: number,
  step: (store: Store, isOver: () => boolean) => Promise<number>,
): Work {
  return {
    name,
    door: 'rpc',
    async open(server) {
      const store = await openNativeClient(server)
      const steps = Array.from({ length: clients }, (): Step => (isOver) => step(store, isOver))
      return { run: (durationMs) => repeat(steps, durationMs), close: async () => store.close() }
    },
  }
}

const getPaths = (): string[] => Array.from({ length: REST_REQUESTS }, () => `/${TABLE.name}/${anyRow()}`)
const pagePaths = (): string[] =>
  Array.from({ length: ROWS / PAGE_ROWS }, (_, page) => {
    return `/${TABLE.name}/*?startrow=${TABLE.rows[page * PAGE_ROWS]}&limit=${PAGE_ROWS}`
  })

/** Times are of a call, a row of a scan, or a connection with its login and one get. */
export const WORKS: readonly Work[] = [
  thriftWork('Thrift getRow', GETTING, getByThrift),
  thriftWork(`Thrift scan, a row of ${PAGE_ROWS}`, SCANNING, scanByThrift),
  loginWork('Thrift login and getRow', 'thrift', logInByThrift),
  restWork('REST GET', GETTING, 1, getPaths),
  restWork(`REST scan, a row of ${PAGE_ROWS}`, SCANNING, PAGE_ROWS, pagePaths),
  loginWork('REST login and GET', 'rest', (server) => logInAndGet(server, TABLE)),
  rpcWork('native RPC Get', GETTING, getByRpc),
  rpcWork('native RPC scan, a row', SCANNING, scanByRpc),
  loginWork('native RPC login and Get', 'rpc', logInByRpc),
]
