/** Finds the clients that do not read their answers, or read them a byte at a time. */

import type { Duplex } from 'node:stream'

/** Within the limit a client must read this many bytes of its waiting answers, or all of them. */
export const ANSWER_PART_BYTES: number = 1024 * 1024

/** The clock of one connection. Its owner looks at it now and then; it has no timer. */
export class AnswerClock {
  #sinceMs = 0
  #taken = -1

  /** Whether the client has read too little of its waiting answers. */
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
 * Bytes that the system has taken for the client. Node counts a piece only once all of it is taken, and a piece may have
 * 100 MB. The handle of the socket knows how much of the piece is left.
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
