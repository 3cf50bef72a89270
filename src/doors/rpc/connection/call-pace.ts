/** Most calls of a connection that run at the same time. */
const CALLS_MAX = 1000
/** Most calls that begin in one turn of the event loop. */
const PER_TURN_MAX = 256
/** Bytes of answers in one turn of the event loop. Beyond them, the next turn begins one call only. */
const TURN_BYTES_MAX = 1024 * 1024
/** Most bytes that the answers to all running calls are expected to have together. */
const EXPECTED_BYTES_MAX = 16 * 1024 * 1024
/** Part by which each smaller answer lowers the expected length of the next one. */
const FORGOTTEN_PART = 1 / 16

/**
 * Limits how many calls of a connection begin in a turn of the event loop. A client may send a thousand calls in one packet, and the length of
 * an answer is unknown until it is in memory. A connection therefore begins one call in its first turn. It begins more after each turn
 * that had answers, as long as these are small.
 *
 * While calls run and none is answered, each turn begins half as many calls as the last one. Once that is a single call, `n` running calls
 * delay the next one by `n` turns. So few calls run that read much, as these make the turns long. Calls that only wait, such as for a
 * lock, delay others by a moment and never for good: turns come without answers, too.
 */
export class CallPace {
  /** Calls that each turn may begin. */
  #perTurn = 1
  /** Calls that this turn may still begin. */
  #left = 1
  /** Answers of this turn. */
  #answers = 0
  /** Bytes of the answers of this turn. */
  #turnBytes = 0
  /** Successive turns without a new call and without an answer. */
  #silentTurns = 0
  /** Expected length of the next answer in bytes: that of the largest recent one. */
  #expected = 0

  /** True where a call may begin now. `running`: number of calls that have no answer yet. */
  mayBegin(running: number): boolean {
    if (this.#left === 0 || running >= CALLS_MAX) return false
    return running === 0 || running * this.#expected < EXPECTED_BYTES_MAX
  }

  began(): void {
    this.#left--
  }

  /** Notes that a large answer of so many bytes is about to be written. The answers after it may be as large. */
  expects(bytes: number): void {
    this.#turnBytes += bytes
    this.#expected = Math.max(bytes, this.#expected)
  }

  answered(bytes: number): void {
    this.#answers++
    this.#turnBytes += bytes
    this.#expected = Math.max(bytes, this.#expected * (1 - FORGOTTEN_PART))
  }

  /**
   * Begins a turn: the one after a turn in which a call began, or after a turn for which this returned false. False where no call may begin in
   * this turn.
   */
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
