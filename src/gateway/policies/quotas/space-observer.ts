/**
 * Compares the space of tables and namespaces with their quotas, and writes the results for region servers to hbase:quota.
 * HBase's master does so once a minute: QuotaObserverChore. Here it is done on request.
 */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { ColumnsBuilder } from '../../../model/query.ts'
import type { NamespaceSpaceUse, SpaceUse, TableSpaceUse } from '../../../model/quota.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import { namespaceOf, type TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { QuotaStates, TableSize } from '../../../store/quotas.ts'
import type { Store } from '../../../store/store.ts'
import { SpaceQuotaSnapshotSchema } from '../../../wire/rpc/gen/quota_pb.ts'
import { spaceFromMessage, spaceUseFromMessage, spaceUseMessage } from '../../../wire/rpc/quota-messages.ts'
import { allTables } from '../../catalog/listed-tables.ts'
import { INFO, namespaceOfRow, POLICY, SETTINGS, tableOfRow, tableRow, USAGE } from './quota-rows.ts'
import { type QuotaCell, type QuotaTable, readQuotas } from './quota-table.ts'

const SETTINGS_COLUMN = new ColumnsBuilder().addColumn(INFO, SETTINGS).build()
const POLICY_COLUMN = new ColumnsBuilder().addColumn(USAGE, POLICY).build()

export class SpaceObserver {
  readonly #store: Pick<Store, 'catalog' | 'upkeep'>
  readonly #quotas: QuotaTable
  readonly #refreshes = new SerialQueue()

  /** `quotas`: hbase:quota, for writes also where clients may not write. */
  constructor(store: Pick<Store, 'catalog' | 'upkeep'>, quotas: QuotaTable) {
    this.#store = store
    this.#quotas = quotas
  }

  /** The size of every table; 0 where the store does not report it. */
  async tableSizes(call: Call): Promise<TableSize[]> {
    const { catalog, upkeep } = this.#store
    const reported = (await upkeep.sizes?.tableSizes(call)) ?? []
    const bytesOf = new Map(reported.map(({ table, bytes }) => [table, bytes]))
    const tables = await allTables(catalog, call)
    return tables.map(({ name }) => ({ table: name, bytes: bytesOf.get(name) ?? 0n }))
  }

  async states(call: Call): Promise<QuotaStates> {
    const sizes = await this.tableSizes(call)
    const bytesOf = new Map(sizes.map(({ table, bytes }) => [table, bytes]))
    const tables: TableSpaceUse[] = []
    const namespaces: NamespaceSpaceUse[] = []
    for (const { row, value } of await this.#quotas.cells(SETTINGS_COLUMN, call)) {
      const subject = tableOfRow(row)
      const bytes = subject && bytesOf.get(subject)
      if (subject !== undefined && bytes !== undefined) {
        const use = spaceUse(value, bytes)
        if (use !== undefined) tables.push({ table: subject, ...use })
      }
      const namespace = namespaceOfRow(row)
      const within = sizes.filter(({ table }) => namespaceOf(table) === namespace)
      if (namespace === undefined || within.length === 0) continue
      const use = spaceUse(
        value,
        within.reduce((sum, size) => sum + size.bytes, 0n),
      )
      if (use !== undefined) namespaces.push({ namespace, ...use })
    }
    return { tables, namespaces }
  }

  /** The noted states of tables. */
  async noted(call: Call): Promise<TableSpaceUse[]> {
    return (await this.#policies(call)).flatMap(({ row, value }) => {
      const table = tableOfRow(row)
      const use = table && notedUse(value)
      return use === undefined ? [] : [{ table: table!, ...use }]
    })
  }

  /** The use of space by each table with a limit of its own or of its namespace. */
  async uses(call: Call): Promise<Map<TableName, SpaceUse>> {
    return this.#targets(await this.states(call), call)
  }

  /** Notes the changes since the last time. */
  refresh(call: Call): Promise<void> {
    return this.#refreshes.run(async () => {
      const states = await this.states(call)
      if (states.tables.length === 0 && states.namespaces.length === 0) return
      const before = new Map<string, Buffer>()
      for (const { row, value } of await this.#policies(call)) before.set(row.toString(), value)
      for (const [table, use] of await this.#targets(states, call)) {
        const row = tableRow(table)
        const value = Buffer.from(
          toBinary(SpaceQuotaSnapshotSchema, create(SpaceQuotaSnapshotSchema, spaceUseMessage(use))),
        )
        if (before.get(row.toString())?.equals(value) !== true)
          await this.#quotas.put(row, USAGE, POLICY, value, call)
      }
    })
  }

  /** The state of each table: by its own quota where that is violated, else by that of its namespace. HBase: QuotaObserverChore.updateNamespaceQuota. */
  async #targets({ tables, namespaces }: QuotaStates, call: Call): Promise<Map<TableName, SpaceUse>> {
    const targets = new Map<TableName, SpaceUse>(tables.map((use) => [use.table, use]))
    const ofNamespace = new Map(namespaces.map((use) => [use.namespace, use]))
    for (const { name } of await allTables(this.#store.catalog, call)) {
      const use = ofNamespace.get(namespaceOf(name))
      if (use !== undefined && targets.get(name)?.violated === undefined) targets.set(name, use)
    }
    return targets
  }

  #policies(call: Call): Promise<QuotaCell[]> {
    return this.#quotas.cells(POLICY_COLUMN, call)
  }
}

/** Undefined where there is no quota of space, or it cannot be read. HBase: TableQuotaSnapshotStore.getTargetState. */
function spaceUse(value: Buffer, usedBytes: bigint): SpaceUse | undefined {
  const space = readQuotas(value)?.space
  if (space === undefined) return undefined
  const { limitBytes = 0n, policy } = spaceFromMessage(space)
  return { usedBytes, limitBytes, violated: usedBytes <= limitBytes ? undefined : policy }
}

/** Undefined for a damaged value. */
function notedUse(value: Buffer): SpaceUse | undefined {
  try {
    return spaceUseFromMessage(fromBinary(SpaceQuotaSnapshotSchema, value))
  } catch {
    return undefined
  }
}
