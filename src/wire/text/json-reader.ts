/**
 * Reads JSON from bytes in any encoding of Unicode. Numbers stay digits, since timestamps do not fit a double. A string without escapes is a span of
 * the input. Throws CORRUPTION, with the offset, for bytes that are not JSON.
 */

import { HBaseError } from '../../model/errors.ts'
import { jsonAsUtf8 } from './unicode.ts'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

export class JsonReader {
  readonly #input: Buffer
  #at = 0
  /** The last string is text[textStart, textEnd). */
  text: Buffer
  textStart = 0
  textEnd = 0

  constructor(input: Buffer) {
    this.#input = jsonAsUtf8(input)
    this.text = this.#input
  }

  fail(what: string): never {
    throw new HBaseError('CORRUPTION', `malformed JSON at byte ${this.#at}: ${what}`, {
      detail: { offset: this.#at },
    })
  }

  /** The offset of the next byte, white space or not. */
  get offset(): number {
    return this.#at
  }

  /** True where only white space is left. */
  get atEnd(): boolean {
    this.#skipSpace()
    return this.#at >= this.#input.length
  }

  /** The kind of the value that comes next. */
  peek(): JsonKind {
    this.#skipSpace()
    const byte = this.#input[this.#at] ?? this.fail('the text ends where a value must follow')
    if (byte === QUOTE) return 'string'
    if (byte === 0x7b) return 'object'
    if (byte === 0x5b) return 'array'
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return 'number'
    if (byte === 0x6e) return 'null'
    if (byte === 0x74 || byte === 0x66) return 'boolean'
    return this.fail('no value begins so')
  }

  beginObject(): void {
    this.#expect(0x7b, '"{"')
  }

  /** Moves to the next member, whose name is then in `text`; false at the object's end. */
  nextMember(first: boolean): boolean {
    if (!this.#nextItem(first, 0x7d)) return false
    this.string()
    this.#expect(COLON, '":"')
    return true
  }

  beginArray(): void {
    this.#expect(0x5b, '"["')
  }

  /** Moves to the next element; false at the array's end. */
  nextElement(first: boolean): boolean {
    return this.#nextItem(first, 0x5d)
  }

  nil(): void {
    this.#word('null')
  }

  boolean(): boolean {
    if (this.#input[this.#at] === 0x74) {
      this.#word('true')
      return true
    }
    this.#word('false')
    return false
  }

  /** A number's digits, unchanged. */
  number(): string {
    this.#skipSpace()
    const start = this.#at
    while (this.#at < this.#input.length && isNumberByte(this.#input[this.#at]!)) this.#at++
    const digits = this.#input.toString('latin1', start, this.#at)
    if (!NUMBER.test(digits)) this.fail(`"${digits}" is no number`)
    return digits
  }

  /**
   * Reads a string; its bytes are then text[textStart, textEnd). Control characters must be escaped, unless the string is
   * base64, of which Jackson reads each character by itself.
   */
  string(isBase64 = false): void {
    this.#expect(QUOTE, 'a string')
    const input = this.#input
    const start = this.#at
    let at = start
    for (;;) {
      const byte = input[at]
      if (byte === undefined) this.fail('the text ends inside a string')
      if (byte === QUOTE) break
      if (byte === BACKSLASH) {
        this.#escapedString(start, at)
        return
      }
      if (byte < 0x20 && !isBase64) this.fail('a control character inside a string')
      at++
    }
    this.text = input
    this.textStart = start
    this.textEnd = at
    this.#at = at + 1
  }

  /** True where the last string equals `name`. */
  textIs(name: Buffer): boolean {
    const { text, textStart } = this
    if (this.textEnd - textStart !== name.length) return false
    for (let i = 0; i < name.length; i++) {
      if (text[textStart + i] !== name[i]) return false
    }
    return true
  }

  textString(): string {
    return this.text.toString('utf8', this.textStart, this.textEnd)
  }

  /** Reads a string with escapes that begins at `start`; the bytes before `at` have none. */
  #escapedString(start: number, at: number): void {
    let text = this.#input.toString('utf8', start, at)
    this.#at = at
    for (;;) {
      const byte = this.#input[this.#at]
      if (byte === undefined) this.fail('the text ends inside a string')
      if (byte === QUOTE) break
      if (byte === BACKSLASH) {
        text += this.#escape()
        continue
      }
      if (byte < 0x20) this.fail('a control character inside a string')
      const from = this.#at
      while (isPlain(this.#input[this.#at])) this.#at++
      text += this.#input.toString('utf8', from, this.#at)
    }
    this.#at++
    this.text = Buffer.from(text)
    this.textStart = 0
    this.textEnd = this.text.length
  }

  #escape(): string {
    const letter = String.fromCharCode(this.#input[this.#at + 1] ?? 0)
    if (letter !== 'u') {
      const character = ESCAPED[letter]
      if (character === undefined) this.fail('an unknown escape')
      this.#at += 2
      return character
    }
    const digits = this.#input.toString('latin1', this.#at + 2, this.#at + 6)
    if (!/^[\da-fA-F]{4}$/.test(digits)) this.fail('\\u must have four hexadecimal digits')
    this.#at += 6
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  #nextItem(first: boolean, close: number): boolean {
    this.#skipSpace()
    const byte = this.#input[this.#at]
    if (byte === close) {
      this.#at++
      return false
    }
    if (!first) this.#expect(COMMA, '","')
    this.#skipSpace()
    return true
  }

  #expect(byte: number, what: string): void {
    this.#skipSpace()
    if (this.#input[this.#at] !== byte) this.fail(`${what} must stand here`)
    this.#at++
  }

  #word(word: string): void {
    this.#skipSpace()
    if (this.#input.toString('latin1', this.#at, this.#at + word.length) !== word)
      this.fail(`"${word}" must stand here`)
    this.#at += word.length
  }

  #skipSpace(): void {
    const input = this.#input
    let at = this.#at
    for (;;) {
      const byte = input[at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
      at++
    }
    this.#at = at
  }
}

function isPlain(byte: number | undefined): boolean {
  return byte !== undefined && byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20
}

function isNumberByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45 ||
    byte === 0x65
  )
}
