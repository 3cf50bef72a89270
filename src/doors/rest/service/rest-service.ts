import type { DoorContext } from '../../../gateway/door.ts'
import type { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { GetLimits } from '../../../store/rows.ts'
import type { CellStream } from './cell-stream.ts'
import type { ForwardedReads } from './forwarded-read.ts'
import type { OpenFeeds } from './open-feeds.ts'

/** The door's context, which every resource gets. */
export interface RestService extends DoorContext {
  /** The limits of one read of gets. */
  readonly getLimits: GetLimits
  /** Stateful scanners, each with the stream of cells that its client reads. */
  readonly scanners: ScannerLeases<StatefulScanner, CellStream>
  readonly feeds: OpenFeeds
  /** The prefix of every scanner id. It differs for each start of the server, so ids of earlier starts are unknown. */
  readonly scannerIdPrefix: string
  /** Forwards reads of sibling processes' scanners; undefined: this process has all scanners. */
  readonly forwarding?: ForwardedReads | undefined
}

/** The door's state of an open scanner. */
export interface StatefulScanner {
  /** The number of cells that a read returns unless it states another. */
  readonly batch: number
  /** True where the client asked for no versions, so that every read is empty. */
  readonly isEmpty: boolean
  /** Resolves once the running read ends: a scanner serves one read at a time. */
  turn: Promise<unknown>
}
