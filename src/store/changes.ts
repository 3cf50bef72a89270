/**
 * The changes of a store's rows, in the order in which they were made, for those who carry them elsewhere: replication to another cluster, and the
 * change feed. They come from the write-ahead log: writes that skip it (SKIP_WAL) and loaded files are not among them, but for files of replicated families
 * that are loaded while the log is held. Changes of a table from before it was truncated are; those of a table that is dropped, or of a family that is
 * removed, are not, also where one of that name was made since. The remarks of upkeep.ts on exceptions count here, too.
 */

import type { CellBlock } from '../model/cell-block.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'

/** Cells that were written together into one region: of one row, or of several rows of a batch. */
export interface Change {
  readonly table: TableName
  /** The sequence id of the log's record. Each change has a greater one than the change before it. */
  readonly sequenceId: number
  /** The encoded name of the region that the cells went to; it may have split since. */
  readonly region: string
  /** The clusters that the change has been to before it came here, the first one first: UUIDs. HBase: WALKey.clusterIds. */
  readonly clusterIds: readonly string[]
  /** As they were written, with their tags. Puts and tombstones of all kinds. */
  readonly cells: CellBlock
}

export interface PartOfChanges {
  readonly changes: readonly Change[]
  /** Everything up to this sequence id has been read: the position of the next call. */
  readonly position: number
  /** Bytes of the log between the position and its end, about. */
  readonly left: number
  /**
   * Milliseconds since 1970 when the first change behind the position was made, about; undefined: there is none. Of changes from before a restart it is
   * when the first one of their log was made, or, where that log had to be replayed, when the store was started.
   */
  readonly waitingSince: number | undefined
  /** As of TableMarks, when the last of these changes had been read. Undefined where system tables were not asked for. */
  readonly catalogVersion?: string | undefined
}

/** A family of a table, and where it begins. */
export interface FamilyMark {
  readonly name: Buffer
  /** Changes up to this sequence id are of an earlier family of the name. */
  readonly since: number
}

/** A table, and where its content begins. */
export interface TableMark {
  readonly table: TableName
  readonly isEnabled: boolean
  /** Another number each time the table was made, emptied, restored or loaded by other means than the log. */
  readonly mark: number
  /** Changes up to this sequence id are of before that. */
  readonly since: number
  /** True: the table got cells then that no change has. */
  readonly isUnlogged: boolean
  readonly families: readonly FamilyMark[]
}

export interface TableMarks {
  /** Another text after each change of namespaces and tables, and after each start of the store. */
  readonly version: string
  /** All tables, those of hbase's own too. */
  readonly tables: readonly TableMark[]
}

/** Changes that are wanted. */
export interface WantedChanges {
  /** Undefined: of all tables but hbase's own. */
  readonly table?: TableName
  /** True: hbase's own tables, too; only without `table`. */
  readonly ofSystem?: boolean
  /** Undefined: of all families. Else only cells of these, and changes that have any; only with `table`. */
  readonly families?: readonly Buffer[]
  /** About so many bytes of cells, and at least one change where there is any. */
  readonly bytes: number
  /** Where there is no change: waits so many milliseconds for one. */
  readonly waitMs: number
}

/** A place in the log from which on the store keeps it, also over restarts. */
export interface LogHold {
  readonly name: string
  /** The changes up to this sequence id are not needed any more. */
  readonly position: number
  /** The log is kept up to so many bytes for this hold. */
  readonly keepBytesMax: number
  /** Bytes of the log that are kept for it now. */
  readonly left: number
  /** Milliseconds since 1970 when the first change behind the position was made, as far as it is known: as of PartOfChanges. */
  readonly waitingSince?: number | undefined
  /** The reason why the log is not kept any more from its position on; undefined: it is. */
  readonly loss: string | undefined
  /** Tables with replicated families that got cells without the log since the hold was made: of a snapshot, or a file. The first hundred of them. */
  readonly unlogged: readonly string[]
}

export interface Changes {
  /** The sequence id of the last change of all tables, as it is now. */
  lastChange(call: Call): Promise<number>
  /** The first position of which readChanges can go on: all later changes are in the log. */
  firstPosition(call: Call): Promise<number>
  /**
   * The changes behind the sequence id `position`. Throws DO_NOT_RETRY where the log no longer reaches back so far, or does not reach so far yet,
   * and TABLE_NOT_FOUND.
   */
  readChanges(position: number, wanted: WantedChanges, call: Call): Promise<PartOfChanges>
  /** The origins of all tables, which the changes do not have. */
  tableMarks(call: Call): Promise<TableMarks>
  /** All holds, by name. */
  logHolds(call: Call): Promise<LogHold[]>
  /**
   * Makes a hold, or moves it. A new one is on disk once this resolves, and so is one that was lost or keeps another number of bytes; one that moves on is
   * a few seconds later, or with the end of the store: a kill may put it back for as long. `position`: undefined: the present one; of a new one the last change.
   * Resolves to its position. Throws DO_NOT_RETRY where the log does not reach back to the position, and where there are too many holds.
   */
  holdLog(name: string, position: number | undefined, keepBytesMax: number, call: Call): Promise<number>
  /** Ends the hold, on disk. Does nothing where there is none. */
  releaseLog(name: string, call: Call): Promise<void>
}
