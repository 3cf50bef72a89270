/** The records of a CSV file (RFC 4180): fields between commas, in quotes where they have commas, quotes or line ends. */

import { MalformedFile } from './cell-format.ts'
import { textLines } from './text-lines.ts'

export interface CsvRecord {
  readonly fields: readonly string[]
  /** On which it begins, from 1. */
  readonly line: number
}

export async function* csvRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  let open: string[] = []
  let quotes = 0
  let begun = 0
  for await (const { bytes, number } of textLines(chunks)) {
    const text = bytes.toString()
    if (open.length === 0) {
      if (text === '') continue
      begun = number
    }
    open.push(text)
    quotes += text.split('"').length - 1
    // Within quotes the line end belongs to the field.
    if (quotes % 2 === 1) continue
    yield { fields: fieldsOf(open.join('\n'), begun), line: begun }
    open = []
    quotes = 0
  }
  if (open.length > 0) throw new MalformedFile(`line ${begun}: a quote is not closed`)
}

function fieldsOf(record: string, line: number): string[] {
  const fields: string[] = []
  let at = 0
  for (;;) {
    if (record[at] === '"') {
      let end = record.indexOf('"', at + 1)
      while (record[end + 1] === '"') end = record.indexOf('"', end + 2)
      fields.push(record.slice(at + 1, end).replaceAll('""', '"'))
      at = end + 1
      if (at < record.length && record[at] !== ',')
        throw new MalformedFile(`line ${line}: a comma must follow the quote`)
    } else {
      const comma = record.indexOf(',', at)
      const end = comma < 0 ? record.length : comma
      const field = record.slice(at, end)
      if (field.includes('"')) throw new MalformedFile(`line ${line}: a quote within a field without quotes`)
      fields.push(field)
      at = end
    }
    if (at >= record.length) return fields
    at++
  }
}
