/**
 * The rows of hbase:meta. Each is made when it is read: a client asks for one region at a time, among thousands.
 */

import { compareBytes } from '../../../model/bytes.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { compareMetaRows, tableOfMetaRow } from '../../../model/meta-table.ts'
import type { Scan } from '../../../model/query.ts'
import { replication } from '../../../model/region-replication.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { NAMESPACE_TABLE } from '../../../model/shown-tables.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { StoredRow } from '../../../query/stored-cell.ts'
import type { Call } from '../../../store/call.ts'
import type { TableState } from '../../../store/catalog.ts'
import type { AdvertisedCatalog, AdvertisedRegion } from '../advertised.ts'
import { regionRow, systemRegion, tableRow } from './system-rows.ts'

/** The rows from the least to the greatest one. An empty bound is no bound. */
interface RowBounds {
  readonly least: Buffer
  readonly includesLeast: boolean
  readonly greatest: Buffer
  readonly includesGreatest: boolean
}

function boundsOf(scan: Scan): RowBounds {
  const { startRow, includeStartRow, stopRow, includeStopRow } = scan
  return scan.reversed
    ? { least: stopRow, includesLeast: includeStopRow, greatest: startRow, includesGreatest: includeStartRow }
    : { least: startRow, includesLeast: includeStartRow, greatest: stopRow, includesGreatest: includeStopRow }
}

/** The rows of hbase:meta for one table: row 0 is for the table itself, the others are for its regions. */
class TableRows {
  readonly #key: Buffer
  readonly #state: TableState
  readonly #regions: readonly AdvertisedRegion[]
  readonly #replication: number

  /** `regions`: in order of their start keys. */
  constructor(table: TableName, state: TableState, regions: readonly AdvertisedRegion[], copies: number) {
    this.#key = Buffer.from(table)
    this.#state = state
    this.#regions = regions
    this.#replication = copies
  }

  get length(): number {
    return 1 + this.#regions.length
  }

  row(index: number): StoredRow {
    return index === 0
      ? tableRow(this.#regions[0]!, this.#state)
      : regionRow(this.#regions[index - 1]!, this.#state, this.#replication)
  }

  /** The numbers of the rows within the bounds: the first one, and the one behind the last. */
  within({ least, includesLeast, greatest, includesGreatest }: RowBounds): readonly [number, number] {
    const from = least.length === 0 ? 0 : this.#countBefore(least, !includesLeast)
    const to = greatest.length === 0 ? this.length : this.#countBefore(greatest, includesGreatest)
    return [from, Math.max(from, to)]
  }

  /** The number of rows before the row; `withIt`: including the row itself. */
  #countBefore(row: Buffer, withIt: boolean): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const key = middle === 0 ? this.#key : this.#regions[middle - 1]!.name
      const order = compareMetaRows(key, row)
      if (order < 0 || (withIt && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The rows of hbase:meta, without a row for its own region. */
export class MetaRows {
  readonly #catalog: AdvertisedCatalog
  readonly #server: ServerName

  constructor(catalog: AdvertisedCatalog, server: ServerName) {
    this.#catalog = catalog
    this.#server = server
  }

  /** The rows that the scan visits, in its order, of the present catalog. */
  async scanned(scan: Scan, call: Call): Promise<Iterator<StoredRow>> {
    const bounds = boundsOf(scan)
    const tables = await this.#tables(bounds, call)
    return rowsWithin(scan.reversed ? tables.reverse() : tables, bounds, scan.reversed)
  }

  /** The rows within the bounds, by table, in order. */
  async #tables({ least, greatest }: RowBounds, call: Call): Promise<TableRows[]> {
    const [first, last] = [tableOfMetaRow(least), tableOfMetaRow(greatest)]
    // A lookup of regions of one table does not list the other tables, maybe thousands.
    const isOfOne = least.length > 0 && first.equals(last)
    const tables: TableRows[] = []
    for (const name of isOfOne ? namesOf(first) : await this.#names(first, last, call)) {
      const rows = await this.#rowsOf(name, call)
      if (rows !== undefined) tables.push(rows)
    }
    return tables
  }

  /** The names of the tables within the bounds, in order. An empty bound is no bound. */
  async #names(first: Buffer, last: Buffer, call: Call): Promise<TableName[]> {
    const catalog = this.#catalog
    const descriptors = [...(await catalog.listTables(call)), ...(await catalog.listSystemTables(call))]
    return [NAMESPACE_TABLE, ...descriptors.map(({ name }) => name)]
      .map((name) => ({ name, key: Buffer.from(name) }))
      .filter(
        ({ key }) => compareBytes(key, first) >= 0 && (last.length === 0 || compareBytes(key, last) <= 0),
      )
      .sort((a, b) => compareBytes(a.key, b.key))
      .map(({ name }) => name)
  }

  /** The table's rows; undefined where it has been deleted since it was listed. */
  async #rowsOf(name: TableName, call: Call): Promise<TableRows | undefined> {
    if (name === NAMESPACE_TABLE) {
      const copies = replication(await this.#catalog.table(name, call))
      return new TableRows(name, 'ENABLED', [systemRegion(name, this.#server)], copies)
    }
    try {
      const state = await this.#catalog.tableState(name, call)
      const table = await this.#catalog.table(name, call)
      return new TableRows(name, state, await this.#catalog.regions(name, call), replication(table))
    } catch (error) {
      if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return undefined
      throw error
    }
  }
}

/** The bytes as the name of a table; empty where they are not UTF-8, and thus no name. */
function namesOf(bytes: Buffer): TableName[] {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? [text as TableName] : []
}

function* rowsWithin(
  tables: readonly TableRows[],
  bounds: RowBounds,
  reversed: boolean,
): Generator<StoredRow> {
  for (const table of tables) {
    const [from, to] = table.within(bounds)
    for (let i = from; i < to; i++) yield table.row(reversed ? to - 1 - (i - from) : i)
  }
}
