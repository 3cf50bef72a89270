/** Lists of media types in headers, in HTTP's grammar: `type/subtype;name=value, ...`. */

import { Refusal } from './errors.ts'

/** A type of a client's header, or a range of types: `text/*`. In lower case. */
export interface MediaRange {
  readonly type: string
  readonly subtype: string
  readonly quality: number
  /** Parameters other than q, which the answer repeats: `;charset=utf-8`. */
  readonly parameters: string
}

const BLANKS = /[ \t]*/y
const TOKEN = /[\w!#$%&'*+.^`|~-]+/y
const QUOTED = /"(?:[^"\\]|\\.)*"/y
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?|\.\d{1,4})$/

/** The types of a header in their order. Throws Refusal 400. */
export function parseMediaRanges(header: string): MediaRange[] {
  return new RangeParser(header).list()
}

class RangeParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Elements without any text, which HTTP lets a client send, are passed over. HBase refuses them. */
  list(): MediaRange[] {
    const ranges: MediaRange[] = []
    for (;;) {
      this.#take(BLANKS)
      if (this.#at === this.#text.length) return ranges
      if (this.#text[this.#at] !== ',') ranges.push(this.#range())
      if (this.#at < this.#text.length) this.#require(',')
    }
  }

  /** A type alone stands for all its subtypes. */
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
      `"${this.#text}" is no list of media types: it breaks off at character ${this.#at}`,
    )
  }
}

/** A digit may be missing on either side of the point: Java's URLConnection sends `.2`. */
function qualityOf(text: string): number {
  if (!QUALITY.test(text)) throw new Refusal(400, `"${text}" is no quality of a media type`)
  return Number(text)
}

/** By their names, as JAX-RS prints them. All text that the door sends is UTF-8, whichever charset the client prefers. */
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
