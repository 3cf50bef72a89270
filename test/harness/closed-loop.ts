/**
 * A closed loop: each connection sends a ready-made request, waits for the whole answer, sends the next. Its latencies leave
 * out what clients would have waited for that come at times of their own: openLoop counts that.
 */

import type { AnswerForm } from './answer-end.ts'
import { type Answers, AnswerTally, type ReadAnswer } from './answer-tally.ts'
import { type LoadConnection, type LoadTarget, openConnections, openSocket } from './load-connection.ts'

export interface LoopResult {
  readonly callsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly calls: number
  readonly answers: Answers
}

export interface LoopOptions extends Pick<LoadTarget, 'port' | 'preface' | 'tls'> {
  readonly connections: number
  readonly durationMs: number
  readonly requests: readonly Buffer[]
  readonly answerBytes: AnswerForm
  /** Undefined: answers are not read. */
  readonly readAnswer?: ReadAnswer | undefined
  /** Called when all connections are open and logged in, before the first request. */
  readonly onOpen?: () => Promise<void>
}

/** Sorts the latencies. */
export function loopResult(latencies: number[], seconds: number, tally: AnswerTally): LoopResult {
  latencies.sort((a, b) => a - b)
  const at = (part: number): number => latencies[Math.floor(latencies.length * part)] ?? Number.NaN
  return {
    callsPerSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    p999Ms: at(0.999),
    calls: latencies.length,
    answers: tally.result(),
  }
}

/** Sends one request on a connection of its own; resolves to its answer when `isWhole` says so. */
export async function askOnce(
  port: number,
  request: Buffer,
  isWhole: (answer: Buffer) => boolean,
): Promise<Buffer> {
  const socket = await openSocket(port)
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

export async function closedLoop(options: LoopOptions): Promise<LoopResult> {
  const { answerBytes: answers, durationMs } = options
  const tally = new AnswerTally(options.readAnswer)
  const connections = await openConnections({ ...options, answers, tally }, options.connections)
  const latencies: number[] = []
  let startedAt = performance.now()
  try {
    await options.onOpen?.()
    startedAt = performance.now()
    await Promise.all(
      connections.map((connection, index) =>
        runConnection(connection, index, startedAt + durationMs, options, latencies),
      ),
    )
  } finally {
    for (const connection of connections) connection.close()
  }
  return loopResult(latencies, (performance.now() - startedAt) / 1000, tally)
}

function runConnection(
  connection: LoadConnection,
  index: number,
  deadline: number,
  { requests, connections }: LoopOptions,
  latencies: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let turn = index
    let sentAt = 0
    const send = (): void => {
      sentAt = performance.now()
      connection.send(requests[turn % requests.length]!)
      turn += connections
    }
    connection.onFailure = reject
    connection.onAnswer = () => {
      const now = performance.now()
      latencies.push(now - sentAt)
      if (now >= deadline) resolve()
      else send()
    }
    send()
  })
}
