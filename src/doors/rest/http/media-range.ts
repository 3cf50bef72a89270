/** Parses lists of media types in headers: `type/subtype;name=value, ...`. */

import { Refusal } from './errors.ts'

/** A media type or range of types (`text/*`) of a client's header, in lower case. */
export interface MediaRange {
  readonly type: string
  readonly subtype: string
  readonly quality: number
  /** Parameters other than q, as the answer repeats them: `;charset=utf-8`. */
  readonly parameters: string
}

const BLANKS = /[ \t]*/y
const TOKEN = /[\w!#$%&'*+.^`|~-]+/y
const QUOTED = /"(?:[^"\\]|\\.)*"/y
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?|\.\d{1,4})$/

/** The media ranges of a header in their order. Throws Refusal 400. */
export function parseMediaRanges(header: string): MediaRange[] {
  return new RangeParser(header).list()
}

class RangeParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Skips empty elements, which HTTP allows and HBase refuses. */
  list(): MediaRange[] {
    const ranges: MediaRange[] = []
    for (;;) {
      this.#take(BLANKS)
      if (this.#at === this.#text.length) return ranges
      if (this.#text[this.#at] !== ',') ranges.push(this.#range())
      if (this.#at < this.#text.length) this.#require(',')
    }
  }

  /** One range. A type without a subtype stands for all subtypes. */
  #range(): MediaRange {
    const type = this.#token().toLowerCase()
    const subtype = this.#skip('/') ? this.#token().toLowerCase() : '*'
    this.#take(BLANKS)
    const parameters = new Map<string, string>()
    while (this.#skip(';')) {
      this.#take(BLANKS)
      if (this.#at === this.#text.length || /[,;]/.test(this.#text[this.#at]!)) continue
      const name = this.#token().toLowerCase()
      this.#take(BLANKS)
      this.#require('=')
      this.#take(BLANKS)
      parameters.set(name, this.#value())
      this.#take(BLANKS)
    }
    const quality = qualityOf(parameters.get('q') ?? '1')
    parameters.delete('q')
    return { type, subtype, quality, parameters: printParameters(parameters) }
  }

  #value(): string {
    const quoted = this.#take(QUOTED)
    return quoted === '' ? this.#token() : quoted.slice(1, -1).replace(/\\(.)/g, '$1')
  }

  #token(): string {
    const token = this.#take(TOKEN)
    if (token === '') throw this.#malformed()
    return token
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #skip(mark: string): boolean {
    const found = this.#text[this.#at] === mark
    if (found) this.#at++
    return found
  }

  #require(mark: string): void {
    if (!this.#skip(mark)) throw this.#malformed()
  }

  #malformed(): Refusal {
    return new Refusal(
      400,
      `"${this.#text}" is not a list of media types: it is malformed at character ${this.#at}`,
    )
  }
}

/** A quality value, also without the digit before the point: Java's URLConnection sends `.2`. */
function qualityOf(text: string): number {
  if (!QUALITY.test(text)) throw new Refusal(400, `"${text}" is not a quality value of a media type`)
  return Number(text)
}

/** Parameters sorted by name, as JAX-RS prints them. The charset is always UTF-8, as the door's answers are. */
function printParameters(parameters: ReadonlyMap<string, string>): string {
  const sorted = [...parameters].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted
    .map(([name, value]) => `;${name}=${name === 'charset' ? 'utf-8' : quotedText(value)}`)
    .join('')
}

function quotedText(value: string): string {
  TOKEN.lastIndex = 0
  return TOKEN.exec(value)?.[0] === value ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}
