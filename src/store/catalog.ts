/** Namespaces, tables and their regions, and the events of them. */

import type { NamespaceDescriptor, TableDescriptor } from '../model/descriptor.ts'
import type { ServerName } from '../model/server-name.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'
import type { TableChange } from './table-alteration.ts'

/** A copy of a region that another server has for reads. */
export interface RegionCopy {
  /** From 1 on. */
  readonly replica: number
  readonly server: ServerName
}

export interface RegionLocation {
  readonly table: TableName
  readonly startKey: Buffer
  /** EMPTY: to the end of the table. */
  readonly endKey: Buffer
  /** Milliseconds since 1970 at which the region was made. */
  readonly regionId: number
  /** `table,startKey,regionId.encoded.`, where `encoded` is the MD5 of `table,startKey,regionId`. */
  readonly name: Buffer
  readonly encodedName: string
  /** Undefined where the store itself serves the region: the gateway knows its address. */
  readonly server: ServerName | undefined
  /** In order of their numbers; undefined for a region without copies, and where copies are other names of the region. */
  readonly copies?: readonly RegionCopy[]
  /**
   * The numbers of its copies that are closed, in order, and 0 for the region itself; undefined: none is. Of a disabled table a store
   * need not say it.
   */
  readonly closedReplicas?: readonly number[] | undefined
}

export type TableState = 'ENABLED' | 'DISABLED'

export type CatalogEvent =
  /** The table was created, altered, enabled, disabled, truncated or deleted. */
  | { readonly kind: 'table'; readonly table: TableName }
  /** The table's regions have changed. */
  | { readonly kind: 'regions'; readonly table: TableName }
  | { readonly kind: 'namespace'; readonly namespace: string }

export interface CatalogEvents {
  /** The position for the next call of `watch`. */
  readonly position: number
  /** In the order in which they happened. */
  readonly events: readonly CatalogEvent[]
  /** True where the store has forgotten earlier events: the caller must read the catalog anew. */
  readonly isIncomplete: boolean
}

/** The part of each listed table that a client receives: more users may learn names than descriptors. Undefined: the descriptors. */
export type Listed = 'names'

export interface Catalog {
  /**
   * True where hbase:meta and hbase:namespace are tables of the store. Elsewhere the gateway shows them, and the store keeps their descriptors
   * alone: `table` and `modifyTable` know them, and no other method does.
   */
  readonly hasSystemTables: boolean

  listNamespaces(call: Call, only?: Listed): Promise<NamespaceDescriptor[]>
  /** Throws NAMESPACE_NOT_FOUND. */
  namespace(name: string, call: Call): Promise<NamespaceDescriptor>
  /** Throws NAMESPACE_EXISTS, ILLEGAL_ARGUMENT. */
  createNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void>
  /** Throws NAMESPACE_NOT_FOUND. */
  modifyNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void>
  /** Throws NAMESPACE_NOT_FOUND, CONSTRAINT for a reserved one or one that has tables. */
  deleteNamespace(name: string, call: Call): Promise<void>

  /** User tables in order of their names. */
  listTables(call: Call, only?: Listed): Promise<TableDescriptor[]>
  /** Tables of the namespace hbase, in order of their names; hbase:meta among them where the store has system tables. */
  listSystemTables(call: Call, only?: Listed): Promise<TableDescriptor[]>
  /** Throws TABLE_NOT_FOUND. */
  table(name: TableName, call: Call): Promise<TableDescriptor>
  tableExists(name: TableName, call: Call): Promise<boolean>
  /** Throws TABLE_NOT_FOUND. */
  tableState(name: TableName, call: Call): Promise<TableState>
  /** Throws TABLE_EXISTS, NAMESPACE_NOT_FOUND, and DO_NOT_RETRY and the like for tables that HBase refuses. */
  createTable(table: TableDescriptor, splitKeys: readonly Buffer[], call: Call): Promise<void>
  /**
   * Replaces the descriptor, or alters the present one; drops the data of removed families. Throws TABLE_NOT_FOUND, as createTable, and
   * what an alteration throws.
   */
  modifyTable(table: TableChange, call: Call): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_DISABLED. */
  deleteTable(name: TableName, call: Call): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_DISABLED. The table comes back enabled. */
  truncateTable(name: TableName, preserveSplits: boolean, call: Call): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_DISABLED where it is enabled. */
  enableTable(name: TableName, call: Call): Promise<void>
  /** Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED where it is disabled. */
  disableTable(name: TableName, call: Call): Promise<void>
  /** In order of their start keys; a store may answer the same list until something changes. Throws TABLE_NOT_FOUND. */
  regions(name: TableName, call: Call): Promise<readonly RegionLocation[]>

  /**
   * The events since `position` (0: since the store was opened). Waits for an event; resolves with none at the call's
   * deadline, throws CALLER_GONE where its signal is aborted. Undefined for a store that cannot know what others change.
   */
  watch?(position: number, call: Call): Promise<CatalogEvents>
}
