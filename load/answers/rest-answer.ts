/** Rows and cells of REST's answers: HTTP/1.1 with a cell set as JSON, or without a body. */

import type { Answered } from '../../test/harness/answer-tally.ts'

const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'

interface CellSet {
  readonly Row: readonly { readonly Cell: readonly unknown[] }[]
}

/** Throws for an answer that is no 200. */
export function readRestAnswer(answer: Buffer): Answered {
  const headEnd = answer.indexOf(HEAD_END)
  const head = answer.toString('latin1', 0, headEnd)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`not a 200: ${head}`)
  const sent = answer.subarray(headEnd + HEAD_END.length)
  const body = /\r\ntransfer-encoding: *chunked/i.test(head) ? withoutChunks(sent) : sent
  if (body.length === 0) return { rows: 0, cells: 0 }
  const { Row } = JSON.parse(body.toString('utf8')) as CellSet
  return { rows: Row.length, cells: Row.reduce((sum, { Cell }) => sum + Cell.length, 0) }
}

function withoutChunks(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf(LINE_END, at)
    const length = Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    if (length === 0) return Buffer.concat(parts)
    const start = lineEnd + LINE_END.length
    parts.push(body.subarray(start, start + length))
    at = start + length + LINE_END.length
  }
}
