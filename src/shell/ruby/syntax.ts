/** The statements and expressions of the shell's language, and its errors. */

import type { Value } from './values.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | { readonly kind: 'hash'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'constant'; readonly name: string }
  /** A variable, or a command without arguments. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | {
      readonly kind: 'method'
      readonly receiver: Expression
      readonly name: string
      readonly args: readonly Expression[]
    }

export interface Statement {
  /** The variable that takes the value; undefined: none. */
  readonly assigned: string | undefined
  readonly expression: Expression
  /** The number of its line in the whole input, from 1. */
  readonly line: number
}

/** The text is no valid Ruby. */
export class RubySyntaxError extends Error {
  override readonly name = 'RubySyntaxError'
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** The text is Ruby that this shell does not run. */
export class RubyRefusal extends Error {
  override readonly name = 'RubyRefusal'
  readonly line: number

  constructor(what: string, line: number) {
    super(
      `line ${line}: this shell runs HBase's commands, not Ruby: ${what}. Write the commands one by one, or let a script print them`,
    )
    this.line = line
  }
}

/** The text ends within a statement: more may follow on the next line. */
export class UnfinishedInput extends Error {
  override readonly name = 'UnfinishedInput'
  /** The open quote; undefined where no string is open. */
  readonly quote: string | undefined
  /** The number of open brackets. */
  readonly depth: number

  constructor(quote: string | undefined, depth: number) {
    super('the input ends within a statement')
    this.quote = quote
    this.depth = depth
  }
}
