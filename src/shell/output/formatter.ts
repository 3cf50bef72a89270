/** Prints rows and headings as HBase's shell does: in columns on a terminal, with single spaces elsewhere. */

import { EMPTY } from '../../model/bytes.ts'
import type { CellLines, DataFormat, DataRecord } from './data-formatter.ts'

export interface Output {
  /** Columns of the terminal; 0: no terminal. */
  readonly width: number
  write(text: string): void
}

export class Formatter {
  readonly #output: Output
  #rows = 0

  constructor(output: Output) {
    this.#output = output
  }

  /** The format of data; undefined: texts for people. */
  get data(): DataFormat | undefined {
    return undefined
  }

  /** Writes cells as data. Of texts for people: nothing. */
  cellLines(): CellLines {
    return { begin: () => EMPTY, results: () => EMPTY, end: () => EMPTY }
  }

  /** Prints a record of data. Of texts for people: nothing. */
  record(_record: DataRecord): void {}

  /** Prints bytes of lines as they are. */
  bytes(lines: Buffer): void {
    if (lines.length > 0) this.#output.write(lines.toString())
  }

  /** Prints a heading and restarts the count of rows. */
  header(columns: readonly string[], widths: readonly number[] = []): void {
    if (columns.length > 0) this.row(columns, false, widths)
    this.#rows = 0
  }

  /** Prints a row. `inset`: a space precedes rows of two columns. `widths`: the widths of the two columns, in percent of the terminal. */
  row(columns: readonly string[], inset = true, widths: readonly number[] = []): void {
    const [first = '', second = ''] = columns
    if (columns.length === 1) {
      for (const part of pieces(this.#output.width, first)) this.line(padded(this.#output.width, part))
    } else if (columns.length === 2) this.#two(first, second, inset, widths)
    // HBase indents rows of more columns, and does not align them.
    else if (columns.length > 2) this.line(` ${columns.join(' ')}`)
    this.#rows++
  }

  /** Prints the number of rows, by default that since the heading. */
  footer(rows: number = this.#rows): void {
    this.line(`${rows} row(s)`)
  }

  line(text = ''): void {
    this.#output.write(`${text}\n`)
  }

  /** Prints the last line of a command. */
  took(seconds: number): void {
    this.line(padded(this.#output.width, `Took ${seconds.toFixed(4)} seconds`))
  }

  #two(first: string, second: string, inset: boolean, widths: readonly number[]): void {
    const { width } = this.#output
    const firstWidth = width === 0 ? 0 : Math.floor((width * (widths[0] ?? 25)) / 100)
    const share = widths[1]
    const otherWidth = share === undefined ? width - firstWidth : Math.floor((width * share) / 100)
    const secondWidth = width === 0 ? 0 : Math.max(1, otherWidth - 2)
    const left = pieces(firstWidth, first)
    const right = pieces(secondWidth, second)
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      const begin = inset ? ' ' : ''
      const between = inset ? ' ' : '  '
      this.line(
        `${begin}${padded(firstWidth, left[i] ?? '')}${between}${padded(secondWidth, right[i] ?? '')}`,
      )
    }
  }
}

/** The text in pieces of at most `width` characters; in one piece where `width` is 0. */
function pieces(width: number, text: string): string[] {
  if (width <= 0) return [text]
  const all: string[] = []
  for (let at = 0; at < text.length; at += width) all.push(text.slice(at, at + width))
  return all
}

function padded(width: number, text: string): string {
  return text.padEnd(width)
}
