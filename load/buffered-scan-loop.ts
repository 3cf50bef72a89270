/** Whole-table scans in pages of 1000 rows over buffered Thrift; each page is a call. Pages are equally long. */

import { connect, type Socket } from 'node:net'
import { AnswerTally } from '../test/harness/answer-tally.ts'
import { type LoopResult, loopResult } from '../test/harness/closed-loop.ts'
import { SILENCE_MS, silence } from '../test/harness/load-connection.ts'
import {
  i32Answer,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../test/harness/thrift-frames.ts'
import { readThriftAnswer } from './answers/thrift-answer.ts'
import { type BenchTable, ROWS_PER_SCAN } from './bench-table.ts'
import { unframed } from './gateway-requests.ts'

export interface BufferedScanOptions {
  readonly port: number
  readonly table: BenchTable
  readonly connections: number
  readonly durationMs: number
  /** Bytes of the answers; a buffered message does not state its length. */
  readonly bytes: { readonly open: number; readonly page: number; readonly close: number }
}

export async function bufferedScanLoop(options: BufferedScanOptions): Promise<LoopResult> {
  const latencies: number[] = []
  const tally = new AnswerTally(readThriftAnswer)
  const started = performance.now()
  const deadline = started + options.durationMs
  await Promise.all(
    Array.from({ length: options.connections }, () => scanUntil(deadline, options, latencies, tally)),
  )
  const seconds = (performance.now() - started) / 1000
  return loopResult(latencies, seconds, tally)
}

async function scanUntil(
  deadline: number,
  { port, table, bytes }: BufferedScanOptions,
  latencies: number[],
  tally: AnswerTally,
): Promise<void> {
  const connection = await BufferedConnection.open(port)
  const pages = table.rows.length / ROWS_PER_SCAN
  try {
    do {
      const opened = await connection.call(
        unframed(scannerOpenWithScan(table.name, ROWS_PER_SCAN)),
        bytes.open,
      )
      // i32Answer reads frames.
      const id = i32Answer(Buffer.concat([Buffer.alloc(4), opened]))
      const request = unframed(scannerGetList(id, ROWS_PER_SCAN))
      for (let page = 0; page < pages; page++) {
        const { readsNext } = tally
        const sentAt = performance.now()
        const answer = await connection.call(request, bytes.page, readsNext)
        latencies.push(performance.now() - sentAt)
        tally.add(bytes.page, readsNext ? [answer] : undefined, readsNext)
        if (performance.now() >= deadline) break
      }
      await connection.call(unframed(scannerClose(id)), bytes.close)
    } while (performance.now() < deadline)
  } finally {
    connection.close()
  }
}

/** So much of an answer is kept that is not kept whole. */
const HEAD_BYTES = 256
const READ_BYTES = 256 * 1024

/**
 * One call at a time. Answers are received in the same memory again and again, and copied only where they are kept: the generator
 * shares the machine's cores with what it measures.
 */
class BufferedConnection {
  readonly #socket: Socket
  readonly #kept: Buffer[] = []
  #missingOfKept = 0
  #received = 0
  #missing = 0
  #settle: ((kept: Buffer) => void) | undefined
  #fail: ((error: Error) => void) | undefined

  private constructor(port: number, onOpen: () => void, onError: (error: Error) => void) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: Buffer.alloc(READ_BYTES), callback: (bytes, chunk) => this.#take(bytes, chunk) },
    })
    this.#fail = onError
    this.#socket.setTimeout(SILENCE_MS, () =>
      this.#fail?.(silence(this.#received, Buffer.concat(this.#kept))),
    )
    this.#socket.once('connect', onOpen)
    this.#socket.on('error', (error) => this.#fail?.(error))
    this.#socket.on('close', () => this.#fail?.(new Error('the server closed a connection under load')))
  }

  static open(port: number): Promise<BufferedConnection> {
    return new Promise((resolve, reject) => {
      const connection: BufferedConnection = new BufferedConnection(port, () => resolve(connection), reject)
    })
  }

  /** Resolves to the answer, or to its first bytes where it is not kept. */
  call(request: Buffer, answerBytes: number, isKept = false): Promise<Buffer> {
    this.#missing = answerBytes
    this.#received = 0
    this.#kept.length = 0
    this.#missingOfKept = isKept ? answerBytes : HEAD_BYTES
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: number, chunk: Uint8Array): boolean {
    if (this.#missingOfKept > 0) {
      const part = Buffer.from(chunk.subarray(0, Math.min(bytes, this.#missingOfKept)))
      this.#kept.push(part)
      this.#missingOfKept -= part.length
    }
    this.#received += bytes
    this.#missing -= bytes
    if (this.#missing > 0) return true
    const kept = Buffer.concat(this.#kept)
    if (this.#missing === 0) this.#settle?.(kept)
    else {
      const text = kept.toString('latin1')
      this.#fail?.(new Error(`an answer was ${-this.#missing} bytes longer than expected: ${text}`))
    }
    return true
  }
}
