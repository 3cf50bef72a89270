/** Gets of rows in random order, encoded before the clock starts. */

import { askOnce, isWholeFrame } from '../test/harness/closed-loop.ts'
import { getRow, listAnswerLength } from '../test/harness/thrift-frames.ts'
import type { BenchTable } from './bench-table.ts'

const REQUESTS = 20_000

/** The same rows in every run: a linear congruential walk. */
function randomRows(table: BenchTable): string[] {
  let state = 12345
  return Array.from({ length: REQUESTS }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return table.rows[state % table.rows.length]!
  })
}

export function thriftGetRequests(table: BenchTable): Buffer[] {
  return randomRows(table).map((row) => getRow(table.name, row))
}

export async function thriftGetAnswer(port: number, table: BenchTable): Promise<Buffer> {
  const answer = await askOnce(port, getRow(table.name, table.rows[0]!), isWholeFrame)
  if (listAnswerLength(answer) !== 1) throw new Error('getRow did not answer one row')
  return answer
}

function restGet(table: BenchTable, row: string): Buffer {
  return Buffer.from(`GET /${table.name}/${row} HTTP/1.1\r\nHost: bench\r\nAccept: application/json\r\n\r\n`)
}

export function restGetRequests(table: BenchTable): Buffer[] {
  return randomRows(table).map((row) => restGet(table, row))
}

/** One answer's JSON, and the bytes of a whole answer, which are the same for every row of the table. */
export async function restGetAnswer(
  port: number,
  table: BenchTable,
): Promise<{ body: string; bytes: number }> {
  const answer = await askOnce(port, restGet(table, table.rows[0]!), isWholeHttp)
  const text = answer.toString('latin1')
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`not a 200: ${text}`)
  return { body: text.slice(text.indexOf('\r\n\r\n') + 4), bytes: answer.length }
}

function isWholeHttp(answer: Buffer): boolean {
  const text = answer.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))
  if (length === null) throw new Error(`an answer without Content-Length: ${text}`)
  return answer.length >= end + 4 + Number(length[1])
}
