/** Calls of a connection that may run at a time. */
const CALLS_MAX = 1000
/** Calls that may begin in one turn of the event loop. */
const PER_TURN_MAX = 256
/** Bytes of answers in one turn of the event loop, beyond which the next turn begins one call. */
const TURN_BYTES_MAX = 1024 * 1024
/** Running calls are expected to have answers of no more than so many bytes together. */
const EXPECTED_BYTES_MAX = 16 * 1024 * 1024
/** The part of what was expected so far that each answer takes off. */
const FORGOTTEN_PART = 1 / 16

/**
 * How many calls of a connection begin. A client may ask a thousand questions in one packet, and nobody knows how long an
 * answer is before it is in memory: a connection begins one call in its first turn of the event loop, and more in each
 * turn behind one with answers, as long as these are small.
 *
 * While calls run and none is answered, each turn begins half of what the last one did. When that is one call, `n` running calls keep
 * the next one waiting for `n` turns. Calls that read much in many turns are thus few, as each of them makes the turns long; those that
 * only wait for something, such as a lock, keep others waiting for a moment, and never for good: turns come without answers, too.
 */
export class CallPace {
  #perTurn = 1
  #left = 1
  /** Of this turn. */
  #answers = 0
  #turnBytes = 0
  /** Turns without a new call and without an answer. */
  #silentTurns = 0
  /** Bytes of the next answer: the largest of late. */
  #expected = 0

  /** `running`: calls that have no answer yet. */
  mayBegin(running: number): boolean {
    if (this.#left === 0 || running >= CALLS_MAX) return false
    return running === 0 || running * this.#expected < EXPECTED_BYTES_MAX
  }

  began(): void {
    this.#left--
  }

  /** A large answer is known, and will be written in the next turns: those behind it may be as large. */
  expects(bytes: number): void {
    this.#turnBytes += bytes
    this.#expected = Math.max(bytes, this.#expected)
  }

  answered(bytes: number): void {
    this.#answers++
    this.#turnBytes += bytes
    this.#expected = Math.max(bytes, this.#expected * (1 - FORGOTTEN_PART))
  }

  /** The next turn of the event loop after one in which a call began, or after one for which this returned false: none may begin yet. */
  turn(running: number): boolean {
    const isSilent = this.#answers === 0 && running > 0
    if (this.#turnBytes > TURN_BYTES_MAX) this.#perTurn = 1
    else if (isSilent) this.#perTurn = Math.max(1, this.#perTurn >> 1)
    else this.#perTurn = Math.min(PER_TURN_MAX, this.#perTurn + Math.max(this.#perTurn, this.#answers))
    this.#answers = 0
    this.#turnBytes = 0
    if (isSilent && this.#perTurn === 1 && ++this.#silentTurns < running) return false
    this.#silentTurns = 0
    this.#left = this.#perTurn
    return true
  }
}
