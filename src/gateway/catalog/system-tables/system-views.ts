/** Reads of hbase:meta and hbase:namespace: each read sees the present catalog. */

import type { FilterEvaluator } from '../../../filter/evaluate/filter-evaluator.ts'
import { compareBytes, EMPTY } from '../../../model/bytes.ts'
import { CellBlockBuilder } from '../../../model/cell-block.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import { type Get, type Scan, scan } from '../../../model/query.ts'
import type { Results } from '../../../model/results.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { NAMESPACE_TABLE } from '../../../model/shown-tables.ts'
import type { TableName } from '../../../model/table-name.ts'
import { readColumns } from '../../../query/read-columns.ts'
import { type ReadConditions, RegionRead, readEvaluatorInSteps } from '../../../query/region-read.ts'
import { rowsOfScan } from '../../../query/row-range.ts'
import { RowScan } from '../../../query/row-scan.ts'
import type { StoredRow } from '../../../query/stored-cell.ts'
import type { Call } from '../../../store/call.ts'
import { regionNotOnline } from '../../../store/refusals.ts'
import type { GetLimits } from '../../../store/rows.ts'
import { type Target, targetRegion, targetTable } from '../../../store/target.ts'
import type { AdvertisedCatalog } from '../advertised.ts'
import { MetaRows } from './meta-rows.ts'
import { namespaceRows, systemRegion } from './system-rows.ts'

interface View {
  readonly table: TableName
  /** The rows that a scan visits, in its order. */
  scanned(scan: Scan, call: Call): Promise<Iterator<StoredRow>>
}

export class SystemViews {
  readonly #catalog: AdvertisedCatalog
  readonly #server: ServerName
  readonly #meta: View
  readonly #namespace: View

  /** `catalog`: the store's own, without the system tables. */
  constructor(catalog: AdvertisedCatalog, server: ServerName) {
    this.#catalog = catalog
    this.#server = server
    const metaRows = new MetaRows(catalog, server)
    this.#meta = { table: META_TABLE, scanned: (scan, call) => metaRows.scanned(scan, call) }
    this.#namespace = {
      table: NAMESPACE_TABLE,
      scanned: async (scan, call) => {
        const rows = namespaceRows(await catalog.listNamespaces(call), server)
        return rowsOfScan(
          rows.sort((a, b) => compareBytes(a.key, b.key)),
          scan,
        ).values()
      },
    }
  }

  /** See Rows.get. */
  async get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results> {
    const view = this.#viewOf(target)
    const descriptor = await this.#catalog.table(view.table, call)
    const conditions = readConditions()
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    for (const get of gets) {
      if (counts.length > 0 && cells.length >= limits.bytes) break
      const columns = readColumns(get, descriptor, this.#regionName(descriptor.name))
      const read = new RegionRead(get, columns, conditions, await evaluatorOf(get, conditions))
      const { value: row } = (await view.scanned(rowScan(get.row), call)).next()
      const found = read.read(row ?? { key: get.row, cells: [] })
      for (const cell of found) cells.appendParts(cell)
      counts.push(found.length)
    }
    return { cells: cells.block(), counts }
  }

  /** Like Rows.openScanner, over the present rows. */
  async openScan(target: Target, scan: Scan, call: Call): Promise<RowScan> {
    const view = this.#viewOf(target)
    const descriptor = await this.#catalog.table(view.table, call)
    const columns = readColumns(scan, descriptor, this.#regionName(descriptor.name))
    const rows = await view.scanned(scan, call)
    const conditions = readConditions()
    const filter = await evaluatorOf(scan, conditions)
    return new RowScan(scan, { rows, startKeys: [EMPTY], columns }, conditions, filter)
  }

  /** The region's name by which HBase's messages call it; they write that of hbase:meta like any other. */
  #regionName(table: TableName): Buffer {
    const { name, encodedName } = systemRegion(table, this.#server)
    return table === META_TABLE ? Buffer.from(`${name.toString()}.${encodedName}`) : name
  }

  /** The view of the target. Throws NOT_SERVING_REGION for a region that is not the table's only one. */
  #viewOf(target: Target): View {
    const table = targetTable(target)
    const region = targetRegion(target)
    if (region !== undefined && region.encodedName !== systemRegion(table, this.#server).encodedName) {
      throw regionNotOnline(region.encodedName)
    }
    return table === META_TABLE ? this.#meta : this.#namespace
  }
}

/** The evaluator of the query. That of a large filter is made in several turns of the event loop. */
function evaluatorOf(
  query: Get | Scan,
  { random }: ReadConditions,
): Promise<FilterEvaluator | undefined> | undefined {
  return query.filter && manyATurn(readEvaluatorInSteps(query, random))
}

function rowScan(row: Buffer): Scan {
  return scan({ startRow: row, stopRow: row, includeStopRow: true })
}

function readConditions(): ReadConditions {
  return { now: BigInt(Date.now()), random: Math.random }
}
