import { isPause } from '../turns/turn.ts'
import type { BacktrackProgram } from './backtrack-program.ts'
import { BacktrackRun } from './backtrack-run.ts'
import type { CodePointSet } from './code-point-set.ts'
import type { SearchBudget } from './search-budget.ts'

/** Where a search stands, beside the run's own state. */
interface Search {
  readonly text: string
  start: number
  isRunning: boolean
}

/** A match with its groups: index 2n is the begin of group n in the text, 2n + 1 its end; -1 where the group took no part. Group 0 is the match. */
export type MatchBounds = Int32Array

/** Looks for a place at which a program matches, as Java does. */
export class BacktrackMatcher {
  readonly #run: BacktrackRun
  readonly #starts: CodePointSet | undefined
  readonly #isAnchored: boolean

  /**
   * `starts`: the first code points that a match can have, if it must take one; `isAnchored`: a match begins at the
   * text's begin only.
   */
  constructor(program: BacktrackProgram, starts: CodePointSet | undefined, isAnchored: boolean) {
    this.#run = new BacktrackRun(program)
    this.#starts = starts
    this.#isAnchored = isAnchored
  }

  find(text: string, budget: SearchBudget): boolean {
    return this.#search(text, false, budget)
  }

  matches(text: string, budget: SearchBudget): boolean {
    return this.#search(text, true, budget)
  }

  /** The first match that begins at `from` or behind it. Does not pause. */
  matchFrom(text: string, from: number, budget: SearchBudget): MatchBounds | undefined {
    const search = { text, start: from, isRunning: false }
    this.#run.begin(text, budget)
    try {
      if (!this.#finds(search, false)) return undefined
      const bounds = this.#run.captures()
      bounds[0] = search.start
      bounds[1] = this.#run.position
      return bounds
    } finally {
      this.#run.end(budget)
    }
  }

  #search(text: string, whole: boolean, budget: SearchBudget): boolean {
    return budget.turn.keeping(
      this,
      (): Search => {
        this.#run.begin(text, budget)
        return { text, start: 0, isRunning: false }
      },
      (search) => this.#goOn(search, whole, budget),
    )
  }

  #goOn(search: Search, whole: boolean, budget: SearchBudget): boolean {
    let isPaused = false
    try {
      return this.#finds(search, whole)
    } catch (error) {
      isPaused = isPause(error)
      throw error
    } finally {
      if (!isPaused) this.#run.end(budget)
    }
  }

  #finds(search: Search, whole: boolean): boolean {
    const run = this.#run
    const { text } = search
    const last = whole || this.#isAnchored ? 0 : text.length
    for (; search.start <= last; search.start += text.codePointAt(search.start)! > 0xffff ? 2 : 1) {
      run.look()
      if (!search.isRunning) {
        if (!this.#canStart(search)) continue
        run.beginAt(search.start)
        search.isRunning = true
      }
      if (run.run(whole)) return true
      search.isRunning = false
    }
    return false
  }

  #canStart({ text, start }: Search): boolean {
    if (this.#starts === undefined) return true
    if (start < text.length && this.#starts.has(text.codePointAt(start)!)) return true
    this.#run.spend(1)
    return false
  }
}
