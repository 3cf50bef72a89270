/** What happens to the table while clients work on it: each is allowed to fail, as two of them may not go together. */

import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'

export interface Disturbed {
  readonly store: Store
  readonly table: TableName
  /** Of the server, or of one of its processes. */
  readonly pid: number
  readonly random: () => number
  /** A row of the present round: where a split is worth most. */
  readonly row: string
}

const PAUSE_MS = 150
const SNAPSHOT = 'linearizable_snapshot'

export const DISTURBANCES: Readonly<Record<string, (disturbed: Disturbed) => Promise<unknown>>> = {
  flush: async ({ store, table }) => store.upkeep.flushes?.flushTable(table, OWN_CALL),
  compact: async ({ store, table, random }) =>
    store.upkeep.compactions?.compactTable(table, { major: random() < 0.5 }, OWN_CALL),
  split: async ({ store, table, row }) => store.upkeep.regions?.splitTable(table, Buffer.from(row), OWN_CALL),
  merge: async ({ store, table }) => {
    const regions = await store.catalog.regions(table, OWN_CALL)
    if (regions.length < 2) return
    await store.upkeep.regions?.mergeRegions(
      regions.slice(0, 2).map(({ name }) => name),
      false,
      OWN_CALL,
    )
  },
  snapshot: async ({ store, table }) => {
    await store.upkeep.snapshots?.createSnapshot(SNAPSHOT, table, 'FLUSH', OWN_CALL)
    await store.upkeep.snapshots?.deleteSnapshot(SNAPSHOT, OWN_CALL)
  },
  alter: async ({ store, table, random }) => {
    const maxVersions = 1 + Math.floor(random() * 3)
    await store.catalog.modifyTable(tableOf(table, maxVersions), OWN_CALL)
  },
  stop: async ({ pid }) => {
    process.kill(pid, 'SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    process.kill(pid, 'SIGCONT')
  },
}

function tableOf(table: TableName, maxVersions: number): ReturnType<typeof tableDescriptor> {
  return tableDescriptor(
    table,
    ['f', 'g'].map((name) => familyDescriptor(name, [['VERSIONS', String(maxVersions)]])),
  )
}

export async function createTable(store: Store, name: string): Promise<void> {
  const table = parseTableName(name)
  if (await store.catalog.tableExists(table, OWN_CALL)) await dropTable(store, name)
  await store.catalog.createTable(tableOf(table, 1), [], OWN_CALL)
}

export async function dropTable(store: Store, name: string): Promise<void> {
  const table = parseTableName(name)
  await store.catalog.disableTable(table, OWN_CALL)
  await store.catalog.deleteTable(table, OWN_CALL)
}
