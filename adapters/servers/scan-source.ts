import type { CellBlock } from '../../src/model/cell-block.ts'
import type { Scan } from '../../src/model/query.ts'
import type { Call } from '../../src/store/call.ts'

/**
 * A scanner of a server. It may answer more rows at the ends than the scan has, but no others. Throws UNKNOWN_SCANNER where the
 * server has forgotten it.
 */
export interface ScanSource {
  /** The next cells, in memory that is not used again; undefined: there are no more. `rows`: as many as the caller can use now. */
  fetch(rows: number, call: Call): Promise<CellBlock | undefined>
  /** Frees what the server holds. Does not throw. */
  close(): Promise<void>
}

/** Nothing is asked before the first fetch. Throws UNSUPPORTED for a scan that the protocol has no words for. */
export type OpenSource = (scan: Scan, call: Call) => ScanSource | Promise<ScanSource>
