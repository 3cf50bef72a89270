import { detached } from '../../src/model/detached.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { Scan } from '../../src/model/query.ts'
import type { ScanBatch } from '../../src/model/results.ts'
import { readColumns } from '../../src/query/read-columns.ts'
import { isInKeyRange, regionsOfScan, rowsOfScan } from '../../src/query/row-range.ts'
import { RowScan } from '../../src/query/row-scan.ts'
import type { Call } from '../../src/store/call.ts'
import type { HandoutId, Handouts, OpenScanner, ScanLimits } from '../../src/store/handouts.ts'
import { unknownScanner } from '../../src/store/refusals.ts'
import { type Target, targetRegion, targetTable } from '../../src/store/target.ts'
import type { MemoryTable } from './memory-table.ts'
import { type MemoryTables, ROWS_PER_TURN } from './memory-tables.ts'

interface MemoryScanner {
  readonly target: Target
  readonly table: MemoryTable
  readonly scan: RowScan
  /** Functions that release the read point of each region of the scan. */
  readonly releaseReadPoints: readonly (() => void)[]
}

/** The open scanners. Results are copies, so no memory is on loan. */
export class MemoryHandouts implements Handouts {
  readonly #tables: MemoryTables
  readonly #scanners = new Map<HandoutId, MemoryScanner>()
  #lastId = 0

  constructor(tables: MemoryTables) {
    this.#tables = tables
  }

  /** Opens a scan of the table's present rows, by its present descriptor. Throws as Rows.openScanner. */
  open(target: Target, wanted: Scan, call: Call): OpenScanner {
    const { table, region } = this.#tables.served(target, call)
    const scan = detached(wanted)
    const replica = scan.mayBeStale === true ? 'any' : scan.replica
    if (region === undefined) table.checkServed(scan.startRow, replica)
    const columns = readColumns(
      scan,
      table.descriptor,
      (region ?? table.regionAt(scan.startRow)).name,
      table.isLabelled,
    )
    const visited = regionsOfScan(region === undefined ? table.regions : [region], scan)
    if (region === undefined) for (const { startKey } of visited) table.checkServed(startKey, replica)
    const readPoint = scan.readPoint ?? table.readPoint
    const rows = table
      .rowsAt(readPoint)
      .filter(({ key }) => region === undefined || isInKeyRange(key, region))
    const scanned = {
      rows: rowsOfScan(rows, scan).values(),
      startKeys: table.regions.map(({ startKey }) => startKey),
      columns,
    }
    const id = ++this.#lastId
    const conditions = this.#tables.readConditions()
    const rowScan = new RowScan(scan, scanned, conditions)
    const releaseReadPoints = visited.map((each) => table.keepReadPoint(each, readPoint))
    this.#scanners.set(id, { target, table, scan: rowScan, releaseReadPoints })
    return { id, readPoint }
  }

  async next(id: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch> {
    this.#tables.check(call)
    const scanner = this.#scanners.get(id)
    if (scanner === undefined) throw unknownScanner(id)
    const { target, table, scan } = scanner
    if (this.#tables.served(target, call).table !== table) {
      const name = targetRegion(target)?.encodedName ?? targetTable(target)
      throw new HBaseError('NOT_SERVING_REGION', `${name} was deleted or truncated and made again`)
    }
    const { clock } = this.#tables
    const until = clock.now() + (limits.timeMs ?? Number.POSITIVE_INFINITY)
    let rows = 0
    return scan.next(limits, async () => {
      rows++
      if (rows % ROWS_PER_TURN === 0) await this.#tables.pause(call)
      return clock.now() < until
    })
  }

  async closeScanner(id: HandoutId): Promise<void> {
    for (const release of this.#scanners.get(id)?.releaseReadPoints ?? []) release()
    this.#scanners.delete(id)
  }

  release(): void {}

  closeAll(): void {
    this.#scanners.clear()
  }
}
