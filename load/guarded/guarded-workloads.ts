/** The same calls to each server, with the login that it asks for. */

import type { AnswerForm } from '../../test/harness/answer-end.ts'
import { closedLoop, type LoopResult } from '../../test/harness/closed-loop.ts'
import type { Preface } from '../../test/harness/load-connection.ts'
import { saslPreface } from '../../test/harness/sasl-login.ts'
import { getRow, mutateRows } from '../../test/harness/thrift-frames.ts'
import { prefaceOf, RPC_WORKLOADS } from '../rpc-requests.ts'
import type { GuardedServer, Login } from './guarded-servers.ts'

const REQUESTS = 2000
const TOGETHER = 100
const COLUMN = 'f:q'

export interface GuardedWorkload {
  readonly name: string
  /** Whether it only reads: the server with labels is asked these alone, as its user writes cells without labels. */
  readonly isRead: boolean
  readonly connections: number
  readonly door: 'rest' | 'thrift' | 'rpc'
  readonly answers: AnswerForm
  readonly requestsOf: (server: GuardedServer) => Buffer[]
  readonly prefaceOf: (login: Login | undefined) => Preface | undefined
}

export function runWorkload(
  server: GuardedServer,
  workload: GuardedWorkload,
  durationMs: number,
  onOpen: () => Promise<void>,
): Promise<LoopResult> {
  return closedLoop({
    port: server.process.port(workload.door),
    requests: workload.requestsOf(server),
    answerBytes: workload.answers,
    connections: workload.connections,
    preface: workload.prefaceOf(server.login),
    tls: server.tls,
    durationMs,
    onOpen,
  })
}

/** Rows all over the table, in no order. */
function scattered({ table: { rows } }: GuardedServer): string[] {
  return Array.from({ length: REQUESTS }, (_, number) => rows[(number * 7919) % rows.length]!)
}

function http(login: Login | undefined, line: string, headers: readonly string[], body = ''): Buffer {
  const authorization =
    login === undefined
      ? []
      : [`Authorization: Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`]
  const head = [line, 'Host: bench', ...authorization, ...headers].join('\r\n')
  return Buffer.from(`${head}\r\n\r\n${body}`)
}

function rest(
  name: string,
  isRead: boolean,
  requestOf: (row: string, server: GuardedServer) => Buffer,
): GuardedWorkload {
  return {
    name,
    isRead,
    connections: 16,
    door: 'rest',
    answers: 'http',
    requestsOf: (server) => scattered(server).map((row) => requestOf(row, server)),
    prefaceOf: () => undefined,
  }
}

function thrift(
  name: string,
  isRead: boolean,
  requestsOf: (server: GuardedServer) => Buffer[],
): GuardedWorkload {
  return {
    name,
    isRead,
    connections: 16,
    door: 'thrift',
    answers: 'framed',
    requestsOf,
    prefaceOf: (login) => login && saslPreface(login.user, login.password),
  }
}

function rpc(name: string, connections: number): GuardedWorkload {
  const { requestsOf } = RPC_WORKLOADS.find((workload) => workload.name === name)!
  return {
    name: `native RPC ${name}`,
    isRead: true,
    connections,
    door: 'rpc',
    answers: 'framed',
    requestsOf: ({ region }) => requestsOf(region),
    prefaceOf: (login) => prefaceOf(login?.user ?? 'alice', login?.password),
  }
}

export const GUARDED_WORKLOADS: readonly GuardedWorkload[] = [
  rest('REST GET', true, (row, { table, login }) =>
    http(login, `GET /${table.name}/${row} HTTP/1.1`, ['Accept: application/json']),
  ),
  rest('REST PUT', false, (row, { table, login }) =>
    http(
      login,
      `PUT /${table.name}/${row}/${COLUMN} HTTP/1.1`,
      ['Content-Type: application/octet-stream', `Content-Length: ${table.valueBytes}`],
      'w'.repeat(table.valueBytes),
    ),
  ),
  thrift('Thrift getRow', true, (server) => scattered(server).map((row) => getRow(server.table.name, row))),
  thrift(`Thrift mutateRows of ${TOGETHER}`, false, (server) => {
    const rows = scattered(server)
    const value = 'w'.repeat(server.table.valueBytes)
    return Array.from({ length: REQUESTS / TOGETHER }, (_, number) =>
      mutateRows(server.table.name, rows.slice(number * TOGETHER, (number + 1) * TOGETHER), COLUMN, value),
    )
  }),
  rpc('Get', 16),
  rpc('Scan of 1000', 4),
]
