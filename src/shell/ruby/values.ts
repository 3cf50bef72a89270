/**
 * The values of the shell's language: Ruby's literals. A string is bytes, as Ruby's are; integers have any size. nil is null.
 */

export type Value = null | boolean | bigint | number | Buffer | RubySymbol | Value[] | RubyHash | ShellObject

export class RubySymbol {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A value that commands return and that has no literal, such as a table reference. */
export interface ShellObject {
  readonly kind: 'table' | 'other'
  /** The text to print after `=> `; for `other` the name of the kind of value, without brackets. */
  readonly label: string
}

/** A hash keeps the order in which its keys were added. Keys are equal where `inspect` returns the same text. */
export class RubyHash {
  readonly #entries = new Map<string, readonly [key: Value, value: Value]>()

  static fromEntries(entries: Iterable<readonly [Value, Value]>): RubyHash {
    const hash = new RubyHash()
    for (const [key, value] of entries) hash.set(key, value)
    return hash
  }

  get size(): number {
    return this.#entries.size
  }

  set(key: Value, value: Value): void {
    this.#entries.set(inspect(key), [key, value])
  }

  entries(): (readonly [key: Value, value: Value])[] {
    return [...this.#entries.values()]
  }

  /** True where the hash has the string as a key, with a value or nil. */
  has(name: string): boolean {
    return this.#entries.has(inspect(rubyString(name)))
  }

  /** The value of the key, which is a string; undefined where there is no such key. */
  get(name: string): Value | undefined {
    return this.#entries.get(inspect(rubyString(name)))?.[1]
  }

  /** As get, and removes the key. */
  take(name: string): Value | undefined {
    const value = this.get(name)
    this.#entries.delete(inspect(rubyString(name)))
    return value
  }

  copy(): RubyHash {
    return RubyHash.fromEntries(this.entries())
  }

  /** A hash with the entries of both. The other's entries replace those of the same key. */
  merged(other: RubyHash): RubyHash {
    return RubyHash.fromEntries([...this.entries(), ...other.entries()])
  }
}

export function rubyString(text: string): Buffer {
  return Buffer.from(text)
}

export function isShellObject(value: Value): value is ShellObject {
  return value !== null && typeof value === 'object' && 'label' in value
}

/** Ruby: nil and false are false, everything else is true. */
export function isTrue(value: Value | undefined): boolean {
  return value !== undefined && value !== null && value !== false
}

/** Ruby's to_s, as bytes: a string keeps bytes that are no text. */
export function bytesOf(value: Value): Buffer {
  if (Buffer.isBuffer(value)) return value
  if (value === null) return Buffer.alloc(0)
  if (value instanceof RubySymbol) return Buffer.from(value.name)
  return Buffer.from(inspect(value))
}

export function textOf(value: Value): string {
  return bytesOf(value).toString()
}

/** The class of a value, for errors. */
export function className(value: Value): string {
  if (value === null) return 'NilClass'
  if (value === true) return 'TrueClass'
  if (value === false) return 'FalseClass'
  if (typeof value === 'bigint') return 'Integer'
  if (typeof value === 'number') return 'Float'
  if (Buffer.isBuffer(value)) return 'String'
  if (value instanceof RubySymbol) return 'Symbol'
  if (Array.isArray(value)) return 'Array'
  if (value instanceof RubyHash) return 'Hash'
  return value.kind === 'table' ? 'Hbase::Table' : value.label
}

/** Ruby's inspect: the text to print after `=> `. */
export function inspect(value: Value): string {
  if (value === null) return 'nil'
  if (Buffer.isBuffer(value)) return inspectString(value)
  if (typeof value === 'number') return floatText(value)
  if (value instanceof RubySymbol) return inspectSymbol(value.name)
  if (Array.isArray(value)) return `[${value.map(inspect).join(', ')}]`
  if (value instanceof RubyHash) return `{${value.entries().map(inspectEntry).join(', ')}}`
  if (typeof value === 'object') return value.kind === 'table' ? value.label : `#<${value.label}>`
  return String(value)
}

function inspectEntry([key, value]: readonly [Value, Value]): string {
  return `${inspect(key)}=>${inspect(value)}`
}

function inspectSymbol(name: string): string {
  return /^[A-Za-z_]\w*[?!=]?$/.test(name) ? `:${name}` : `:${inspectString(Buffer.from(name))}`
}

/** A float as Ruby prints it: whole numbers below 10^16 get a zero after the point. */
function floatText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return value.toFixed(1)
  return String(value).replace(/^(-?\d)e/, '$1.0e')
}

const ESCAPES: Readonly<Record<number, string>> = {
  0x07: '\\a',
  0x08: '\\b',
  0x09: '\\t',
  0x0a: '\\n',
  0x0b: '\\v',
  0x0c: '\\f',
  0x0d: '\\r',
  0x1b: '\\e',
  0x22: '\\"',
  0x5c: '\\\\',
}

function inspectString(bytes: Buffer): string {
  const text = bytes.toString()
  if (!Buffer.from(text).equals(bytes)) return `"${[...bytes].map(inspectByte).join('')}"`
  let shown = ''
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (code < 0x80) shown += inspectByte(code)
    else shown += character
  }
  // A # before one of these begins an interpolation.
  return `"${shown.replaceAll(/#(?=[{$@])/g, '\\#')}"`
}

function inspectByte(byte: number): string {
  const escape = ESCAPES[byte]
  if (escape !== undefined) return escape
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte)
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** The text of a value; undefined for an absent value or nil. */
export function stringName(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value)
}
