/** Changes of snapshots that the console makes. */

import { HBaseError } from '../../../model/errors.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Snapshots } from '../../../store/snapshots.ts'
import type { Store } from '../../../store/store.ts'
import { refused } from './console-request.ts'

export interface SnapshotChange {
  readonly store: Store
  readonly call: Call
  readonly snapshot: string
  /** The name of a table as the change states it. */
  readonly table: string | undefined
}

export const SNAPSHOT_CHANGES: Readonly<Record<string, (change: SnapshotChange) => Promise<void>>> = {
  createSnapshot: async (change) => {
    await snapshotsOf(change.store).createSnapshot(change.snapshot, tableOf(change), 'FLUSH', change.call)
  },
  cloneSnapshot: async (change) => {
    await snapshotsOf(change.store).cloneSnapshot(change.snapshot, tableOf(change), change.call)
  },
  deleteSnapshot: async ({ store, snapshot, call }) => {
    await snapshotsOf(store).deleteSnapshot(snapshot, call)
  },
  restoreSnapshot,
}

/** HBase restores a disabled table only. A table that was enabled is disabled for it, and enabled again, also after a failure. */
async function restoreSnapshot({ store, snapshot, call }: SnapshotChange): Promise<void> {
  const { catalog } = store
  const snapshots = snapshotsOf(store)
  const described = (await snapshots.listSnapshots(call)).find(({ name }) => name === snapshot)
  const table = described?.table
  // The store refuses a snapshot that is missing, or of others.
  if (table === undefined || !(await isEnabled(catalog, table, call))) {
    await snapshots.restoreSnapshot(snapshot, call)
    return
  }
  await catalog.disableTable(table, call)
  try {
    await snapshots.restoreSnapshot(snapshot, call)
  } finally {
    await catalog.enableTable(table, call)
  }
}

async function isEnabled(catalog: Store['catalog'], table: TableName, call: Call): Promise<boolean> {
  return (await catalog.tableExists(table, call)) && (await catalog.tableState(table, call)) === 'ENABLED'
}

function snapshotsOf({ upkeep }: Store): Snapshots {
  if (upkeep.snapshots === undefined)
    throw new HBaseError('UNSUPPORTED', 'the store does not support snapshots')
  return upkeep.snapshots
}

function tableOf({ table }: SnapshotChange): TableName {
  if (table === undefined) throw refused('the change names no table')
  return parseTableName(table)
}
