/**
 * A closed loop: each connection sends a ready-made request, waits for the whole answer, sends the next. Answers of one
 * run have one known size, so that the generator only counts bytes: it must not be what is measured.
 */

import { connect, type Socket } from 'node:net'
import { EMPTY } from '../../src/model/bytes.ts'

export interface LoopResult {
  readonly callsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly calls: number
}

export interface LoopOptions {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly requests: readonly Buffer[]
  /** Bytes of every answer; `framed`: each says its own length in its first four bytes. */
  readonly answerBytes: number | 'framed'
  /** What a connection begins with; the server answers nothing to it. */
  readonly preface?: Buffer
}

const FRAME_HEAD_BYTES = 4

/** Sends one request on a connection of its own; resolves to its answer when `isWhole` says so. */
export async function askOnce(
  port: number,
  request: Buffer,
  isWhole: (answer: Buffer) => boolean,
): Promise<Buffer> {
  const socket = await open(port)
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      let answer: Buffer = Buffer.alloc(0)
      socket.on('data', (chunk: Buffer) => {
        answer = Buffer.concat([answer, chunk])
        if (isWhole(answer)) resolve(answer)
      })
      socket.once('close', () => reject(new Error('the connection was closed before the answer was whole')))
      socket.once('error', reject)
      socket.write(request)
    })
  } finally {
    socket.destroy()
  }
}

/** Whether a length-prefixed frame has arrived. */
export function isWholeFrame(answer: Buffer): boolean {
  return answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

export async function closedLoop(options: LoopOptions): Promise<LoopResult> {
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => open(options.port)))
  const latencies: number[] = []
  const started = process.hrtime.bigint()
  const deadline = performance.now() + options.durationMs
  try {
    await Promise.all(
      sockets.map((socket, index) => runConnection(socket, index, deadline, options, latencies)),
    )
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9
  latencies.sort((a, b) => a - b)
  return {
    callsPerSecond: latencies.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    calls: latencies.length,
  }
}

function runConnection(
  socket: Socket,
  index: number,
  deadline: number,
  options: LoopOptions,
  latencies: number[],
): Promise<void> {
  const { requests, answerBytes, connections, preface } = options
  return new Promise((resolve, reject) => {
    let turn = index
    let missing = 0
    /** Of a framed answer, whose length is not known yet. */
    let head: Buffer | undefined
    let sentAt = performance.now()
    const send = (): void => {
      missing = answerBytes === 'framed' ? 0 : answerBytes
      head = answerBytes === 'framed' ? EMPTY : undefined
      sentAt = performance.now()
      socket.write(requests[turn % requests.length]!)
      turn += connections
    }
    socket.on('data', (chunk: Buffer) => {
      missing -= chunk.length
      if (head !== undefined) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        if (head.length < FRAME_HEAD_BYTES) return
        missing += FRAME_HEAD_BYTES + head.readInt32BE(0)
        head = undefined
      }
      if (missing > 0) return
      const now = performance.now()
      latencies.push(now - sentAt)
      if (missing < 0) reject(new Error(`an answer was ${-missing} bytes longer than expected`))
      else if (now >= deadline) resolve()
      else send()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed a connection under load')))
    if (preface !== undefined) socket.write(preface)
    send()
  })
}
