/**
 * An open loop: requests come at fixed times, whether or not earlier ones are answered, as from many clients who do not know of each
 * other. A latency counts from the time at which its request should have been sent, so that a server that stands still is
 * charged for all who wait meanwhile (coordinated omission is avoided).
 */

import { AnswerTally } from './answer-tally.ts'
import { type LoopOptions, type LoopResult, loopResult } from './closed-loop.ts'
import { type LoadConnection, openConnections } from './load-connection.ts'

/** Requests are sent in steps of so long: a timer's least. Latencies are too long by up to it, on every server. */
const STEP_MS = 1

export interface OpenLoopOptions extends LoopOptions {
  readonly callsPerSecond: number
}

/** Each connection has one request under way at most; where all are busy the next one waits, and its wait counts. */
export async function openLoop(options: OpenLoopOptions): Promise<LoopResult> {
  const { answerBytes: answers } = options
  const tally = new AnswerTally(options.readAnswer)
  const connections = await openConnections({ ...options, answers, tally }, options.connections)
  try {
    return await paced(connections, options, tally)
  } finally {
    for (const connection of connections) connection.close()
  }
}

function paced(
  connections: readonly LoadConnection[],
  options: OpenLoopOptions,
  tally: AnswerTally,
): Promise<LoopResult> {
  const schedule = new Schedule(connections, options, tally)
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => schedule.sendDue(), STEP_MS)
    const end = (error: Error | undefined): void => {
      clearInterval(timer)
      if (error === undefined) resolve(schedule.result())
      else reject(error)
    }
    schedule.onEnd = () => end(undefined)
    for (const connection of connections) connection.onFailure = end
  })
}

class Schedule {
  readonly #options: OpenLoopOptions
  readonly #idle: LoadConnection[]
  readonly #count: number
  readonly #tally: AnswerTally
  readonly #latencies: number[] = []
  readonly #startedAt = performance.now()
  #next = 0
  onEnd: () => void = () => undefined

  constructor(connections: readonly LoadConnection[], options: OpenLoopOptions, tally: AnswerTally) {
    this.#options = options
    this.#tally = tally
    this.#idle = [...connections]
    this.#count = Math.floor((options.durationMs / 1000) * options.callsPerSecond)
  }

  /** Sends what is due, as far as there are connections without a request under way. */
  sendDue(): void {
    const now = performance.now()
    while (this.#next < this.#count && this.#idle.length > 0 && this.#dueAt(this.#next) <= now) {
      this.#send(this.#idle.pop()!)
    }
  }

  result(): LoopResult {
    return loopResult(this.#latencies, (performance.now() - this.#startedAt) / 1000, this.#tally)
  }

  #dueAt(index: number): number {
    return this.#startedAt + (index * 1000) / this.#options.callsPerSecond
  }

  #send(connection: LoadConnection): void {
    const { requests } = this.#options
    const due = this.#dueAt(this.#next)
    connection.onAnswer = () => {
      this.#latencies.push(performance.now() - due)
      this.#idle.push(connection)
      if (this.#latencies.length === this.#count) this.onEnd()
      else this.sendDue()
    }
    connection.send(requests[this.#next++ % requests.length]!)
  }
}
