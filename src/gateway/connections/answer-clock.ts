/** Tells clients that do not take their answers, or take them a byte at a time, from those that read. */

import type { Duplex } from 'node:stream'

/** A client must take so many bytes of what waits for it in the time of the limit, or all of it. */
export const ANSWER_PART_BYTES: number = 1024 * 1024

/** Of one connection. It is looked at now and then, and keeps no timer. */
export class AnswerClock {
  #sinceMs = 0
  #taken = -1

  /** Whether the client is late with what waits for it now. */
  isLate(nowMs: number, connection: Duplex, answerMs: number): boolean {
    if (connection.writableLength === 0) {
      this.#taken = -1
      return false
    }
    const taken = takenBytes(connection)
    if (this.#taken < 0 || taken - this.#taken >= ANSWER_PART_BYTES) {
      this.#sinceMs = nowMs
      this.#taken = taken
      return false
    }
    return nowMs - this.#sinceMs >= answerMs
  }
}

interface Handle {
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
}

/**
 * Bytes that the system has taken for the client. Node counts a piece as taken once all of it is, and a piece may have
 * 100 MB: its handle knows how much of it is left.
 */
export function takenBytes(connection: Duplex): number {
  const { _handle: handle, bytesWritten = 0 } = connection as Duplex & {
    readonly _handle?: Handle | null
    readonly bytesWritten?: number
  }
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return bytesWritten - connection.writableLength
  return handle.bytesWritten - handle.writeQueueSize
}
