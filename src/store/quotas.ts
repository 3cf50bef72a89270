import type { NamespaceSpaceUse, QuotaChange, TableSpaceUse } from '../model/quota.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'

export interface TableSize {
  readonly table: TableName
  /** Bytes of the store files of its regions. */
  readonly bytes: bigint
}

/** Tables and namespaces that have a quota of space. */
export interface QuotaStates {
  readonly tables: readonly TableSpaceUse[]
  readonly namespaces: readonly NamespaceSpaceUse[]
}

/**
 * Quotas as HBase's master keeps them, in hbase:quota, where clients read them. The switch of the throttles is one of the
 * Switches. A store that lacks this part has quotas turned off.
 */
export interface Quotas {
  /** Throws DO_NOT_RETRY for a limit below 1 and a change that names no user, table or namespace, REFUSED for a change that states none or more than one. */
  setQuota(change: QuotaChange, call: Call): Promise<void>
  /** HBase: QuotaObserverChore. */
  quotaStates(call: Call): Promise<QuotaStates>
  /** The sizes of all tables, the system's too. */
  tableSizes(call: Call): Promise<TableSize[]>
  /** Figures that region servers keep of tables with a quota of their own or of their namespace. HBase: SpaceQuotaRefresherChore. */
  serverSpaceUses(call: Call): Promise<TableSpaceUse[]>
  /**
   * Whether users may go beyond their quotas while the servers are within theirs. Answers whether they might before. Throws
   * DO_NOT_RETRY where the region servers have no quotas by the second.
   */
  switchExceeding(on: boolean, call: Call): Promise<boolean>
}

/** The sizes of the regions that a store keeps itself. */
export interface RegionSizes {
  /** The sizes of all tables, disabled ones too. */
  tableSizes(call: Call): Promise<TableSize[]>
}
