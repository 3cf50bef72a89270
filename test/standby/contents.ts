/** The content of a store as lines, and small changes of it. */

import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import type { TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Catalog } from '../../src/store/catalog.ts'
import type { Store } from '../../src/store/store.ts'
import { bytes, cellsIn } from '../replication/two-servers.ts'

/** Everything that clients see of the store: namespaces, tables with their families and states, and all their cells with tags. */
export async function contentOf(store: Store): Promise<string[]> {
  const { catalog } = store
  const lines: string[] = []
  for (const { name, properties } of await catalog.listNamespaces(OWN_CALL))
    lines.push(`namespace ${name} ${JSON.stringify([...properties])}`)
  const tables = [...(await catalog.listTables(OWN_CALL)), ...(await catalog.listSystemTables(OWN_CALL))]
  for (const { name, attributes, families } of tables) {
    if (name === 'hbase:meta' || name === 'hbase:namespace') continue
    const state = await catalog.tableState(name, OWN_CALL)
    lines.push(`table ${name} ${state} ${JSON.stringify([...attributes])}`)
    for (const family of families)
      lines.push(`${name} ${String(family.name)} ${JSON.stringify([...family.attributes])}`)
    if (state === 'ENABLED') lines.push(...(await cellsIn(store, name)).map((cell) => `${name} ${cell}`))
  }
  return lines.sort()
}

export async function makeTable(
  catalog: Catalog,
  name: TableName,
  families: readonly string[] = ['f'],
  splits: readonly string[] = [],
): Promise<void> {
  const made = families.map((family) => familyDescriptor(family, [['VERSIONS', '100']]))
  await catalog.createTable(tableDescriptor(name, made), splits.map(bytes), OWN_CALL)
}

export async function putCell(
  store: Store,
  table: TableName,
  row: string,
  family: string,
  value: string,
): Promise<void> {
  await mutate(store, table, new MutationBatch().put(bytes(row), bytes(family), bytes('q'), bytes(value)))
}

export async function deleteRow(store: Store, table: TableName, row: string): Promise<void> {
  await mutate(store, table, new MutationBatch().deleteRow(bytes(row)))
}

async function mutate({ rows }: Store, table: TableName, batch: MutationBatch): Promise<void> {
  batch.endMutation()
  const [failure] = await rows.mutate(table, batch, OWN_CALL)
  if (failure !== undefined) throw failure.error
}
