import { toStringBinary } from '../../model/bytes.ts'
import { isHBaseError } from '../../model/errors.ts'
import { get as newGet } from '../../model/query.ts'
import type { Results } from '../../model/results.ts'
import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import type { RegionLocation } from '../../store/catalog.ts'
import type { Store } from '../../store/store.ts'
import { hashOf, integerOf, tableOf } from '../arguments/argument-values.ts'
import { countOptions, getOptions, scanOptions } from '../arguments/read-options.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { resultCells, scannedResults, scannedRows } from '../context/scanned-rows.ts'
import { cellText } from '../output/cell-text.ts'
import { namedColumn } from '../output/columns.ts'
import type { Formatter } from '../output/formatter.ts'
import { Interrupted, refuse } from '../output/shell-error.ts'
import { bytesOf, RubyHash, type Value } from '../ruby/values.ts'

const ANY_BYTES = { bytes: Number.POSITIVE_INFINITY }
const COUNTER_BYTES = 8

export const READ_COMMANDS: readonly ShellCommand[] = [
  { name: 'get', min: 2, max: undefined, ofTable: true, run: get },
  { name: 'scan', min: 1, max: 2, ofTable: true, run: scan },
  { name: 'count', min: 1, max: 2, ofTable: true, run: count },
  { name: 'get_counter', min: 3, max: 3, ofTable: true, run: getCounter },
  { name: 'get_splits', min: 1, max: 1, ofTable: true, run: getSplits },
]

async function get(
  { store, out, call }: CommandContext,
  [named, row, ...args]: readonly Value[],
): Promise<void> {
  const table = tableOf(named)
  if (out.data === undefined) out.header(['COLUMN', 'CELL'])
  const { query, converters, lengthMax } = getOptions(row!, args)
  const results = await store.rows.get(table, [query], ANY_BYTES, call)
  if (out.data !== undefined) return printCells(out, [results])
  const [cells = []] = resultCells(results)
  for (const cell of cells) {
    const column = `${converters.name(cell.family)}:${converters.name(cell.qualifier)}`
    out.row([column, cellText(table, cell, converters, lengthMax)])
  }
  out.footer(cells.length === 0 ? 0 : 1)
}

/** Prints results as data: all bytes, without the converters. */
async function printCells(out: Formatter, all: Iterable<Results> | AsyncIterable<Results>): Promise<void> {
  const lines = out.cellLines()
  out.bytes(lines.begin())
  for await (const results of all) out.bytes(lines.results(results))
  out.bytes(lines.end())
}

/** Throws Interrupted in the place of the failure of a scan that Ctrl-C has ended. */
async function* untilInterrupted<T>(
  results: AsyncGenerator<T>,
  signal: AbortSignal | undefined,
  rows: () => number,
): AsyncGenerator<T> {
  try {
    for await (const result of results) {
      if (signal?.aborted === true) break
      yield result
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
  if (signal?.aborted === true) throw new Interrupted(`${rows()} row(s)`)
}

async function scan(context: CommandContext, [named, given]: readonly Value[]): Promise<void> {
  const { out } = context
  const table = tableOf(named)
  if (out.data === undefined) out.header(['ROW', 'COLUMN+CELL'])
  const options = hashOf(given, 'Args should be a Hash')
  const { query, converters, lengthMax, allowPartial } = scanOptions(options)
  if (out.data !== undefined) return printCells(out, scannedResults(context, table, query, allowPartial))
  let rows = 0
  const { signal } = context.call
  const results = untilInterrupted(scannedRows(context, table, query, allowPartial), signal, () => rows)
  for await (const cells of results) {
    for (const cell of cells) {
      const column = `${converters.name(cell.family)}:${converters.name(cell.qualifier)}`
      const text = cellText(table, cell, converters, lengthMax)
      out.row([converters.name(cell.row), `column=${column}, ${text}`])
    }
    rows++
  }
  out.footer(rows)
}

async function count(context: CommandContext, [named, given]: readonly Value[]): Promise<Value> {
  const { out } = context
  const table = tableOf(named)
  const stated =
    typeof given === 'bigint' ? RubyHash.fromEntries([[Buffer.from('INTERVAL'), given]]) : hashOf(given)
  const interval = Number(integerOf(stated.get('INTERVAL') ?? 1000n, 'INTERVAL'))
  if (interval <= 0) refuse('INTERVAL must be above 0')
  let rows = 0
  const { signal } = context.call
  const counted = untilInterrupted(scannedRows(context, table, countOptions(stated)), signal, () => rows)
  for await (const [cell] of counted) {
    rows++
    if (rows % interval === 0 && out.data === undefined)
      out.row([`Current count: ${rows}, row: ${toStringBinary(cell!.row)}`])
  }
  out.record({ rows })
  out.footer(rows)
  return BigInt(rows)
}

async function getCounter(
  { store, out, call }: CommandContext,
  [named, row, column]: readonly Value[],
): Promise<void> {
  const { family, qualifier } = namedColumn(column!)
  const columns = [{ family, qualifiers: [qualifier ?? Buffer.alloc(0)] }]
  const query = newGet(bytesOf(row!), { columns })
  const [cells = []] = resultCells(await store.rows.get(tableOf(named), [query], ANY_BYTES, call))
  out.line(counterText(cells[0]?.value))
}

/** The text of a counter. HBase reads the first eight bytes as a number. */
export function counterText(value: Buffer | undefined): string {
  if (value === undefined) return 'No counter found at specified coordinates'
  if (value.length < COUNTER_BYTES)
    refuse(`offset (0) + length (${COUNTER_BYTES}) exceed the capacity of the array: ${value.length}`)
  return `COUNTER VALUE = ${value.readBigInt64BE()}`
}

async function getSplits({ store, out, call }: CommandContext, [named]: readonly Value[]): Promise<Value> {
  const regions = await regionsOf(store, tableOf(named), call)
  const keys = regions.map(({ startKey }) => toStringBinary(startKey)).filter((key) => key !== '')
  out.line(`Total number of splits = ${keys.length + 1}`)
  for (const key of keys) out.line(key)
  return keys.map((key) => Buffer.from(key))
}

/** The regions; none for an unknown table: HBase's client only reads hbase:meta. */
async function regionsOf(
  { catalog }: Store,
  table: TableName,
  call: Call,
): Promise<readonly RegionLocation[]> {
  try {
    return await catalog.regions(table, call)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return []
    throw error
  }
}
