import type { DoorContext } from '../../../gateway/door.ts'
import type { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { GetLimits } from '../../../store/rows.ts'
import type { CellStream } from './cell-stream.ts'
import type { ForwardedReads } from './forwarded-read.ts'

/** The context that every resource of the door gets. */
export interface RestService extends DoorContext {
  /** The limits of one answer to gets. */
  readonly getLimits: GetLimits
  /** Stateful scanners, each with the stream of cells that its client reads. */
  readonly scanners: ScannerLeases<StatefulScanner, CellStream>
  /** Begins every scanner id, so that this server does not know an id of an earlier one. */
  readonly scannerIdPrefix: string
  /** Undefined: no other process has scanners of this server. */
  readonly forwarding?: ForwardedReads | undefined
}

/** The door's part of an open scanner. */
export interface StatefulScanner {
  /** Cells that one read returns unless it says otherwise. */
  readonly batch: number
  /** The client asked for no versions: every read is empty. */
  readonly isEmpty: boolean
  /** The read that is under way: a scanner serves one read at a time. */
  turn: Promise<unknown>
}
