import type { Duplex } from 'node:stream'
import { AnswerClock } from './answer-clock.ts'

/** The open connections of an HTTP server. */
export class OpenConnections {
  /** A connection has a clock once an answer has waited for its client. */
  readonly #clocks = new Map<Duplex, AnswerClock | undefined>()

  get size(): number {
    return this.#clocks.size
  }

  has(connection: Duplex): boolean {
    return this.#clocks.has(connection)
  }

  add(connection: Duplex): void {
    this.#clocks.set(connection, undefined)
    connection.once('close', () => this.#clocks.delete(connection))
    // Node removes its own listener from a connection that asks for another protocol or a tunnel. Without this one a reset would end the process.
    connection.on('error', () => connection.destroy())
  }

  /** Destroys the connections of clients that do not read their answers. Returns their number. */
  endLate(nowMs: number, answerMs: number): number {
    let ended = 0
    for (const [connection, known] of this.#clocks) {
      if (known === undefined && connection.writableLength === 0) continue
      const clock = known ?? new AnswerClock()
      if (known === undefined) this.#clocks.set(connection, clock)
      if (!clock.isLate(nowMs, connection, answerMs)) continue
      connection.destroy()
      ended++
    }
    return ended
  }

  get all(): Iterable<Duplex> {
    return this.#clocks.keys()
  }
}
