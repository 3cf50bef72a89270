/**
 * The records of a CSV file (RFC 4180): fields between commas, in quotes where they contain commas, quotes or line ends. The fields
 * are bytes of any charset that contains ASCII.
 */

import { MalformedFile } from './cell-format.ts'
import { LINE_BYTES_MAX, textLines } from './text-lines.ts'

export interface CsvRecord {
  readonly fields: readonly Buffer[]
  /** The number of the line on which it begins, from 1. */
  readonly line: number
}

export async function* csvRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  let open: string[] = []
  let quotes = 0
  let begun = 0
  let length = 0
  for await (const { bytes, number } of textLines(chunks, true)) {
    // latin1 has a character for each byte, so no byte is lost.
    const text = bytes.toString('latin1')
    if (open.length === 0) {
      if (text === '' || text === '\r') continue
      begun = number
    }
    open.push(text)
    length += text.length
    if (length > LINE_BYTES_MAX)
      throw new MalformedFile(
        `line ${begun}: a record of more than ${LINE_BYTES_MAX} bytes: a quote may not be closed`,
      )
    quotes += text.split('"').length - 1
    // Within quotes the line end belongs to the field.
    if (quotes % 2 === 1) continue
    const record = open.join('\n')
    yield { fields: fieldsOf(record.endsWith('\r') ? record.slice(0, -1) : record, begun), line: begun }
    open = []
    quotes = 0
    length = 0
  }
  if (open.length > 0) throw new MalformedFile(`line ${begun}: a quote is not closed`)
}

function fieldsOf(record: string, line: number): Buffer[] {
  const fields: Buffer[] = []
  let at = 0
  for (;;) {
    if (record[at] === '"') {
      let end = record.indexOf('"', at + 1)
      while (record[end + 1] === '"') end = record.indexOf('"', end + 2)
      fields.push(Buffer.from(record.slice(at + 1, end).replaceAll('""', '"'), 'latin1'))
      at = end + 1
      if (at < record.length && record[at] !== ',')
        throw new MalformedFile(`line ${line}: a comma must follow the quote`)
    } else {
      const comma = record.indexOf(',', at)
      const end = comma < 0 ? record.length : comma
      const field = record.slice(at, end)
      if (field.includes('"')) throw new MalformedFile(`line ${line}: a quote within a field without quotes`)
      fields.push(Buffer.from(field, 'latin1'))
      at = end
    }
    if (at >= record.length) return fields
    at++
  }
}
