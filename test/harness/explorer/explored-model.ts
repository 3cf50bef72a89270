/** What a store must have after operations that it has answered: the explorer's memory of them. */

import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'

const LIMITS = { rows: 1000, bytes: 1 << 24, allowPartial: false }

/** Values by `row/family`. */
export type ModelRows = Readonly<Record<string, string>>

export interface Model {
  readonly tables: Readonly<Record<string, ModelRows>>
  /** Families by table. */
  readonly families: Readonly<Record<string, readonly string[]>>
  readonly disabled: readonly string[]
  /** What tables had, by snapshot. */
  readonly snapshots: Readonly<Record<string, Pick<Model, 'tables' | 'families'>>>
}

export const EMPTY_MODEL: Model = { tables: {}, families: {}, disabled: [], snapshots: {} }

export function textOf({ tables, families, disabled, snapshots }: Model): string {
  const sorted = Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = sorted.map(([name, rows]) => {
    if (disabled.includes(name)) return `${name} is disabled`
    const cells = Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1))
    return `${name}(${[...families[name]!].sort().join()}): ${cells.map(([at, value]) => `${at}=${value}`).join(' ')}`
  })
  return [...lines, `snapshots: ${Object.keys(snapshots).sort().join()}`].join('\n')
}

/** The same of a store. */
export async function modelOf(store: Store): Promise<Model> {
  const tables: Record<string, ModelRows> = {}
  const families: Record<string, readonly string[]> = {}
  const disabled: string[] = []
  for (const { name, families: known } of await store.catalog.listTables(OWN_CALL)) {
    families[name] = known.map((family) => family.name.toString())
    if ((await store.catalog.tableState(name, OWN_CALL)) === 'DISABLED') disabled.push(name)
    tables[name] = disabled.includes(name) ? {} : await rowsOf(store, name)
  }
  const listed = await store.upkeep.snapshots!.listSnapshots(OWN_CALL)
  const snapshots = Object.fromEntries(listed.map(({ name }) => [name, { tables: {}, families: {} }]))
  return { tables, families, disabled, snapshots }
}

async function rowsOf(store: Store, table: TableName): Promise<ModelRows> {
  const rows: Record<string, string> = {}
  const scanner = await openScanner(store, table, scan({}), OWN_CALL)
  for (let isOver = false; !isOver; ) {
    const batch = await scanner.next(LIMITS, OWN_CALL)
    for (const { row, family, value } of cellsOf(gathered(batch.results).cells))
      rows[`${row.toString()}/${family.toString()}`] = value.toString()
    isOver = batch.ended === 'scan'
  }
  await scanner.close()
  return rows
}
