import type { CellBlock } from '../../../src/model/cell-block.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { Call } from '../../../src/store/call.ts'

/**
 * A scanner of a server. At both ends it may return rows beyond the scan's, but no other surplus rows. Throws UNKNOWN_SCANNER where the
 * server has forgotten it.
 */
export interface ScanSource {
  /** The next cells, in memory of their own; undefined: there are no more. `rows`: the number that the caller can use now. */
  fetch(rows: number, call: Call): Promise<CellBlock | undefined>
  /** Closes the server's scanner. Does not throw. */
  close(): Promise<void>
}

/** Makes a source, which sends nothing before the first fetch. Throws UNSUPPORTED for a scan that the protocol cannot express. */
export type OpenSource = (scan: Scan, call: Call) => ScanSource | Promise<ScanSource>
