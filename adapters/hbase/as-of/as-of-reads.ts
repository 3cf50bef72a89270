/**
 * Reads as of a timestamp: by a time range where HBase's answer to that is the same, else by a raw scan of all cells up to the
 * timestamp, evaluated here. The raw scan reads more, and major compactions drop the tombstones and hidden cells that it needs.
 */

import { EMPTY } from '../../../src/model/bytes.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { Get, Scan } from '../../../src/model/query.ts'
import { readColumns } from '../../../src/query/read-columns.ts'
import { RegionRead } from '../../../src/query/region-read.ts'
import { type Call, onOwnBehalf } from '../../../src/store/call.ts'
import { type Target, targetTable } from '../../../src/store/target.ts'
import { getMany } from '../batch/get-many.ts'
import { NO_CELLS, type ResultCells } from '../cells/result-cells.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { HandedScanner } from '../scan/hbase-handouts.ts'
import type { ScannerOpener } from '../scan/scanner-opener.ts'
import type { DescribeTable } from '../write/table-writes.ts'
import { AsOfScanner } from './as-of-scanner.ts'
import { RawRows, rawScan } from './raw-rows.ts'
import { withinTimeRange } from './within-time-range.ts'

export class AsOfReads {
  readonly #cluster: Cluster
  readonly #scanners: ScannerOpener
  readonly #describe: DescribeTable

  constructor(cluster: Cluster, scanners: ScannerOpener, describe: DescribeTable) {
    this.#cluster = cluster
    this.#scanners = scanners
    this.#describe = describe
  }

  /** As getMany, for gets of which some are as of a timestamp. */
  async get(
    target: Target,
    gets: readonly Get[],
    bytesMax: number,
    call: Call,
  ): Promise<readonly ResultCells[]> {
    const table = await this.#describe(targetTable(target), onOwnBehalf(call))
    const inRange = gets.map((get) => withinTimeRange(get, table))
    if (!inRange.includes(undefined)) {
      return getMany(this.#cluster, target, inRange as readonly Get[], bytesMax, call)
    }
    const results: ResultCells[] = []
    let bytes = 0
    for (const [index, get] of gets.entries()) {
      if (results.length > 0 && bytes >= bytesMax) break
      const [result] =
        inRange[index] === undefined
          ? [await this.#evaluated(target, get, table, call)]
          : await getMany(this.#cluster, target, [inRange[index]], Number.POSITIVE_INFINITY, call)
      results.push(result!)
      bytes += result!.cells.byteLength
    }
    return results
  }

  /** As Rows.openScanner. `lend`: see ScannerOpener. */
  async openScanner(
    target: Target,
    scan: Scan,
    call: Call,
    lend: Parameters<ScannerOpener['open']>[3],
  ): Promise<HandedScanner> {
    const { asOf } = scan
    const table = await this.#describe(targetTable(target), onOwnBehalf(call))
    const inRange = withinTimeRange(scan, table)
    if (inRange !== undefined || asOf === undefined) {
      return this.#scanners.open(target, inRange ?? scan, call, lend)
    }
    const columns = readColumns(scan, table, EMPTY)
    const isOneRegion = typeof target !== 'string'
    const regions = isOneRegion ? [] : await this.#cluster.regions(target, call)
    const raw = await this.#scanners.open(target, rawScan(scan, asOf, scan), call)
    const startKeys = regions.map(({ startKey }) => startKey)
    return new AsOfScanner(raw, scan, { columns, startKeys }, this.#cluster.retrier, call)
  }

  /** The row as of the timestamp, evaluated over all of its cells. */
  async #evaluated(target: Target, get: Get, table: TableDescriptor, call: Call): Promise<ResultCells> {
    const { retrier, targets } = this.#cluster
    const { row } = get
    const { time } = retrier
    const read = new RegionRead(get, readColumns(get, table, EMPTY), {
      now: BigInt(time.epochMs()),
      random: retrier.random,
    })
    await retrier.retrying(`get of ${table.name}`, call, (attempt) =>
      targets.locate(target, row, 'Get', attempt),
    )
    const range = {
      startRow: row,
      includeStartRow: true,
      stopRow: row,
      includeStopRow: true,
      reversed: false,
    }
    const scanner = await this.#scanners.open(target, rawScan(get, get.asOf!, range), call)
    try {
      const { value } = await new RawRows(scanner, time, call).next()
      const cells = value === undefined ? [] : read.read(value)
      return cells.length === 0 ? NO_CELLS : { cells: blockOf(cells), count: cells.length }
    } finally {
      await scanner.close()
    }
  }
}
