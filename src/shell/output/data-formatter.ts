/** The output of commands as data, for programs: JSON objects, one a line, or CSV. */

import type { Results } from '../../model/results.ts'
import { Formatter, type Output } from './formatter.ts'

export type DataFormat = 'json' | 'csv'

/** Writes cells: see CellWriter of the transfers. */
export interface CellLines {
  begin(): Buffer
  results(results: Results): Buffer
  end(): Buffer
}

export interface DataOutput {
  readonly format: DataFormat
  readonly cells: () => CellLines
}

/** A record, by the names of its fields. In CSV its values are texts, numbers or booleans. */
export type DataRecord = Readonly<Record<string, unknown>>

/** Records by the headings that commands print, and texts of lines that have none. */
export class DataFormatter extends Formatter {
  readonly #write: (text: string) => void
  readonly #data: DataOutput
  #columns: readonly string[] = []
  /** Of the last record in CSV: others get a header of their own. */
  #header = ''

  constructor(output: Output, data: DataOutput) {
    super(output)
    this.#write = (text) => output.write(text)
    this.#data = data
  }

  override get data(): DataFormat {
    return this.#data.format
  }

  override cellLines(): CellLines {
    return this.#data.cells()
  }

  override header(columns: readonly string[]): void {
    this.#columns = columns.map(fieldOf)
  }

  override row(columns: readonly string[]): void {
    const names = this.#columns
    if (names.length !== columns.length) this.line(columns.join(' '))
    else this.record(Object.fromEntries(columns.map((text, index) => [names[index]!, text])))
  }

  override footer(): void {
    this.#columns = []
  }

  override line(text = ''): void {
    if (text.trim() !== '') this.record({ text: text.trim() })
  }

  override took(): void {
    this.#columns = []
  }

  override record(record: DataRecord): void {
    if (this.data === 'json') {
      this.#write(`${JSON.stringify(record)}\n`)
      return
    }
    const header = Object.keys(record).map(quoted).join(',')
    if (header !== this.#header) this.#write(`${header}\n`)
    this.#header = header
    this.#write(`${Object.values(record).map(quoted).join(',')}\n`)
  }
}

/** `SERVER NAME` as `server_name`. */
function fieldOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/\W+/g, '_')
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
