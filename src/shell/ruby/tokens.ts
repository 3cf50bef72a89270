/** Cuts a text into tokens: literals, names, brackets and the ends of statements. */

import { readString } from './string-literals.ts'
import { RubyRefusal, RubySyntaxError, UnfinishedInput } from './syntax.ts'
import { RubySymbol, type Value } from './values.ts'

export type Token =
  | { readonly kind: 'value'; readonly value: Value; readonly line: number; readonly spaced: boolean }
  /** `name`: a variable or a command; `constant`: begins with a capital; `label`: `name:` in a hash. */
  | {
      readonly kind: 'name' | 'constant' | 'label'
      readonly name: string
      readonly line: number
      readonly spaced: boolean
    }
  /** `spaced`: white space stands before it. */
  | { readonly kind: 'sign'; readonly sign: string; readonly line: number; readonly spaced: boolean }
  | { readonly kind: 'end'; readonly line: number; readonly spaced: boolean }

const SIGNS = ['=>', '==', '&&', '||', '<<', '>=', '<=', '..', '::', '(', ')', '[', ']', '{', '}']
const ONE_SIGN = /^[,.=+\-*/%|&!?<>:^~]/
/** Signs after which a statement continues on the next line. */
const GOES_ON = new Set([',', '=>', '(', '[', '{', '=', '.'])
/** The most nested brackets. */
const DEPTH_MAX = 100
const OPENING = new Set(['(', '[', '{'])
const CLOSING = new Set([')', ']', '}'])
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['nil', null],
  ['true', true],
  ['false', false],
])

/** Throws RubySyntaxError, RubyRefusal, and UnfinishedInput where the text ends within a statement. */
export function tokensOf(text: string): Token[] {
  return new Tokenizer(text).read()
}

class Tokenizer {
  readonly #text: string
  readonly #tokens: Token[] = []
  #at = 0
  #line = 1
  #depth = 0
  #spaced = false

  constructor(text: string) {
    this.#text = text
  }

  read(): Token[] {
    while (this.#at < this.#text.length) this.#next()
    if (this.#depth > 0 || this.#goesOn()) throw new UnfinishedInput(undefined, this.#depth)
    this.#end()
    return this.#tokens
  }

  #next(): void {
    const rest = this.#text.slice(this.#at)
    const space = /^(?:[ \t\r]+|\\\r?\n)/.exec(rest)
    if (space !== null) return this.#skip(space[0])
    const comment = /^#[^\n]*/.exec(rest)
    if (comment !== null) return this.#skip(comment[0])
    if (rest[0] === '\n' || rest[0] === ';') return this.#lineEnd(rest[0])
    if (rest[0] === "'" || rest[0] === '"') return this.#string(rest[0])
    const list = /^%[wW]([[({<])/.exec(rest)
    if (list !== null) return this.#words(list[1]!)
    const number = /^(?:0x[0-9a-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)/.exec(rest)
    if (number !== null) return this.#value(numberOf(number[0]), number[0].length)
    const symbol = /^:([A-Za-z_]\w*[?!]?)/.exec(rest)
    if (symbol !== null && !rest.startsWith('::'))
      return this.#value(new RubySymbol(symbol[1]!), symbol[0].length)
    const name = /^[A-Za-z_]\w*[?!]?/.exec(rest)
    if (name !== null) return this.#name(name[0], rest)
    this.#sign(rest)
  }

  #skip(skipped: string): void {
    this.#at += skipped.length
    this.#line += skipped.endsWith('\n') ? 1 : 0
    this.#spaced = true
  }

  #lineEnd(sign: string): void {
    if (this.#depth === 0 && !this.#goesOn()) this.#end()
    this.#at++
    if (sign === '\n') this.#line++
    this.#spaced = true
  }

  #end(): void {
    const last = this.#tokens.at(-1)
    if (last !== undefined && last.kind !== 'end') this.#push({ kind: 'end', ...this.#place() })
  }

  /** True where the last sign requires more tokens. */
  #goesOn(): boolean {
    const last = this.#tokens.at(-1)
    return last?.kind === 'sign' && GOES_ON.has(last.sign)
  }

  #string(quote: string): void {
    const { bytes, end } = readString(this.#text, this.#at, this.#line, this.#depth)
    const place = this.#place()
    this.#line += this.#text.slice(this.#at, end).split('\n').length - 1
    this.#at = end
    // `'name': value`, a symbol as the key of a hash.
    if (this.#text[end] === ':' && this.#text[end + 1] !== ':' && quote === '"') {
      this.#at++
      return this.#push({ kind: 'label', name: bytes.toString(), ...place })
    }
    const last = this.#tokens.at(-1)
    // Adjacent strings are one string.
    if (last?.kind === 'value' && Buffer.isBuffer(last.value)) {
      this.#tokens.pop()
      return this.#push({ ...last, value: Buffer.concat([last.value, bytes]) })
    }
    this.#push({ kind: 'value', value: bytes, ...place })
  }

  #words(open: string): void {
    const close = { '[': ']', '(': ')', '{': '}', '<': '>' }[open]!
    const begin = this.#at + 3
    const end = this.#text.indexOf(close, begin)
    if (end < 0) throw new UnfinishedInput(open, this.#depth)
    const words = this.#text.slice(begin, end).split(/\s+/)
    const value = words.filter((word) => word !== '').map((word) => Buffer.from(word))
    this.#value(value, end + 1 - this.#at)
  }

  #value(value: Value, length: number): void {
    this.#at += length
    this.#push({ kind: 'value', value, ...this.#place() })
  }

  #name(name: string, rest: string): void {
    const place = this.#place()
    this.#at += name.length
    const isLabel = /^:(?!:)/.test(rest.slice(name.length)) && this.#depth > 0
    const last = this.#tokens.at(-1)
    const isMethod = last?.kind === 'sign' && last.sign === '.'
    if (isLabel || (rest.startsWith(': ', name.length) && !isMethod)) {
      this.#at++
      return this.#push({ kind: 'label', name, ...place })
    }
    if (WORDS.has(name) && !isMethod)
      return this.#push({ kind: 'value', value: WORDS.get(name) ?? null, ...place })
    this.#push({ kind: /^[A-Z]/.test(name) ? 'constant' : 'name', name, ...place })
  }

  #sign(rest: string): void {
    const sign = SIGNS.find((each) => rest.startsWith(each)) ?? ONE_SIGN.exec(rest)?.[0]
    if (sign === undefined) throw this.#strange(rest[0]!)
    const place = this.#place()
    this.#at += sign.length
    if (OPENING.has(sign) && ++this.#depth > DEPTH_MAX)
      throw new RubyRefusal(`more than ${DEPTH_MAX} brackets within each other`, place.line)
    if (CLOSING.has(sign)) {
      if (this.#depth === 0) throw new RubySyntaxError(`syntax error, unexpected '${sign}'`, place.line)
      this.#depth--
    }
    this.#push({ kind: 'sign', sign, ...place })
  }

  /** The error for a character that begins no token. */
  #strange(character: string): Error {
    const ofRuby: Readonly<Record<string, string>> = {
      '@': '@names are variables of a program',
      $: '$names are variables of a program',
      '`': 'commands of the system',
    }
    const what = ofRuby[character]
    if (what !== undefined) return new RubyRefusal(what, this.#line)
    return new RubySyntaxError(`syntax error, unexpected '${character}'`, this.#line)
  }

  #place(): { readonly line: number; readonly spaced: boolean } {
    return { line: this.#line, spaced: this.#spaced }
  }

  #push(token: Token): void {
    this.#tokens.push(token)
    this.#spaced = false
  }
}

function numberOf(text: string): Value {
  const digits = text.replaceAll('_', '')
  if (digits.startsWith('0x')) return BigInt(digits)
  if (/[.eE]/.test(digits)) return Number(digits)
  // Ruby reads a leading zero as octal.
  return /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits)
}
