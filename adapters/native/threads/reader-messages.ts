/**
 * Messages between the thread that writes a store and one that reads it. They come in lists, in the order in which things happened.
 *
 * A run has a number, which the writer gives. It keeps each run that it has shown to a reader until the reader says that it has let go of it.
 */

import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { ErrorCode, HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { MemstoreGrowth } from '../memstore/published-memstore.ts'

/** Bytes as they arrive: no Buffer. */
type Bytes = Uint8Array

export interface FamilyView {
  readonly name: Bytes
  readonly isLabelled: boolean
  /** As FamilyStore.sharedRuns. */
  readonly runs: readonly RunView[]
}

export interface MemstoreView {
  readonly kind: 'memstore'
  readonly run: number
  /** The memory that earlier messages have given; undefined: none. */
  readonly given: MemstoreGrowth | undefined
}

export interface FileView {
  readonly kind: 'file'
  readonly run: number
  readonly path: string
  readonly number: number
  readonly maxSequenceId: number
  /** The rows that count: see BoundedHFile. */
  readonly rows: { readonly from: Bytes; readonly to: Bytes } | undefined
}

/** A file that cannot be read. */
export interface DamagedView {
  readonly kind: 'damaged'
  readonly run: number
  readonly error: ErrorView
}

/** An HBaseError. */
export interface ErrorView {
  readonly code: ErrorCode
  readonly message: string
  readonly detail: HBaseError['detail']
  readonly javaClass: HBaseError['javaClass']
}

export type RunView = MemstoreView | FileView | DamagedView

export interface RegionView {
  readonly table: TableName
  readonly number: number
  readonly regionId: number
  readonly startKey: Bytes
  readonly endKey: Bytes
  readonly isClosed: boolean
  readonly closedCopies: readonly number[]
  readonly families: readonly FamilyView[]
}

export interface TableView {
  /** Another one for a table that has taken the place of another one of its name. */
  readonly id: number
  readonly descriptor: TableDescriptor
  readonly isEnabled: boolean
  /** Numbers, in order of the regions' keys. */
  readonly regions: readonly number[]
}

export type ToReader =
  /** A new table, or another state of a table. Its regions have come before. */
  | { readonly kind: 'table'; readonly view: TableView }
  | { readonly kind: 'noTable'; readonly name: TableName }
  | { readonly kind: 'region'; readonly view: RegionView }
  | { readonly kind: 'noRegion'; readonly number: number }
  | { readonly kind: 'growth'; readonly run: number; readonly growth: MemstoreGrowth }
  /** The writer keeps what messages up to this number have asked for. */
  | { readonly kind: 'kept'; readonly message: number }
  /** Scans that hold a memstore go on in the file that has its cells; undefined: no cell is left. */
  | { readonly kind: 'replace'; readonly run: number; readonly by: RunView | undefined }

export interface ReadsOfRegion {
  readonly region: number
  readonly reads: number
  /** As RegionRequests.filteredReads. */
  readonly filteredReads: number
}

/** A run that no read needs any more. */
export interface ReleasedRun {
  readonly run: number
  /** How often the reader has been shown it. The writer may have shown it again meanwhile. */
  readonly seen: number
}

export type ToWriter =
  /**
   * Has the versions kept that a scan at the read point sees: in a region of the table or, where that is undefined, in all of its regions. `keep`: the
   * reader's number of the request.
   */
  | {
      readonly kind: 'keep'
      readonly keep: number
      readonly table: TableName
      readonly region: number | undefined
      readonly readPoint: number
    }
  /** Has the cells of memstores kept where they are. */
  | { readonly kind: 'hold'; readonly keep: number; readonly runs: readonly number[] }
  /** Ends a `keep` or a `hold`. */
  | { readonly kind: 'giveUp'; readonly keep: number }
  | { readonly kind: 'released'; readonly runs: readonly ReleasedRun[] }
  /** A read has found that a file is damaged, or that the disk does not give its bytes. */
  | { readonly kind: 'fault'; readonly run: number; readonly error: ErrorView }
  | { readonly kind: 'reads'; readonly counts: readonly ReadsOfRegion[] }

export interface MessageToWriter {
  readonly message: number
  readonly list: readonly ToWriter[]
}
