import type { DoorContext } from '../../gateway/door.ts'
import type { ScannerLeases } from '../../gateway/scanner-leases.ts'
import type { GetLimits } from '../../store/rows.ts'
import type { CellStream } from './scans/cell-stream.ts'

/** What every resource of the door works with. */
export interface RestService extends DoorContext {
  /** How much one answer to gets may carry. */
  readonly getLimits: GetLimits
  /** Stateful scanners, as the streams of cells that clients read of them. */
  readonly scanners: ScannerLeases<OpenScanner, CellStream>
  /** Begins every scanner id, so that an id of an earlier server is never one of this. */
  readonly scannerIdPrefix: string
}

export interface OpenScanner {
  /** Cells that one read returns. */
  readonly batch: number
  /** Asked for no versions: there is nothing to read. */
  readonly isEmpty: boolean
  /** The read that is under way: a scanner serves one at a time. */
  turn: Promise<unknown>
}
