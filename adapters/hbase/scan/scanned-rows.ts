import type { Call } from '../../../src/store/call.ts'
import type { FetchedRows } from './fetched-rows.ts'

/** The results of a scan, in the order of its rows, as its scanner fetches them. */
export interface ScannedRows {
  /** True where all results have been fetched. */
  readonly ended: boolean
  /** True where the last region is finished and the scan continues in another. */
  readonly isAtRegionEnd: boolean
  /** As ScanBatch.isTableDone, where the scan has ended. */
  readonly isTableDone?: boolean
  /** The last row that servers have reported as read; undefined before the first. */
  readonly position: Buffer | undefined
  /** The scan's read point; 0n for several regions, each of which has its own. */
  readonly readPoint: bigint
  /** True where cells of an incomplete row have arrived: see takePart. */
  readonly hasPart: boolean
  /** The next results, at most `rows`; none where the server found none in time. Throws HBaseErrors. */
  fetch(rows: number, call: Call): Promise<FetchedRows>
  /** The cells of an incomplete row, as a result. */
  takePart(): FetchedRows
  /** Closes the server's scanner. A fetch in flight closes its own scanner when it ends. */
  close(): void
}
