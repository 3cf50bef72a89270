/** A cluster that changes are sent to. */

import type { Change } from './changes.ts'

/** A change as the peer gets it: the cells that it wants, with the own cluster among those that the change has been to. */
export interface SentChange extends Change {
  readonly cellCount: number
  /** Milliseconds since 1970 when it was made, about. */
  readonly writeTime: number
  /** Families that are replicated, of the table. */
  readonly scopes: readonly Buffer[]
}

export interface PeerCluster {
  /** Throws HBaseError where the cluster cannot be reached. */
  clusterId(signal: AbortSignal): Promise<string>
  /**
   * Resolves once the cluster has taken all of the changes. Throws HBaseError: TABLE_NOT_FOUND and NO_SUCH_COLUMN_FAMILY where it lacks those of
   * one change; some changes may have been made then.
   */
  ship(changes: readonly SentChange[], signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
