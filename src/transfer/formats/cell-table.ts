/**
 * Cells as CSV (RFC 4180): `row,column,timestamp,type,value`, one cell per line, with text as in row-lines.ts. Files of other programs have
 * fields that the user names: `HBASE_ROW_KEY,f:a,f:b`, as HBase's ImportTsv does.
 */

import { isUtf8 } from 'node:buffer'
import { CellType } from '../../model/cell.ts'
import { CellCursor } from '../../model/cell-block.ts'
import { type ColumnName, splitColumn } from '../../model/column-name.ts'
import type { Results } from '../../model/results.ts'
import { escapedText, unescapedText } from '../../wire/text/escaped-text.ts'
import { parseInt64 } from '../../wire/text/int64-text.ts'
import { type CellReader, type CellWriter, MalformedFile, type ReadCells } from './cell-format.ts'
import { typeName, typeNamed } from './cell-type-names.ts'
import { csvRecords } from './csv-records.ts'
import { type FileCell, GatheredCells } from './gathered-cells.ts'

type Texts = [row: string, column: string, time: string, type: string, value: string]

const HEADER = ['row', 'column', 'timestamp', 'type', 'value']
const KEY_FIELD = 'HBASE_ROW_KEY'
const TIME_FIELD = 'HBASE_TS_KEY'

export function cellTableWriter(): CellWriter {
  return {
    begin: () => Buffer.from(`${HEADER.join(',')}\n`),
    results: ({ cells }: Results) => {
      const cursor = new CellCursor(cells)
      const lines: string[] = []
      while (cursor.next()) {
        const { row, family, qualifier, timestamp, type, value } = cursor.parts()
        const column = Buffer.concat([family, Buffer.from(':'), qualifier])
        const texts = [
          escapedText(row),
          escapedText(column),
          String(timestamp),
          typeName(type),
          escapedText(value),
        ]
        lines.push(`${texts.map(quoted).join(',')}\n`)
      }
      return Buffer.from(lines.join(''))
    },
    end: () => Buffer.alloc(0),
  }
}

function quoted(text: string): string {
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Reads a file that cellTableWriter has written. */
export async function* readCellTable(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadCells> {
  const gathered = new GatheredCells()
  let isFirst = true
  for await (const { fields, line } of csvRecords(chunks)) {
    const place = `line ${line}`
    if (isFirst) {
      isFirst = false
      if (fields.map(String).join(',') === HEADER.join(',')) continue
      throw new MalformedFile(
        `${place}: the first line must be ${HEADER.join(',')}; for other files name the --fields`,
      )
    }
    gathered.add(cellOf(fields, place), place)
    if (gathered.isFull) yield gathered.take()
  }
  yield gathered.take()
}

function cellOf(fields: readonly Buffer[], place: string): FileCell {
  if (fields.length !== HEADER.length)
    throw new MalformedFile(`${place}: ${fields.length} fields, not ${HEADER.length}`)
  const [row, column, time, type, value] = fields.map((field) => textOf(field, place)) as Texts
  const typed = typeNamed(type)
  if (typed === undefined) throw new MalformedFile(`${place}: "${type}" is the type of no cell`)
  try {
    const { family, qualifier = Buffer.alloc(0) } = splitColumn(unescapedText(column))
    const timestamp = parseInt64(time)
    return { row: unescapedText(row), family, qualifier, timestamp, type: typed, value: unescapedText(value) }
  } catch (error) {
    throw new MalformedFile(`${place}: ${(error as Error).message}`)
  }
}

/**
 * Reads files of other programs. Values are the fields' bytes. `named`: the names of the fields; undefined: the first line has them.
 * `now` is the timestamp of cells without one. `skipsHeader`: the first line is left out.
 */
export function fieldsReader(
  named: readonly string[] | undefined,
  now: bigint,
  skipsHeader: boolean = false,
): CellReader {
  return async function* read(chunks) {
    const gathered = new GatheredCells()
    let names = named ?? []
    let columns = columnsOf(names)
    let isFirst = skipsHeader || named === undefined
    for await (const { fields, line } of csvRecords(chunks)) {
      const place = `line ${line}`
      if (isFirst) {
        isFirst = false
        if (named !== undefined) continue
        names = namesOfHeader(fields, place)
        columns = columnsOf(names)
        continue
      }
      if (fields.length !== names.length)
        throw new MalformedFile(`${place}: ${fields.length} fields, not ${names.length}`)
      const row = fields[names.indexOf(KEY_FIELD)]!
      const stated = names.indexOf(TIME_FIELD)
      const timestamp = stated < 0 ? now : timeOf(fields[stated]!.toString(), place)
      for (const [i, column] of columns.entries()) {
        if (typeof column === 'string') continue
        const { family, qualifier = Buffer.alloc(0) } = column
        gathered.add({ row, family, qualifier, timestamp, type: CellType.Put, value: fields[i]! }, place)
      }
      if (gathered.isFull) yield gathered.take()
    }
    yield gathered.take()
  }
}

function columnsOf(names: readonly string[]): (string | ColumnName)[] {
  return names.map((name) =>
    name === KEY_FIELD || name === TIME_FIELD ? name : splitColumn(Buffer.from(name)),
  )
}

/** The families of the named columns. */
export function familiesOfFields(names: readonly string[]): Buffer[] {
  const families = columnsOf(names).flatMap((column) => (typeof column === 'string' ? [] : [column.family]))
  return families.filter((name, index) => families.findIndex((other) => other.equals(name)) === index)
}

function namesOfHeader(fields: readonly Buffer[], place: string): string[] {
  const names = fields.map((field) => textOf(field, place))
  if (names.some((name) => name.includes('\r')))
    throw new MalformedFile(`${place}: a carriage return is no end of a line: end the lines with line feeds`)
  const fault = faultOfNames(names)
  if (fault === undefined) return names
  throw new MalformedFile(
    `${place}: ${fault}: correct the header, or name the fields with --fields, and pass --header skip`,
  )
}

/** Fields of HBase's ImportTsv that say more of a row than its cells have here. */
const ROW_FIELDS = ['HBASE_ATTRIBUTES_KEY', 'HBASE_CELL_VISIBILITY', 'HBASE_CELL_TTL']

/** The reason why files cannot have fields of these names, as a clause; undefined: they can. */
export function faultOfNames(names: readonly string[]): string | undefined {
  if (!names.includes(KEY_FIELD)) return `no field is ${KEY_FIELD}, the row`
  const refused = names.find((name) => ROW_FIELDS.includes(name))
  if (refused !== undefined) return `${refused} is not supported: the cells would be written without it`
  const unnamed = names.indexOf('')
  if (unnamed >= 0) return `field ${unnamed + 1} has no name`
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `two fields are ${twice}: the row has place for one`
  if (names.every((name) => name === KEY_FIELD || name === TIME_FIELD)) return 'no field is a column'
  return undefined
}

/** The text of a field, which must be UTF-8: files write other bytes as escapes. */
function textOf(bytes: Buffer, place: string): string {
  if (isUtf8(bytes)) return bytes.toString()
  throw new MalformedFile(`${place}: a field is not UTF-8`)
}

function timeOf(text: string, place: string): bigint {
  try {
    return parseInt64(text)
  } catch (error) {
    throw new MalformedFile(`${place}: ${(error as Error).message}`)
  }
}
