/** Whole-table scans in pages of 1000 rows; each page is a call. Pages of the table are equally long. */

import { connect, type Socket } from 'node:net'
import { AnswerTally } from '../test/harness/answer-tally.ts'
import { type LoopResult, loopResult } from '../test/harness/closed-loop.ts'
import {
  i32Answer,
  listAnswerLength,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../test/harness/thrift-frames.ts'
import { type BenchTable, ROWS_PER_SCAN } from './bench-table.ts'

export interface ScanLoopOptions {
  readonly port: number
  readonly table: BenchTable
  readonly connections: number
  /** 0: one page only. */
  readonly durationMs: number
}

export async function scanLoop(
  options: ScanLoopOptions,
): Promise<LoopResult & { readonly answerBytes: number }> {
  const latencies: number[] = []
  const tally = new AnswerTally(undefined)
  const started = performance.now()
  const deadline = started + options.durationMs
  const sizes = await Promise.all(
    Array.from({ length: options.connections }, () => scanUntil(deadline, options, latencies, tally)),
  )
  const seconds = (performance.now() - started) / 1000
  return { answerBytes: sizes[0]!, ...loopResult(latencies, seconds, tally) }
}

async function scanUntil(
  deadline: number,
  options: ScanLoopOptions,
  latencies: number[],
  tally: AnswerTally,
): Promise<number> {
  const connection = await FrameConnection.open(options.port)
  const pages = options.table.rows.length / ROWS_PER_SCAN
  let pageBytes = 0
  try {
    do {
      const id = i32Answer(await connection.call(scannerOpenWithScan(options.table.name, ROWS_PER_SCAN)))
      const request = scannerGetList(id, ROWS_PER_SCAN)
      for (let page = 0; page < pages; page++) {
        const sentAt = performance.now()
        const answer = await connection.callForHead(request)
        latencies.push(performance.now() - sentAt)
        if (listAnswerLength(answer.head) !== ROWS_PER_SCAN) throw new Error('a page was not full')
        pageBytes = answer.bytes
        tally.add(answer.bytes, undefined, false)
        if (performance.now() >= deadline) break
      }
      await connection.call(scannerClose(id))
    } while (performance.now() < deadline)
    return pageBytes
  } finally {
    connection.close()
  }
}

/** One call at a time over length-prefixed frames. Long answers are counted and only their beginning is kept. */
class FrameConnection {
  readonly #socket: Socket
  #head: Buffer = Buffer.alloc(0)
  #received = 0
  #settle: ((answer: { head: Buffer; bytes: number }) => void) | undefined
  #fail: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#fail?.(error))
    socket.on('close', () => this.#fail?.(new Error('the server closed a connection under load')))
  }

  static open(port: number): Promise<FrameConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('connect', () => resolve(new FrameConnection(socket)))
      socket.once('error', reject)
    })
  }

  callForHead(request: Buffer): Promise<{ head: Buffer; bytes: number }> {
    this.#received = 0
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
      this.#socket.write(request)
    })
  }

  async call(request: Buffer): Promise<Buffer> {
    return (await this.callForHead(request)).head
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    if (this.#received === 0) this.#head = chunk
    this.#received += chunk.length
    if (this.#head.length >= 4 && this.#received >= 4 + this.#head.readInt32BE(0)) {
      this.#settle?.({ head: this.#head, bytes: this.#received })
    }
  }
}
