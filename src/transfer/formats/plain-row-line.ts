/**
 * Reads the lines that an export writes: puts, without spaces, of ASCII, in which other bytes stand as `\xHH`. All other lines are left to the reader
 * of any JSON, which takes three times as long.
 */

import { CellType } from '../../model/cell.ts'
import type { FileCell } from './gathered-cells.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const LOWER_X = 0x78
const ZERO = 0x30
const KEY = Buffer.from('{"key":"')
const CELLS = Buffer.from('","cells":[')
const COLUMN = Buffer.from('{"column":"')
const TIMESTAMP = Buffer.from('","timestamp":')
const VALUE = Buffer.from(',"value":"')
const CELL_END = Buffer.from('"}')
const LINE_END = Buffer.from(']}')
/** So many digits are exact as a number. */
const DIGITS_MAX = 15

/** Undefined for any other line, malformed ones among them. */
export function plainRowLine(line: Buffer): FileCell[] | undefined {
  return new PlainLine(line).cells()
}

class PlainLine {
  readonly #line: Buffer
  #at = 0

  constructor(line: Buffer) {
    this.#line = line
  }

  cells(): FileCell[] | undefined {
    const row = this.#passes(KEY) ? this.#text() : undefined
    if (row === undefined || !this.#passes(CELLS)) return undefined
    const cells: FileCell[] = []
    do {
      const cell = this.#cell(row)
      if (cell === undefined) return undefined
      cells.push(cell)
    } while (this.#passesComma())
    return this.#passes(LINE_END) && this.#at === this.#line.length ? cells : undefined
  }

  #cell(row: Buffer): FileCell | undefined {
    const column = this.#passes(COLUMN) ? this.#text() : undefined
    const colon = column?.indexOf(COLON) ?? -1
    if (column === undefined || colon < 0 || !this.#passes(TIMESTAMP)) return undefined
    const timestamp = this.#number()
    const value = timestamp !== undefined && this.#passes(VALUE) ? this.#text() : undefined
    if (timestamp === undefined || value === undefined || !this.#passes(CELL_END)) return undefined
    const [family, qualifier] = [column.subarray(0, colon), column.subarray(colon + 1)]
    return { row, family, qualifier, timestamp, type: CellType.Put, value }
  }

  #passes(text: Buffer): boolean {
    const line = this.#line
    const at = this.#at
    for (let i = 0; i < text.length; i++) if (line[at + i] !== text[i]) return false
    this.#at = at + text.length
    return true
  }

  #passesComma(): boolean {
    if (this.#line[this.#at] !== COMMA) return false
    this.#at++
    return true
  }

  #number(): bigint | undefined {
    const line = this.#line
    const begin = this.#at
    let at = begin
    let value = 0
    for (let digit = digitAt(line, at); digit >= 0; digit = digitAt(line, at)) {
      value = value * 10 + digit
      if (++at - begin > DIGITS_MAX) return undefined
    }
    const isNumber = at > begin && (line[begin] !== ZERO || at === begin + 1)
    this.#at = at
    return isNumber ? BigInt(value) : undefined
  }

  /** The bytes of the text up to the next quote, which stays. */
  #text(): Buffer | undefined {
    const line = this.#line
    const begin = this.#at
    let at = begin
    for (; at < line.length; at++) {
      const byte = line[at]!
      if (byte === QUOTE || byte < 0x20 || byte > 0x7e || byte === BACKSLASH) break
    }
    this.#at = at
    if (line[at] === QUOTE) return line.subarray(begin, at)
    return line[at] === BACKSLASH ? this.#escapedText(begin) : undefined
  }

  /** As #text, where a backslash comes first at the present place. */
  #escapedText(begin: number): Buffer | undefined {
    const line = this.#line
    const end = this.#endOfText(this.#at)
    if (end < 0) return undefined
    const text = Buffer.allocUnsafe(end - begin)
    let length = line.copy(text, 0, begin, this.#at)
    for (let at = this.#at; at < end; ) {
      const byte = line[at]!
      if (byte < 0x20 || byte > 0x7e) return undefined
      if (byte !== BACKSLASH) {
        text[length++] = byte
        at++
      } else if (line[at + 1] === QUOTE) {
        text[length++] = QUOTE
        at += 2
      } else {
        const escaped = escapedByte(line, at)
        if (escaped < 0) return undefined
        text[length++] = escaped
        at += 5
      }
    }
    this.#at = end
    return text.subarray(0, length)
  }

  /** The place of the first quote from `at` on that no backslash precedes; -1 where there is none. */
  #endOfText(at: number): number {
    const line = this.#line
    for (let end = at; end < line.length; end++) {
      if (line[end] === BACKSLASH) end++
      else if (line[end] === QUOTE) return end
    }
    return -1
  }
}

/** The byte of `\\xHH`, as JSON has it; -1 where it does not stand there. */
function escapedByte(line: Buffer, at: number): number {
  if (line[at + 1] !== BACKSLASH || line[at + 2] !== LOWER_X) return -1
  const [high, low] = [hexDigit(line[at + 3]), hexDigit(line[at + 4])]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/** As an export writes it: in capitals. */
function hexDigit(byte = 0): number {
  if (byte >= ZERO && byte <= ZERO + 9) return byte - ZERO
  return byte >= 0x41 && byte <= 0x46 ? byte - 0x37 : -1
}

function digitAt(line: Buffer, at: number): number {
  const digit = (line[at] ?? 0) - ZERO
  return digit >= 0 && digit <= 9 ? digit : -1
}
