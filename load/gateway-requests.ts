/**
 * The requests to two gateways in front of one HBase, encoded before the clock starts. Thrift is buffered, HBase's own
 * default, in which a client must know how long the answer is.
 */

import { askOnce, isWholeFrame } from '../test/harness/closed-loop.ts'
import { mutateRow } from '../test/harness/thrift-frames.ts'
import type { BenchTable } from './bench-table.ts'

const REQUESTS = 20_000
const FRAME_HEAD_BYTES = 4

/** The message of a frame. */
export function unframed(frame: Buffer): Buffer {
  return frame.subarray(FRAME_HEAD_BYTES)
}

/** Bytes of the answer to a framed message, without its frame's head. `port` is one that takes frames. */
export async function answerBytes(port: number, frame: Buffer): Promise<number> {
  return (await askOnce(port, frame, isWholeFrame)).length - FRAME_HEAD_BYTES
}

export function thriftPuts(table: BenchTable): Buffer[] {
  const value = 'w'.repeat(table.valueBytes)
  return Array.from({ length: REQUESTS }, (_, i) =>
    mutateRow(table.name, table.rows[(i * 7919) % table.rows.length]!, 'f:q', value),
  )
}

export function restPuts(table: BenchTable): Buffer[] {
  const value = 'w'.repeat(table.valueBytes)
  return Array.from({ length: REQUESTS }, (_, i) => {
    const row = table.rows[(i * 7919) % table.rows.length]!
    return Buffer.from(
      `PUT /${table.name}/${row}/f:q HTTP/1.1\r\nHost: bench\r\nContent-Type: application/octet-stream\r\n` +
        `Content-Length: ${value.length}\r\n\r\n${value}`,
    )
  })
}

/** Bytes of the answer to a request that is answered without a body, or with one of a stated length. */
export async function httpAnswerBytes(port: number, request: Buffer): Promise<number> {
  const answer = await askOnce(port, request, isWholeHttp)
  const text = answer.toString('latin1')
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`not a 200: ${text}`)
  return answer.length
}

function isWholeHttp(answer: Buffer): boolean {
  const text = answer.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))
  return answer.length >= end + 4 + Number(length?.[1] ?? 0)
}
