/**
 * Matches a long text by RE2's program, piece by piece. RE2 itself answers in one piece, after time in proportion to the text and
 * the program: up to a minute. This search builds states of RE2's lazy automaton as RE2 does, and follows the program's
 * instructions all at once where there are too many states.
 */

import type { RE2JS } from 're2js'
import { HBaseError } from '../../model/errors.ts'
import { ProgramThreads } from './program-threads.ts'
import { type Automaton, internalsOf, type Re2Internals, type State } from './re2-internals.ts'

/** Steps of one search: some two seconds. */
export const LINEAR_STEPS_MAX: number = 1 << 26
/** Steps that a new state of the automaton costs for each of the program's instructions in it. */
const STATE_STEPS = 8

const UNANCHORED = 0
const ANCHOR_BOTH = 2
const END_TEXT = -1

export class LinearSearch {
  /** Undefined until the search is over. */
  found: boolean | undefined
  readonly #internals: Re2Internals
  readonly #automaton: Automaton
  readonly #text: string
  readonly #whole: boolean
  #state: State | null
  #position = 0
  readonly #stepsMax: number
  #stepsLeft: number
  readonly #resets = { resetPos: -1 }
  /** Set once there are too many states. */
  #threads: ProgramThreads | undefined

  /** `whole`: all of the text must match, else some part of it. */
  constructor(re2: RE2JS, text: string, whole: boolean, stepsMax: number = LINEAR_STEPS_MAX) {
    this.#stepsMax = stepsMax
    this.#stepsLeft = stepsMax
    this.#internals = internalsOf(re2)
    this.#automaton = this.#internals.dfa
    this.#text = text
    this.#whole = whole
    const input = new TextInput(text)
    this.#state = this.#automaton.failed ? null : this.#automaton.start(input, 0)
  }

  /** Takes about so many steps more. Throws DO_NOT_RETRY where the search takes too many. */
  next(steps: number): void {
    const end = this.#stepsLeft - steps
    while (this.found === undefined && this.#stepsLeft > end) {
      if (this.#threads !== undefined) this.#stepsLeft -= this.#threads.step()
      else if (this.#state === null)
        this.#threads = new ProgramThreads(this.#internals.prog, this.#text, this.#whole)
      else this.#follow(this.#state, end)
      if (this.#threads !== undefined) this.found = this.#threads.found
      if (this.found === undefined && this.#stepsLeft < 0) throw tooLong(this.#stepsMax)
    }
  }

  /** Runs as RE2's DFA.run does, as far as the steps reach. */
  #follow(from: State, end: number): void {
    const text = this.#text
    const automaton = this.#automaton
    const whole = this.#whole
    let state = from
    let left = this.#stepsLeft
    while (this.#position <= text.length && left > end) {
      const rune = text.codePointAt(this.#position) ?? END_TEXT
      const runeClass = rune === END_TEXT ? automaton.numClasses : automaton.runeClass(rune)
      const known = (whole ? state.nextAnchored : state.next)?.[runeClass]
      const next = known ?? this.#newState(state, runeClass, rune)
      left -= known === undefined || known === null ? STATE_STEPS * (1 + state.nfaStates.length) : 1
      if (next === null) {
        this.#state = null
        break
      }
      state = next
      this.#state = next
      if (this.#isDecided(next, rune)) break
      this.#position += rune > 0xffff ? 2 : 1
    }
    this.#stepsLeft = left
  }

  #newState(state: State, runeClass: number, rune: number): State | null {
    const anchor = this.#whole ? ANCHOR_BOTH : UNANCHORED
    return this.#automaton.stepOrReset(state, runeClass, rune, anchor, this.#position, this.#resets)
  }

  #isDecided({ isMatch, nfaStates }: State, rune: number): boolean {
    if (rune === END_TEXT) this.found = isMatch
    else if (isMatch && !this.#whole) this.found = true
    else if (this.#whole && nfaStates.length === 0) this.found = false
    return this.found !== undefined
  }
}

function tooLong(limit: number): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `the regular expression took more than ${limit} steps on one text: its length times that of the pattern, with all ` +
      'repetitions written out, is too large',
    { detail: { limit, what: 'steps' } },
  )
}

/** The begin of a text, as RE2 asks for it. */
class TextInput {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The code point at the position and its number of units, in RE2's form. */
  step(position: number): number {
    const rune = this.#text.codePointAt(position)
    return rune === undefined ? -8 : (rune << 3) | (rune > 0xffff ? 2 : 1)
  }

  /** RE2's flags of the text's begin. */
  context(): number {
    return 4 | 1
  }
}
