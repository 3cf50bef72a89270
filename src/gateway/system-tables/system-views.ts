/** Reads of hbase:meta and hbase:namespace: each read sees the present catalog. */

import { compareBytes, EMPTY } from '../../model/bytes.ts'
import { CellBlockBuilder } from '../../model/cell-block.ts'
import type { TableDescriptor } from '../../model/descriptor.ts'
import { compareMetaRows, META_TABLE } from '../../model/meta-table.ts'
import type { Get, Scan } from '../../model/query.ts'
import type { Results } from '../../model/results.ts'
import type { ServerName } from '../../model/server-name.ts'
import type { TableName } from '../../model/table-name.ts'
import { readColumns } from '../../query/read-columns.ts'
import { type ReadConditions, RegionRead } from '../../query/region-read.ts'
import { rowsOfScan } from '../../query/row-range.ts'
import { RowScan } from '../../query/row-scan.ts'
import type { StoredRow } from '../../query/stored-cell.ts'
import type { Call } from '../../store/call.ts'
import { regionNotOnline } from '../../store/refusals.ts'
import type { GetLimits } from '../../store/rows.ts'
import { type Target, targetRegion, targetTable } from '../../store/target.ts'
import type { AdvertisedCatalog } from '../advertised.ts'
import { META_DESCRIPTOR, NAMESPACE_DESCRIPTOR } from './system-descriptors.ts'
import { metaRows, namespaceRows, systemRegion } from './system-rows.ts'

interface View {
  readonly descriptor: TableDescriptor
  readonly compare: typeof compareBytes
  rows(call: Call): Promise<StoredRow[]>
}

export class SystemViews {
  readonly #server: ServerName
  readonly #meta: View
  readonly #namespace: View

  /** `catalog`: the store's, without the system tables. */
  constructor(catalog: AdvertisedCatalog, server: ServerName) {
    this.#server = server
    this.#meta = {
      descriptor: META_DESCRIPTOR,
      compare: compareMetaRows,
      rows: (call) => metaRows(catalog, server, call),
    }
    this.#namespace = {
      descriptor: NAMESPACE_DESCRIPTOR,
      compare: compareBytes,
      rows: async (call) => namespaceRows(await catalog.listNamespaces(call), server),
    }
  }

  /** As Rows.get. */
  async get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results> {
    const view = this.#viewOf(target)
    const { descriptor } = view
    const byKey = new Map((await view.rows(call)).map((row) => [row.key.toString('latin1'), row]))
    const conditions = readConditions()
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    for (const get of gets) {
      if (counts.length > 0 && cells.length >= limits.bytes) break
      const read = new RegionRead(
        get,
        readColumns(get, descriptor, this.#regionName(descriptor.name)),
        conditions,
      )
      const row = byKey.get(get.row.toString('latin1')) ?? { key: get.row, cells: [] }
      const found = read.read(row)
      for (const cell of found) cells.appendParts(cell)
      counts.push(found.length)
    }
    return { cells: cells.block(), counts }
  }

  /** As Rows.openScanner: scans the present rows. */
  async openScan(target: Target, scan: Scan, call: Call): Promise<RowScan> {
    const view = this.#viewOf(target)
    const { descriptor, compare } = view
    const columns = readColumns(scan, descriptor, this.#regionName(descriptor.name))
    const sorted = (await view.rows(call)).sort((a, b) => compare(a.key, b.key))
    const scanned = { rows: rowsOfScan(sorted, scan, compare).values(), startKeys: [EMPTY], columns }
    return new RowScan(scan, scanned, readConditions())
  }

  /** As HBase's messages have it, which name the only region of hbase:meta as they name others. */
  #regionName(table: TableName): Buffer {
    const { name, encodedName } = systemRegion(table, this.#server)
    return table === META_TABLE ? Buffer.from(`${name.toString()}.${encodedName}`) : name
  }

  /** Throws NOT_SERVING_REGION for a region that is not the table's only one. */
  #viewOf(target: Target): View {
    const table = targetTable(target)
    const region = targetRegion(target)
    if (region !== undefined && region.encodedName !== systemRegion(table, this.#server).encodedName) {
      throw regionNotOnline(region.encodedName)
    }
    return table === META_TABLE ? this.#meta : this.#namespace
  }
}

function readConditions(): ReadConditions {
  return { now: BigInt(Date.now()), random: Math.random }
}
