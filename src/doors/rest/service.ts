import type { Logger } from 'pino'
import type { DoorContext } from '../../gateway/door.ts'
import type { Limits } from '../../gateway/limits.ts'
import type { ScannerLeases } from '../../gateway/scanner-leases.ts'
import type { Store } from '../../store.ts'
import type { CellStream } from './scans/cell-stream.ts'

/** What every resource of the door works with. */
export interface RestService extends DoorContext {
  readonly store: Store
  readonly limits: Limits
  readonly logger: Logger
  /** Stateful scanners; what a client reads of one goes through its stream. */
  readonly scanners: ScannerLeases<OpenScanner>
  /** Begins every scanner id, so that an id of an earlier server is never one of this. */
  readonly scannerIdPrefix: string
}

export interface OpenScanner {
  readonly stream: CellStream
  /** Cells that one read returns. */
  readonly batch: number
  /** Asked for no versions: there is nothing to read. */
  readonly isEmpty: boolean
  /** The read that is under way: a scanner serves one at a time. */
  turn: Promise<unknown>
}
