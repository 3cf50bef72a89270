/** Whole-table scans in pages of 1000 rows over buffered Thrift; each page is a call. Pages are equally long. */

import { connect, type Socket } from 'node:net'
import { type BenchTable, ROWS_PER_SCAN } from './bench-table.ts'
import type { LoopResult } from './closed-loop.ts'
import { unframed } from './gateway-requests.ts'
import { i32Answer, scannerClose, scannerGetList, scannerOpenWithScan } from './thrift-frames.ts'

export interface BufferedScanOptions {
  readonly port: number
  readonly table: BenchTable
  readonly connections: number
  readonly durationMs: number
  /** Bytes of the answers, which nothing in a buffered message says. */
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
  latencies.sort((a, b) => a - b)
  return {
    calls: latencies.length,
    callsPerSecond: latencies.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  }
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

/** One call at a time. Of long answers only the beginning is kept. */
class BufferedConnection {
  readonly #socket: Socket
  #head: Buffer = Buffer.alloc(0)
  #missing = 0
  #settle: ((head: Buffer) => void) | undefined
  #fail: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#fail?.(error))
    socket.on('close', () => this.#fail?.(new Error('the server closed a connection under load')))
  }

  static open(port: number): Promise<BufferedConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('connect', () => resolve(new BufferedConnection(socket)))
      socket.once('error', reject)
    })
  }

  call(request: Buffer, answerBytes: number): Promise<Buffer> {
    this.#missing = answerBytes
    this.#head = Buffer.alloc(0)
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    if (this.#head.length < 256) this.#head = Buffer.concat([this.#head, chunk])
    this.#missing -= chunk.length
    if (this.#missing < 0) {
      const text = this.#head.subarray(0, 256).toString('latin1')
      this.#fail?.(new Error(`an answer was ${-this.#missing} bytes longer than expected: ${text}`))
    } else if (this.#missing === 0) {
      this.#settle?.(this.#head)
    }
  }
}
