/** Whole-table scans in pages of 1000 rows over buffered Thrift; each page is a call. Pages are equally long. */

import { connect, type Socket } from 'node:net'
import { type LoopResult, loopResult } from '../test/harness/closed-loop.ts'
import {
  i32Answer,
  scannerClose,
  scannerGetList,
  scannerOpenWithScan,
} from '../test/harness/thrift-frames.ts'
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
  const started = performance.now()
  const deadline = started + options.durationMs
  await Promise.all(
    Array.from({ length: options.connections }, () => scanUntil(deadline, options, latencies)),
  )
  const seconds = (performance.now() - started) / 1000
  return loopResult(latencies, seconds)
}

async function scanUntil(
  deadline: number,
  { port, table, bytes }: BufferedScanOptions,
  latencies: number[],
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
        const sentAt = performance.now()
        await connection.call(request, bytes.page)
        latencies.push(performance.now() - sentAt)
        if (performance.now() >= deadline) break
      }
      await connection.call(unframed(scannerClose(id)), bytes.close)
    } while (performance.now() < deadline)
  } finally {
    connection.close()
  }
}

/** The generator looks only at so much of an answer. */
const HEAD_BYTES = 256
const READ_BYTES = 256 * 1024

/**
 * One call at a time. Answers are read into the same memory again and again and only counted: the generator shares the
 * machine's cores with what it measures.
 */
class BufferedConnection {
  readonly #socket: Socket
  readonly #head: Buffer = Buffer.alloc(HEAD_BYTES)
  #headBytes = 0
  #missing = 0
  #settle: ((head: Buffer) => void) | undefined
  #fail: ((error: Error) => void) | undefined

  private constructor(port: number, onOpen: () => void, onError: (error: Error) => void) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: Buffer.alloc(READ_BYTES), callback: (bytes, chunk) => this.#take(bytes, chunk) },
    })
    this.#fail = onError
    this.#socket.once('connect', onOpen)
    this.#socket.on('error', (error) => this.#fail?.(error))
    this.#socket.on('close', () => this.#fail?.(new Error('the server closed a connection under load')))
  }

  static open(port: number): Promise<BufferedConnection> {
    return new Promise((resolve, reject) => {
      const connection: BufferedConnection = new BufferedConnection(port, () => resolve(connection), reject)
    })
  }

  call(request: Buffer, answerBytes: number): Promise<Buffer> {
    this.#missing = answerBytes
    this.#headBytes = 0
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
    if (this.#headBytes < HEAD_BYTES) {
      const part = chunk.subarray(0, Math.min(bytes, HEAD_BYTES - this.#headBytes))
      this.#head.set(part, this.#headBytes)
      this.#headBytes += part.length
    }
    this.#missing -= bytes
    if (this.#missing > 0) return true
    const head = Buffer.from(this.#head.subarray(0, this.#headBytes))
    if (this.#missing === 0) this.#settle?.(head)
    else {
      const text = head.toString('latin1')
      this.#fail?.(new Error(`an answer was ${-this.#missing} bytes longer than expected: ${text}`))
    }
    return true
  }
}
