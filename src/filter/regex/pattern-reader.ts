import type { HBaseError } from '../../model/errors.ts'
import { PatternFlag } from './pattern-flags.ts'
import { patternSyntaxError } from './pattern-syntax-error.ts'

const NUMBER_SIGN = 0x23

/** A pattern's code points, read as Java reads them: which of these calls skip the blanks of COMMENTS is part of its syntax. */
export class PatternReader {
  readonly codePoints: readonly number[]
  /** Where the last code point stands that Java counts as beyond 16 bits; -1: there is none. */
  readonly lastSupplementary: number
  readonly #pattern: string
  cursor: number
  flags: number
  /** `&&` in classes, as far as the pattern is read. */
  intersections = 0

  /** Error messages show `pattern`. */
  constructor(pattern: string, codePoints: readonly number[], flags: number) {
    this.#pattern = pattern
    this.codePoints = codePoints
    this.lastSupplementary = lastIndexOf(codePoints, isSupplementary)
    this.cursor = 0
    this.flags = flags
  }

  has(flag: number): boolean {
    return (this.flags & flag) !== 0
  }

  get isAtEnd(): boolean {
    return this.cursor >= this.codePoints.length
  }

  /** The code point at a place; 0 after the end. */
  at(place: number): number {
    return this.codePoints[place] ?? 0
  }

  /** The code point at the cursor, behind blanks. */
  peek(): number {
    if (this.has(PatternFlag.Comments)) this.#skipBlanks()
    return this.at(this.cursor)
  }

  /** Takes the code point at the cursor, or the first after the blanks there. */
  read(): number {
    if (this.has(PatternFlag.Comments)) this.#skipBlanks()
    return this.at(this.cursor++)
  }

  /** Moves one on; the code point there, behind blanks. */
  next(): number {
    this.cursor++
    return this.peek()
  }

  /** Moves one on; the code point there, blank or not. */
  nextVerbatim(): number {
    return this.at(++this.cursor)
  }

  /** Takes the code point after the cursor, blank or not. */
  skip(): number {
    this.cursor += 2
    return this.at(this.cursor - 1)
  }

  unread(): void {
    this.cursor--
  }

  expect(codePoint: number, description: string): void {
    if (this.read() !== codePoint) throw this.error(description)
  }

  error(description: string): HBaseError {
    return patternSyntaxError(description, this.#pattern, this.cursor - 1)
  }

  #skipBlanks(): void {
    for (;;) {
      const codePoint = this.at(this.cursor)
      if (codePoint === 0x20 || (codePoint >= 0x09 && codePoint <= 0x0d)) this.cursor++
      else if (codePoint === NUMBER_SIGN) this.#skipComment()
      else return
    }
  }

  #skipComment(): void {
    while (!this.isAtEnd && !this.#endsLine(this.at(this.cursor))) this.cursor++
  }

  #endsLine(codePoint: number): boolean {
    if (this.has(PatternFlag.UnixLines)) return codePoint === 0x0a
    return codePoint === 0x0a || codePoint === 0x0d || (codePoint | 1) === 0x2029 || codePoint === 0x85
  }
}

function isSupplementary(codePoint: number): boolean {
  return codePoint > 0xffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)
}

function lastIndexOf(codePoints: readonly number[], holds: (codePoint: number) => boolean): number {
  let last = codePoints.length - 1
  while (last >= 0 && !holds(codePoints[last]!)) last--
  return last
}
