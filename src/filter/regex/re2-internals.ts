/** The parts of RE2's compiled patterns that its types do not have. A test compares what is made of them with RE2's own answers. */

import type { RE2JS } from 're2js'

export interface State {
  readonly nfaStates: readonly number[]
  readonly isMatch: boolean
  /** The next state for each class of code points; null: not known yet. */
  readonly next: readonly (State | null)[] | null
  readonly nextAnchored: readonly (State | null)[] | null
}

/** RE2's automaton, whose states are made when they are first met. */
export interface Automaton {
  readonly failed: boolean
  readonly numClasses: number
  runeClass(rune: number): number
  start(
    input: { step(position: number): number; context(position: number): number },
    position: number,
  ): State | null
  /** Null: there would be too many states. */
  stepOrReset(
    state: State,
    runeClass: number,
    rune: number,
    anchor: number,
    position: number,
    resets: { resetPos: number },
  ): State | null
}

export interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  matchRune(rune: number): boolean
}

export interface Program {
  readonly start: number
  numInst(): number
  getInst(pc: number): Instruction
}

export interface Re2Internals {
  readonly prog: Program
  readonly dfa: Automaton
}

export function internalsOf(re2: RE2JS): Re2Internals {
  return (re2 as unknown as { readonly re2Input: Re2Internals }).re2Input
}
