/** Two ways to state how a table changes: its new descriptor, or an alteration of the present one. */

import type { TableDescriptor } from '../model/descriptor.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'
import type { Catalog } from './catalog.ts'

/** Changes a part of a table's descriptor, and keeps other clients' changes of the rest. */
export interface TableAlteration {
  readonly name: TableName
  /**
   * Returns the new descriptor. A store with tables of its own calls it in the table's turn, with no other change between. It may be
   * called more than once. An error that it throws refuses the alteration.
   */
  readonly alter: (present: TableDescriptor) => TableDescriptor
}

export type TableChange = TableDescriptor | TableAlteration

/** Throws the alteration's refusal. */
export function changedDescriptor(change: TableChange, present: TableDescriptor): TableDescriptor {
  return 'alter' in change ? change.alter(present) : change
}

/**
 * The new descriptor, for a store whose servers take whole descriptors: as with HBase's own clients, another client's change between
 * this read and the servers' change is lost. Throws TABLE_NOT_FOUND and the alteration's refusal.
 */
export async function descriptorToSend(
  catalog: Pick<Catalog, 'table'>,
  change: TableChange,
  call: Call,
): Promise<TableDescriptor> {
  return 'alter' in change ? change.alter(await catalog.table(change.name, call)) : change
}
