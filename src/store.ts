/**
 * The seam between doors and stores. Nothing else crosses it.
 *
 * A store throws HBaseError only. It keeps no reference to the buffers that it is given once its promise has settled,
 * and the blocks that it hands out are the caller's. Calls may overlap; what one connection awaits, a later call sees.
 */

import type { Maintenance } from './maintenance.ts'
import type { NamespaceDescriptor, TableDescriptor } from './model/descriptor.ts'
import type { HBaseError } from './model/errors.ts'
import type { Metric } from './model/metric.ts'
import type { MutationBatch, RowMutation } from './model/mutation.ts'
import type { Get, Scan } from './model/query.ts'
import type { Results, ScanBatch } from './model/results.ts'
import type { ServerName } from './model/server-name.ts'
import type { TableName } from './model/table-name.ts'

export type { ServerName } from './model/server-name.ts'

export interface ScanLimits {
  /** Results to return at most: rows, or parts of rows where the scan has a batch. */
  readonly rows: number
  /** Bytes of cells after which the batch ends, at a row's end (or within one: ScanBatch.partial, if allowed). */
  readonly bytes: number
  readonly allowPartial: boolean
}

export interface Scanner {
  /** One call at a time. Throws NOT_SERVING_REGION, TABLE_NOT_FOUND and the like when the table goes away meanwhile. */
  next(limits: ScanLimits): Promise<ScanBatch>
  /** Frees what the scanner holds. Safe to call twice. */
  close(): Promise<void>
}

export interface RegionLocation {
  readonly table: TableName
  readonly startKey: Buffer
  /** EMPTY: to the end of the table. */
  readonly endKey: Buffer
  /** Milliseconds since 1970 at which the region was made. */
  readonly regionId: number
  /** `table,startKey,regionId.encoded.`, with the MD5 of what stands before the last dot but one. */
  readonly name: Buffer
  readonly encodedName: string
  readonly server: ServerName
}

export type TableState = 'ENABLED' | 'DISABLED'

/** One mutation of a batch that was not applied. */
export interface MutationFailure {
  readonly index: number
  readonly error: HBaseError
}

export interface RowMutationOutcome {
  /** False where the condition did not hold. */
  readonly applied: boolean
  /** One result: the new cells of increments and appends. */
  readonly results: Results
}

export interface Store {
  /** As the ready line and the logs call it: `native`, `memory`, `hbase`. */
  readonly kind: string
  /** Undefined where there is nothing to be told: the store looks after itself, and is its only server. */
  readonly maintenance?: Maintenance

  /** What the store counts, if it does; always the same ones. */
  readonly metrics?: readonly Metric[]
  /**
   * Why the store does not serve just now; undefined while it does, or does not know better. Whoever asks may have the
   * store look again, for the next who asks.
   */
  outage?(): string | undefined

  listNamespaces(): Promise<NamespaceDescriptor[]>
  /** Throws NAMESPACE_NOT_FOUND. */
  namespace(name: string): Promise<NamespaceDescriptor>
  /** Throws NAMESPACE_EXISTS, ILLEGAL_ARGUMENT. */
  createNamespace(namespace: NamespaceDescriptor): Promise<void>
  /** Throws NAMESPACE_NOT_FOUND, CONSTRAINT for a reserved one. */
  modifyNamespace(namespace: NamespaceDescriptor): Promise<void>
  /** Throws NAMESPACE_NOT_FOUND, CONSTRAINT for a reserved one or one that has tables. */
  deleteNamespace(name: string): Promise<void>

  /** User tables in order of their names. */
  listTables(): Promise<TableDescriptor[]>
  /** Throws TABLE_NOT_FOUND. */
  table(name: TableName): Promise<TableDescriptor>
  tableExists(name: TableName): Promise<boolean>
  /** Throws TABLE_NOT_FOUND. */
  tableState(name: TableName): Promise<TableState>
  /** Throws TABLE_EXISTS, NAMESPACE_NOT_FOUND, DO_NOT_RETRY and the like for what HBase refuses. */
  createTable(table: TableDescriptor, splitKeys: readonly Buffer[]): Promise<void>
  /** Replaces the descriptor; data of families that are gone is dropped. Throws TABLE_NOT_FOUND and as createTable. */
  modifyTable(table: TableDescriptor): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_DISABLED. */
  deleteTable(name: TableName): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_DISABLED. The table comes back enabled. */
  truncateTable(name: TableName, preserveSplits: boolean): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_DISABLED where it is enabled. */
  enableTable(name: TableName): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED where it is disabled. */
  disableTable(name: TableName): Promise<void>
  /** In order of their start keys. Throws TABLE_NOT_FOUND. */
  regions(name: TableName): Promise<RegionLocation[]>
  /** Writes the table's memstores to store files. Throws TABLE_NOT_FOUND. */
  flushTable(name: TableName): Promise<void>

  /** One result for each get, in their order. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, NO_SUCH_COLUMN_FAMILY. */
  get(table: TableName, gets: readonly Get[]): Promise<Results>
  /** Throws as get, when it is opened. */
  openScanner(table: TableName, scan: Scan): Promise<Scanner>
  /**
   * Resolves, once what was applied is as durable as asked, to the mutations that were not: NO_SUCH_COLUMN_FAMILY and
   * the like, in order; empty where all were. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, REGION_TOO_BUSY for all.
   */
  mutate(table: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]>
  /** Throws as mutate does, and DO_NOT_RETRY for an increment of what is not 8 bytes. */
  mutateRow(table: TableName, mutation: RowMutation): Promise<RowMutationOutcome>

  /** Ends all work and leaves nothing behind that a restart must repair. Later calls throw UNAVAILABLE. */
  close(): Promise<void>
}
