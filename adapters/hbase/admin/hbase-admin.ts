import type { Store } from '../../../src/store/store.ts'

/** What of the seam is the master's affair: namespaces, tables, their regions and states. */
export type HBaseAdmin = Pick<
  Store,
  | 'listNamespaces'
  | 'namespace'
  | 'createNamespace'
  | 'modifyNamespace'
  | 'deleteNamespace'
  | 'listTables'
  | 'table'
  | 'tableExists'
  | 'tableState'
  | 'createTable'
  | 'modifyTable'
  | 'deleteTable'
  | 'truncateTable'
  | 'enableTable'
  | 'disableTable'
  | 'regions'
  | 'flushTable'
>
