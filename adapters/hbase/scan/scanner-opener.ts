import { decidesOnWholeRows } from '../../../src/filter/evaluate/whole-rows.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Target } from '../../../src/store/target.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { HBaseScanner, type Lend } from './hbase-scanner.ts'
import { ReadAhead } from './read-ahead.ts'
import { ScanSource } from './scan-source.ts'
import type { ScannedRows } from './scanned-rows.ts'
import { StaleRows } from './stale-rows.ts'

/** Opens scanners of one store, which share one limit for reading ahead. */
export class ScannerOpener {
  readonly #cluster: Cluster
  readonly #readAhead = new ReadAhead()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** Opens a scanner. Without `lend` the garbage collector frees the memory of answers. Throws as Rows.openScanner. */
  async open(target: Target, scan: Scan, call: Call, lend?: Lend): Promise<HBaseScanner> {
    const { options, retrier } = this.#cluster
    const scanner = new HBaseScanner({
      source: this.#rowsOf(target, scan),
      batch: scan.batch,
      hasParts: !decidesOnWholeRows(scan.filter),
      rowsMax: options.scannerCachingRows,
      readAhead: this.#readAhead,
      retrier,
      lend,
    })
    await scanner.open(scan.firstRows ?? 0, call)
    return scanner
  }

  #rowsOf(target: Target, scan: Scan): ScannedRows {
    const source = new ScanSource(this.#cluster, target, scan, this.#readAhead)
    const { replica = 0, mayBeStale = false } = scan
    const isFixed = typeof target !== 'string' || !mayBeStale || replica === 'any'
    return isFixed ? source : new StaleRows(this.#cluster, source, replica)
  }
}
