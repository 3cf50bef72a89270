/**
 * The messages of DIGEST-MD5 (RFC 2831): directives `key=value` with commas between them, where a value may be quoted. Read as Java reads them
 * (com.sun.security.sasl.digest.DigestMD5Base.parseDirectives).
 */

import { SaslFailure } from './sasl.ts'

/** The values of directives by their keys in small letters, in the order of the message. */
export type Directives = ReadonlyMap<string, readonly Buffer[]>

const [TAB, LF, CR, SPACE, QUOTE, COMMA, EQUALS, BACKSLASH, DELETE] = [9, 10, 13, 32, 34, 44, 61, 92, 127]
/** A message of 4 KiB could have thousands of directives, and the RFC knows 13 keys. */
const DIRECTIVES_MAX = 64

/** Reads a message. Throws SaslFailure where it is malformed, or longer than `bytesMax`. */
export function readDirectives(message: Buffer, bytesMax: number): Directives {
  if (message.length > bytesMax)
    throw new SaslFailure(`DIGEST-MD5: a message of ${message.length} bytes is too long: at most ${bytesMax}`)
  return new DirectiveReader(message).all()
}

class DirectiveReader {
  readonly #message: Buffer
  #at = 0

  constructor(message: Buffer) {
    this.#message = message
  }

  all(): Directives {
    const found = new Map<string, Buffer[]>()
    let count = 0
    for (this.#skipSpace(); this.#at < this.#message.length; this.#skipSpace()) {
      if (this.#message[this.#at] === COMMA) {
        this.#at++
        continue
      }
      if (++count > DIRECTIVES_MAX) throw malformed(`it has more than ${DIRECTIVES_MAX} directives`)
      const key = this.#key()
      const value = this.#value(key)
      const values = found.get(key)
      if (values === undefined) found.set(key, [value])
      else values.push(value)
    }
    return found
  }

  #key(): string {
    const start = this.#at
    while (this.#at < this.#message.length && isOfKey(this.#message[this.#at]!)) this.#at++
    const key = this.#message.toString('latin1', start, this.#at).toLowerCase()
    this.#skipSpace()
    if (key === '' || this.#message[this.#at] !== EQUALS) throw malformed('a directive is not KEY=VALUE')
    this.#at++
    this.#skipSpace()
    if (this.#at === this.#message.length) throw malformed('its last directive has no value')
    return key
  }

  #value(key: string): Buffer {
    if (this.#message[this.#at] === QUOTE) return this.#quoted(key)
    const start = this.#at
    while (this.#at < this.#message.length && isOfValue(this.#message[this.#at]!)) this.#at++
    return this.#message.subarray(start, this.#at)
  }

  #quoted(key: string): Buffer {
    const value: number[] = []
    for (this.#at++; this.#at < this.#message.length; this.#at++) {
      let byte = this.#message[this.#at]!
      if (byte === QUOTE) {
        this.#at++
        const next = this.#message[this.#at]
        if (next !== undefined && next !== COMMA && !isSpace(next))
          throw malformed(`there is no comma behind the quoted value of ${printable(key)}`)
        return Buffer.from(value)
      }
      if (byte === BACKSLASH) {
        this.#at++
        if (this.#at === this.#message.length) break
        byte = this.#message[this.#at]!
      }
      value.push(byte)
    }
    throw malformed(`the quoted value of ${printable(key)} has no end`)
  }

  #skipSpace(): void {
    while (this.#at < this.#message.length && isSpace(this.#message[this.#at]!)) this.#at++
  }
}

function isOfValue(byte: number): boolean {
  return byte !== COMMA && !isSpace(byte)
}

function isOfKey(byte: number): boolean {
  return byte !== EQUALS && isOfValue(byte)
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR || byte === LF
}

/** The only value of a directive; undefined where the message has none. Throws SaslFailure where it has several. */
export function oneValue(directives: Directives, key: string): Buffer | undefined {
  const values = directives.get(key)
  if (values !== undefined && values.length > 1) throw malformed(`it has more than one ${key}`)
  return values?.[0]
}

/** The same as text. */
export function oneText(directives: Directives, key: string): string | undefined {
  return oneValue(directives, key)?.toString()
}

/** The same. Throws SaslFailure where the message has none. */
export function neededValue(directives: Directives, key: string): Buffer {
  const value = oneValue(directives, key)
  if (value === undefined) throw malformed(`it has no ${key}`)
  return value
}

/** `KEY="VALUE"`, with a backslash before each byte that a quoted value must not have as it is. */
export function quotedDirective(key: string, value: Buffer | string): Buffer {
  const bytes: number[] = []
  for (const byte of Buffer.from(value)) {
    const isControl = (byte < SPACE && byte !== TAB && byte !== CR && byte !== LF) || byte === DELETE
    if (byte === QUOTE || byte === BACKSLASH || isControl) bytes.push(BACKSLASH)
    bytes.push(byte)
  }
  return Buffer.concat([Buffer.from(`${key}="`), Buffer.from(bytes), Buffer.of(QUOTE)])
}

/** A message of such directives. */
export function joinDirectives(directives: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat(
    directives.flatMap((each, at) => [Buffer.from(at === 0 ? '' : ','), Buffer.from(each)]),
  )
}

export function malformed(reason: string): SaslFailure {
  return new SaslFailure(`DIGEST-MD5: the message is malformed: ${reason}`)
}

/** A key of a client's message, for a line of a log. */
function printable(key: string): string {
  return JSON.stringify(key.slice(0, 32))
}
