/** Units of work between two looks at the clock: a fraction of a millisecond. */
const UNITS_A_LOOK = 4096
/** Bytes that a comparator looks through for the price of a unit. */
const BYTES_A_UNIT = 64
const UNIT_SHIFT = 6

/**
 * Thrown by evaluators whose turn is over. It is no failure: the caller lets other requests have their turn and makes the same
 * call again, which goes on where it was.
 */
class Pause extends Error {
  override readonly name = 'Pause'
}

const PAUSE = new Pause('the turn of an evaluation is over')

export function isPause(error: unknown): boolean {
  return error === PAUSE
}

/**
 * The time that the evaluation of a query may take before others have their turn: a filter may have thousands of comparators, a
 * row thousands of cells, and a cell megabytes. A unit is about a filter's look at a cell. Without `begin` a turn never ends.
 */
export class Turn {
  readonly #monotonicMs: () => number
  readonly #unitsALook: number
  #left = 0
  #endMs = Number.POSITIVE_INFINITY
  /** Work within a cell, by what goes on with it after a pause; undefined before the first such pause. */
  #kept: Map<object, unknown> | undefined

  /** `monotonicMs`: milliseconds since any moment, which is asked after each `unitsALook`. */
  constructor(monotonicMs: () => number = () => 0, unitsALook: number = UNITS_A_LOOK) {
    this.#monotonicMs = monotonicMs
    this.#unitsALook = unitsALook
  }

  /** The turn ends after so many milliseconds. */
  begin(ms: number): void {
    this.#endMs = this.#monotonicMs() + ms
    this.#left = this.#unitsALook
  }

  /** Throws a pause at the turn's end: the caller stands where it can go on. */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0) this.#look()
  }

  /** As `spend`, after a look through so many bytes or characters. */
  spendBytes(bytes: number): void {
    this.spend(1 + bytes / BYTES_A_UNIT)
  }

  /** Counts what a look at a cell of so many bytes takes: the next `spend` may find the turn over. */
  noteBytes(bytes: number): void {
    this.#left -= bytes >>> UNIT_SHIFT
  }

  #look(): void {
    this.#left = this.#unitsALook
    if (this.#monotonicMs() >= this.#endMs) throw PAUSE
  }

  /**
   * Does work on the present cell that may pause. `begin` makes what the work goes on with, which `by` finds again after a pause
   * within `work`.
   */
  keeping<Work, Result>(by: object, begin: () => Work, work: (kept: Work) => Result): Result {
    const before = this.#kept?.get(by) as Work | undefined
    const kept = before ?? begin()
    if (before !== undefined) this.#kept?.delete(by)
    try {
      return work(kept)
    } catch (error) {
      if (isPause(error)) {
        this.#kept ??= new Map()
        this.#kept.set(by, kept)
      }
      throw error
    }
  }

  /** The cell of a pause is not there any more. */
  abandon(): void {
    this.#kept?.clear()
  }
}
