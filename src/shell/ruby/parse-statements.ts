/**
 * Parses the shell's statements: a command with its arguments, with or without parentheses, a literal, a variable, a method of a table
 * reference. It refuses the rest of Ruby, with the number of the line.
 */

import { type Expression, RubyRefusal, RubySyntaxError, type Statement } from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'
import { RubySymbol } from './values.ts'

/** Words of Ruby's language, which are no commands. */
const KEYWORDS = new Set(
  'alias and begin break case class def defined? do else elsif end ensure for if in module next not or redo rescue retry return self super then undef unless until when while yield lambda proc loop require require_relative load import java_import include puts print p eval system exec'.split(
    ' ',
  ),
)
const OPERATORS = new Set(
  '+ - * / % | & ! ? < > : ^ ~ == && || << >= <= .. ::'.split(' ').filter((sign) => sign !== '-'),
)

/** Throws RubySyntaxError, RubyRefusal, UnfinishedInput. */
export function parseStatements(text: string): Statement[] {
  return new Parser(tokensOf(text)).statements()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  statements(): Statement[] {
    const statements: Statement[] = []
    while (this.#at < this.#tokens.length) {
      statements.push(this.#statement())
      this.#expectEnd()
    }
    return statements
  }

  #statement(): Statement {
    const first = this.#peek()
    const next = this.#tokens[this.#at + 1]
    if (first.kind === 'name' && next?.kind === 'sign' && next.sign === '=') {
      this.#at += 2
      return { assigned: first.name, expression: this.#expression(true), line: first.line }
    }
    return { assigned: undefined, expression: this.#expression(true), line: first.line }
  }

  #expectEnd(): void {
    const token = this.#peek()
    if (token.kind === 'end') {
      this.#at++
      return
    }
    throw this.#unexpected(token)
  }

  /** `isStatement`: a command may have arguments without parentheses. */
  #expression(isStatement: boolean): Expression {
    let expression = this.#primary(isStatement)
    while (this.#isSign('.')) {
      this.#at++
      const token = this.#take()
      if (token.kind !== 'name' && token.kind !== 'constant') throw this.#unexpected(token)
      const args = this.#callArguments(isStatement)
      expression = { kind: 'method', receiver: expression, name: token.name, args: args ?? [] }
    }
    return expression
  }

  #primary(isStatement: boolean): Expression {
    const token = this.#take()
    switch (token.kind) {
      case 'value':
        return { kind: 'literal', value: token.value }
      case 'constant':
        if (token.name === 'ENV') throw new RubyRefusal('ENV is of the program', token.line)
        if (this.#isSign('(') || this.#isSign('::') || this.#isSign('.'))
          throw new RubyRefusal(`${token.name} has no methods here`, token.line)
        return { kind: 'constant', name: token.name }
      case 'name':
        return this.#named(token, isStatement)
      case 'sign':
        return this.#signed(token)
      case 'label':
      case 'end':
        throw this.#unexpected(token)
    }
  }

  #named(token: Extract<Token, { readonly name: string }>, isStatement: boolean): Expression {
    const { name, line } = token
    if (KEYWORDS.has(name)) throw new RubyRefusal(`"${name}" is a word of its language`, line)
    const args = this.#callArguments(isStatement)
    return args === undefined ? { kind: 'name', name } : { kind: 'call', name, args }
  }

  #signed(token: Extract<Token, { readonly kind: 'sign' }>): Expression {
    if (token.sign === '[') return { kind: 'array', items: this.#items(']') }
    if (token.sign === '{') return this.#hash('}')
    if (token.sign === '(') {
      const inner = this.#expression(true)
      this.#expectSign(')')
      return inner
    }
    const next = this.#tokens[this.#at]
    if (token.sign === '-' && next?.kind === 'value' && !next.spaced) {
      if (typeof next.value === 'bigint' || typeof next.value === 'number') {
        this.#at++
        return { kind: 'literal', value: -next.value }
      }
    }
    throw this.#unexpected(token)
  }

  /** The arguments of a call; undefined where there are none. */
  #callArguments(isStatement: boolean): Expression[] | undefined {
    const next = this.#peek()
    if (next.kind === 'sign' && next.sign === '(' && !next.spaced) {
      this.#at++
      return this.#items(')')
    }
    if (!isStatement || !this.#beginsArgument(next)) return undefined
    return this.#items(undefined)
  }

  #beginsArgument(token: Token): boolean {
    if (token.kind === 'end') return false
    if (token.kind !== 'sign') return true
    const next = this.#tokens[this.#at + 1]
    if (token.sign === '-') return token.spaced && next?.kind === 'value' && !next.spaced
    if (token.sign === '{') throw new RubyRefusal('a block in braces', token.line)
    if (token.sign === '[' && !token.spaced) throw new RubyRefusal('an item in brackets', token.line)
    return token.sign === '[' || token.sign === '('
  }

  /** The items up to the closing sign, or to the end of the statement. Pairs without braces form one hash, the last item. */
  #items(close: string | undefined): Expression[] {
    const items: Expression[] = []
    const pairs: (readonly [Expression, Expression])[] = []
    for (;;) {
      if (close !== undefined && this.#isSign(close)) break
      const label = this.#peek()
      if (label.kind === 'label') {
        this.#at++
        pairs.push([{ kind: 'literal', value: new RubySymbol(label.name) }, this.#expression(false)])
      } else {
        const item = this.#expression(false)
        if (this.#isSign('=>')) {
          this.#at++
          pairs.push([item, this.#expression(false)])
        } else if (pairs.length > 0) throw this.#unexpected(label)
        else items.push(item)
      }
      if (!this.#isSign(',')) break
      this.#at++
    }
    if (close !== undefined) this.#expectSign(close)
    if (pairs.length > 0) items.push({ kind: 'hash', entries: pairs })
    return items
  }

  #hash(close: string): Expression {
    const begin = this.#at
    if (this.#isSign('|')) throw new RubyRefusal('a block in braces', this.#peek().line)
    const items = this.#items(close)
    if (items.length === 0) return { kind: 'hash', entries: [] }
    const [only] = items
    if (items.length === 1 && only?.kind === 'hash') return only
    throw this.#unexpected(this.#tokens[begin]!)
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', line: this.#tokens.at(-1)?.line ?? 1, spaced: false }
  }

  #take(): Token {
    const token = this.#peek()
    this.#at++
    return token
  }

  #isSign(sign: string): boolean {
    const token = this.#tokens[this.#at]
    return token?.kind === 'sign' && token.sign === sign
  }

  #expectSign(sign: string): void {
    const token = this.#take()
    if (token.kind !== 'sign' || token.sign !== sign) throw this.#unexpected(token)
  }

  #unexpected(token: Token): Error {
    const { line } = token
    if (token.kind === 'name' && KEYWORDS.has(token.name))
      return new RubyRefusal(`"${token.name}" is a word of its language`, line)
    if (token.kind === 'sign' && token.sign === '{') return new RubyRefusal('a block in braces', line)
    if (token.kind === 'sign' && (OPERATORS.has(token.sign) || token.sign === '-' || token.sign === '['))
      return new RubyRefusal(`"${token.sign}" stands for a calculation`, line)
    const found = token.kind === 'end' ? 'end-of-input' : shown(token)
    return new RubySyntaxError(`syntax error, unexpected ${found}`, line)
  }
}

function shown(token: Exclude<Token, { readonly kind: 'end' }>): string {
  switch (token.kind) {
    case 'sign':
      return `'${token.sign}'`
    case 'value':
      return Buffer.isBuffer(token.value) ? 'string literal' : 'literal'
    case 'label':
      return 'label'
    case 'name':
    case 'constant':
      return `'${token.name}'`
  }
}
