import type { Duplex } from 'node:stream'
import { AnswerClock } from './answer-clock.ts'

/**
 * Time in which connections may end by themselves once their door closes; then they are destroyed. All doors close at the same time. Of the
 * 9 s that a stop may take, 2.5 s are left for flushes afterwards: see DEFAULT_STOP_OPTIONS.
 */
const CLOSE_GRACE_MS = 4000
/**
 * A client must read a MiB of its answers in this time, or all of them. The server waits no longer for one that does not: the store needs
 * the rest of the time of a stop.
 */
const UNREAD_MS = 1500
const LOOK_MS = 250

/** Destroys the late connections of a door that is closing. Returns a function that ends this. */
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
