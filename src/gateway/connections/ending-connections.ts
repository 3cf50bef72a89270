import type { Duplex } from 'node:stream'
import { AnswerClock } from './answer-clock.ts'

/**
 * Time that connections have to end once their door closes; then they are destroyed. All doors close at the same time; the flushes of a stop
 * have 2.5 s after that, of 9 s in all: see DEFAULT_STOP_OPTIONS.
 */
const CLOSE_GRACE_MS = 4000
/**
 * A client that takes neither a MiB of its answers in this time nor all of them is not waited for any longer: the store needs the rest
 * of the time that a stop may take.
 */
const UNREAD_MS = 1500
const LOOK_MS = 250

/** Ends the connections of a door that closes, in time. Returns a function that stops looking at them. */
export function endInTime(connections: () => Iterable<Duplex>): () => void {
  const clocks = new Map<Duplex, AnswerClock>()
  const sinceMs = performance.now()
  const look = (): void => {
    const nowMs = performance.now()
    const isOver = nowMs - sinceMs >= CLOSE_GRACE_MS
    for (const connection of connections()) {
      const clock = clocks.get(connection) ?? new AnswerClock()
      clocks.set(connection, clock)
      if (clock.isLate(nowMs, connection, UNREAD_MS) || isOver) connection.destroy()
    }
  }
  const timer = setInterval(look, LOOK_MS)
  look()
  return () => clearInterval(timer)
}
