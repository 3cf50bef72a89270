import type { Socket } from 'node:net'
import type { Limits } from '../limits/limits.ts'
import { AnswerClock } from './answer-clock.ts'

export type Deadlines = Pick<Limits, 'connectionIdleMs' | 'headersMs' | 'requestMs' | 'answerMs'>

/** The activity of a connection at the moment. */
export interface Activity {
  readonly isRunning: boolean
  /** Calls received so far. */
  readonly calls: number
  /** The part that has begun to arrive and is not complete. */
  readonly receives: 'nothing' | 'headers' | 'request'
}

/** The thing that a client is late with. */
export type Lateness = 'a call' | 'the rest of a request' | 'reading an answer'

/** Measures how long a connection has been in the same state. Its owner looks at it now and then; it has no timer. */
export class PeerClock {
  readonly #answers = new AnswerClock()
  #sinceMs: number
  #calls = 0
  #receives: Activity['receives'] = 'nothing'

  constructor(nowMs: number) {
    this.#sinceMs = nowMs
  }

  lateness(nowMs: number, socket: Socket, activity: Activity, deadlines: Deadlines): Lateness | undefined {
    if (this.#answers.isLate(nowMs, socket, deadlines.answerMs)) return 'reading an answer'
    const { isRunning, calls, receives } = activity
    const moved = calls !== this.#calls || receives !== this.#receives
    this.#calls = calls
    this.#receives = receives
    if (moved || isRunning || socket.writableLength > 0) {
      this.#sinceMs = nowMs
      return undefined
    }
    if (nowMs - this.#sinceMs < limitOf(receives, deadlines)) return undefined
    return receives === 'nothing' ? 'a call' : 'the rest of a request'
  }
}

function limitOf(receives: Activity['receives'], deadlines: Deadlines): number {
  const { connectionIdleMs, headersMs, requestMs } = deadlines
  if (receives === 'nothing') return connectionIdleMs
  return receives === 'request' ? requestMs : Math.min(headersMs, requestMs)
}
