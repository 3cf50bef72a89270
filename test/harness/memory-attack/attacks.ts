/** What clients do that takes a server's memory: large bodies at once, scanners that stay open, answers that nobody reads. */

import { connect, type Socket } from 'node:net'
import { askOnce, isWholeFrame } from '../closed-loop.ts'
import { i32Answer, scannerGetList, scannerOpenWithScan } from '../thrift-frames.ts'

/** A JSON cell set of so many rows `big0`, `big1`, ... with a value of so many bytes each. */
export function largeBody(rows: number, valueBytes: number): Buffer {
  const value = Buffer.alloc(valueBytes, 'v').toString('base64')
  const column = Buffer.from('f:q').toString('base64')
  const texts = Array.from({ length: rows }, (_, i) =>
    JSON.stringify({ key: Buffer.from(`big${i}`).toString('base64'), Cell: [{ column, $: value }] }),
  )
  return Buffer.from(`{"Row":[${texts.join(',')}]}`)
}

/** Puts the body so many times at once. Returns the number of outcomes of each kind: a status, or why there was none. */
export async function putAtOnce(
  restPort: number,
  table: string,
  body: Buffer,
  times: number,
): Promise<ReadonlyMap<string, number>> {
  const outcomes = new Map<string, number>()
  const put = async (): Promise<void> => {
    const outcome = await putOnce(restPort, table, body)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  await Promise.all(Array.from({ length: times }, put))
  return outcomes
}

async function putOnce(restPort: number, table: string, body: Buffer): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  try {
    const answer = await fetch(`http://127.0.0.1:${restPort}/${table}/rows`, {
      method: 'PUT',
      headers,
      body: new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length),
    })
    await answer.arrayBuffer()
    return String(answer.status)
  } catch (error) {
    // A refusal may come, and end the connection, before the body has gone.
    const { cause } = error as Error
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? String(cause)
  }
}

/** Opens Thrift scanners and reads one row of each: what they have read ahead stays. Calls `between` after each. */
export async function openScanners(
  thriftPort: number,
  table: string,
  count: number,
  between: (open: number) => Promise<void>,
): Promise<void> {
  for (let open = 1; open <= count; open++) {
    const id = i32Answer(await askOnce(thriftPort, scannerOpenWithScan(table, 100), isWholeFrame))
    await takeFrame(thriftPort, scannerGetList(id, 1))
    await between(open)
  }
}

/** Reads an answer, which may be long, and keeps nothing of it. */
function takeFrame(port: number, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let head: Buffer = Buffer.alloc(0)
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (head.length < 4) head = Buffer.concat([head, chunk.subarray(0, 4)])
      if (head.length >= 4 && bytes >= 4 + head.readInt32BE(0)) socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => {
      if (head.length >= 4 && bytes >= 4 + head.readInt32BE(0)) resolve()
      else reject(new Error('the connection was closed before the answer was whole'))
    })
    socket.write(request)
  })
}

/** Asks for the whole table, and reads none of it. */
export function slowReaders(restPort: number, table: string, count: number): readonly Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(restPort, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET /${table}/* HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`)
    socket.pause()
    return socket
  })
}
