import type { CodePointSet } from './code-point-set.ts'

/** How often a quantifier without an upper bound repeats. Java: Pattern.MAX_REPS. */
export const REPEAT_MAX = 0x7fffffff

/** A pattern as a tree. Flags are resolved: case folds, classes and kinds of line ends are in the nodes. */
export type PatternNode =
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alternatives'; readonly items: readonly PatternNode[] }
  /** One code point of the set. */
  | { readonly kind: 'characters'; readonly set: CodePointSet }
  | GroupNode
  | RepeatNode
  /** A group that is not entered again once it has matched. */
  | { readonly kind: 'atomic'; readonly item: PatternNode }
  | { readonly kind: 'lookAhead'; readonly item: PatternNode; readonly negative: boolean }
  | LookBehindNode
  | BackReferenceNode
  | AssertionNode
  /** \R: CR LF, or one character that ends a line. */
  | { readonly kind: 'lineBreak' }
  /** \X: a character as a reader sees it. */
  | { readonly kind: 'graphemeCluster' }

export interface GroupNode {
  readonly kind: 'group'
  readonly item: PatternNode
  /** The number of the group's capture, from 1; undefined: it captures nothing. */
  readonly capture: number | undefined
}

export interface RepeatNode {
  readonly kind: 'repeat'
  readonly item: PatternNode
  readonly min: number
  /** REPEAT_MAX: without end. */
  readonly max: number
  readonly mode: 'greedy' | 'reluctant' | 'possessive'
}

export interface LookBehindNode {
  readonly kind: 'lookBehind'
  readonly item: PatternNode
  readonly negative: boolean
  /** How many characters the item takes, as Java counts them: with the overflow of its int. */
  readonly min: number
  readonly max: number
  /**
   * Whether Java counts code points here, as it does for a pattern with some beyond 16 bits; else it counts UTF-16 units.
   */
  readonly isSurrogateAware: boolean
}

export interface BackReferenceNode {
  readonly kind: 'backReference'
  readonly group: number
  readonly ignoreCase: 'no' | 'ascii' | 'unicode'
}

export type Assertion =
  | 'begin'
  | 'end'
  /** `$` without MULTILINE, \Z: at the end, or before the line terminator that ends the text. */
  | 'endOrFinalTerminator'
  | 'lineBegin'
  | 'lineEnd'
  | 'wordBoundary'
  | 'notWordBoundary'
  | 'graphemeBoundary'

export interface AssertionNode {
  readonly kind: 'assertion'
  readonly assertion: Assertion
  /** Whether \n alone ends a line. */
  readonly unixLines: boolean
  /** Whether words are Unicode's. */
  readonly unicodeWords: boolean
}

export const EMPTY_PATTERN: PatternNode = { kind: 'sequence', items: [] }
