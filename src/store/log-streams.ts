/**
 * The write-ahead log of a store, and the changes of its catalog, in the order in which they were made, for one that keeps them elsewhere. The
 * remarks of upkeep.ts on exceptions count here, too.
 */

import type { Call } from './call.ts'

/** When the store made it: milliseconds since 1970 by the store's clock. No later entry has a lower one. */
interface Made {
  readonly at: number
}

/** Whole records of one of the store's logs. Their form is the store's own. */
export interface RecordsEntry extends Made {
  readonly kind: 'records'
  /** The log's number; `bytes` stand there from `offset` on. */
  readonly log: number
  readonly offset: number
  readonly bytes: Buffer
}

/** A change of the catalog: of tables, regions, namespaces. Its form is the store's own. */
export interface ChangeEntry extends Made {
  readonly kind: 'change'
  readonly bytes: Buffer
}

/** A moment was kept for a backup. It has all entries before this one, and none after it. */
export interface MomentEntry extends Made {
  readonly kind: 'moment'
  /** As of KeptMoment. */
  readonly id: string
}

/** Cells came into a table that no record has: loaded files, or a snapshot. */
export interface UnloggedEntry extends Made {
  readonly kind: 'unlogged'
  readonly table: string
}

export type StreamEntry = RecordsEntry | ChangeEntry | MomentEntry | UnloggedEntry

export interface StreamPart {
  readonly entries: readonly StreamEntry[]
  /** Bytes of records that the follower has not read yet. */
  readonly left: number
  /** All that was made up to this time has been read, where nothing is left. */
  readonly at: number
}

export interface StreamState {
  /** Bytes of records that wait for the follower. */
  readonly left: number
  /** The reason why it gets no more; undefined: it does. */
  readonly loss: string | undefined
}

/** The most bytes of records that one call reads. An entry has more of them only where a single commit has. */
export const STREAM_PART_BYTES_MAX: number = 8 * 1024 * 1024

export interface LogStreams {
  /**
   * Follows the log from now on. The store keeps what the follower has not read, up to so many bytes of logs. Resolves to the follower's id.
   * Throws DO_NOT_RETRY where too many follow it.
   */
  followLog(keepBytesMax: number, call: Call): Promise<string>
  /** The next entries, or none. Throws DO_NOT_RETRY once the store has let go of what was not read, and for an unknown id. */
  readLog(id: string, call: Call): Promise<StreamPart>
  /** Says what waits, and whether the store has let go of it. Throws DO_NOT_RETRY for an unknown id. */
  logState(id: string, call: Call): Promise<StreamState>
  /** Ends it. Does nothing for an unknown id. */
  leaveLog(id: string, call: Call): Promise<void>
}
