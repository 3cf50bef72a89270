import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { RowOrder } from './row-order.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** More runs are brought to their places in several turns of the event loop: each may have to read a block. */
export const RUNS_AT_ONCE = 128

/** Milliseconds of a turn where no LoopTurns share them out. */
const TURN_MS = 20

/** Brings very many runs to the places where a scan begins, or goes on after some of them were left. */
export class RunPlacing {
  readonly #families: ScannedFamilies
  readonly #monotonicMs: () => number
  #steps: Steps<void> | undefined

  constructor(families: ScannedFamilies, order: RowOrder, monotonicMs: () => number) {
    this.#families = families
    this.#monotonicMs = monotonicMs
    this.#steps = order.seekFirstRowInSteps()
  }

  /** False where the turn ends before all runs are at their places. `haveLeft`: runs were left since the last call. */
  goOn(haveLeft: boolean, turns: LoopTurns | undefined): boolean {
    this.#steps ??= haveLeft ? this.#families.enterInSteps() : undefined
    if (this.#steps === undefined) return true
    const endMs = this.#monotonicMs() + (turns?.begin() ?? TURN_MS)
    let isDone = false
    do isDone = this.#steps.next().done === true
    while (!isDone && this.#monotonicMs() < endMs)
    if (isDone) this.#steps = undefined
    return isDone
  }
}
