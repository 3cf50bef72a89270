import { connect, type Socket } from 'node:net'

export interface Times {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** One connection that asks the same small get, a millisecond after each answer. */
export class TimedGets {
  readonly #socket: Socket
  readonly #request: Buffer

  private constructor(socket: Socket, request: Buffer) {
    this.#socket = socket
    this.#request = request
  }

  static async open(port: number, request: Buffer): Promise<TimedGets> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new TimedGets(socket, request)
  }

  /** Asks until the work is done. */
  async during(work: Promise<unknown>): Promise<Times> {
    const state = { isDone: false }
    const ended = work.finally(() => {
      state.isDone = true
    })
    const times: number[] = []
    while (!state.isDone) {
      times.push(await this.#once())
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await ended
    times.sort((a, b) => a - b)
    const at = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN
    return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: times.at(-1) ?? Number.NaN }
  }

  /** An answer is small enough to come in one piece. */
  #once(): Promise<number> {
    const askedAt = performance.now()
    return new Promise((resolve) => {
      this.#socket.once('data', () => resolve(performance.now() - askedAt))
      this.#socket.write(this.#request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }
}
