import { compareText } from '../../src/model/compare-text.ts'
import type { NamespaceDescriptor, TableDescriptor } from '../../src/model/descriptor.ts'
import { detached } from '../../src/model/detached.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { checkNamespaceLimits } from '../../src/model/namespace-limits.ts'
import { changedShownTable, SHOWN_TABLES } from '../../src/model/shown-tables.ts'
import { atOnce } from '../../src/model/steps.ts'
import {
  checkModifiedTable,
  checkNamespaceIsEmpty,
  checkNamespaceIsNotReserved,
  checkNewTable,
  checkSplitKeys,
  namespaceExists,
  namespaceNotFound,
  tableExists,
} from '../../src/model/table-checks.ts'
import {
  checkNamespaceName,
  compareTableNames,
  DEFAULT_NAMESPACE,
  isSystemTable,
  namespaceOf,
  SYSTEM_NAMESPACE,
  type TableName,
} from '../../src/model/table-name.ts'
import type { Call } from '../../src/store/call.ts'
import type { Catalog, CatalogEvents, RegionLocation, TableState } from '../../src/store/catalog.ts'
import { changedDescriptor, type TableChange } from '../../src/store/table-alteration.ts'
import { MemoryTable } from './memory-table.ts'
import type { MemoryTables } from './memory-tables.ts'

export class MemoryCatalog implements Catalog {
  readonly hasSystemTables = false
  readonly #tables: MemoryTables
  readonly #namespaces = new Map<string, NamespaceDescriptor>()
  readonly #shown = new Map(SHOWN_TABLES)

  constructor(tables: MemoryTables) {
    this.#tables = tables
    for (const name of [DEFAULT_NAMESPACE, SYSTEM_NAMESPACE]) {
      this.#namespaces.set(name, { name, properties: new Map() })
    }
  }

  async listNamespaces(call: Call): Promise<NamespaceDescriptor[]> {
    this.#tables.check(call)
    return [...this.#namespaces.values()].sort((a, b) => compareText(a.name, b.name))
  }

  async namespace(name: string, call: Call): Promise<NamespaceDescriptor> {
    this.#tables.check(call)
    const namespace = this.#namespaces.get(name)
    if (namespace === undefined) throw namespaceNotFound(name)
    return namespace
  }

  async createNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    this.#tables.check(call)
    checkNamespaceName(namespace.name)
    if (this.#namespaces.has(namespace.name)) throw namespaceExists(namespace.name)
    checkNamespaceLimits(namespace)
    this.#setNamespace(namespace)
  }

  async modifyNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    await this.namespace(namespace.name, call)
    checkNamespaceLimits(namespace)
    this.#setNamespace(namespace)
  }

  async deleteNamespace(name: string, call: Call): Promise<void> {
    await this.namespace(name, call)
    checkNamespaceIsNotReserved(name)
    const tables = [...this.#tables.byName.keys()].filter((table) => namespaceOf(table) === name)
    checkNamespaceIsEmpty(name, tables.length)
    this.#namespaces.delete(name)
    this.#tables.events.add({ kind: 'namespace', namespace: name })
  }

  async listTables(call: Call): Promise<TableDescriptor[]> {
    this.#tables.check(call)
    return this.#list((name) => !isSystemTable(name))
  }

  async listSystemTables(call: Call): Promise<TableDescriptor[]> {
    this.#tables.check(call)
    return this.#list(isSystemTable)
  }

  #list(isListed: (name: TableName) => boolean): TableDescriptor[] {
    const tables = [...this.#tables.byName.values()].map(({ descriptor }) => descriptor)
    return tables.filter(({ name }) => isListed(name)).sort((a, b) => compareTableNames(a.name, b.name))
  }

  async table(name: TableName, call: Call): Promise<TableDescriptor> {
    return this.#shown.get(name) ?? this.#tables.table(name, call).descriptor
  }

  async tableExists(name: TableName, call: Call): Promise<boolean> {
    this.#tables.check(call)
    return this.#tables.byName.has(name)
  }

  async tableState(name: TableName, call: Call): Promise<TableState> {
    return this.#tables.table(name, call).state
  }

  async createTable(table: TableDescriptor, splitKeys: readonly Buffer[], call: Call): Promise<void> {
    await this.namespace(namespaceOf(table.name), call)
    if (this.#tables.byName.has(table.name)) throw tableExists(table.name)
    checkNewTable(table)
    const keys = atOnce(checkSplitKeys(splitKeys)).map((key) => Buffer.from(key))
    this.#make(detached(table), keys)
  }

  async modifyTable(change: TableChange, call: Call): Promise<void> {
    const shown = this.#shown.get(change.name)
    if (shown !== undefined) return this.#modifyShown(change, shown, call)
    const present = this.#tables.table(change.name, call)
    const table = changedDescriptor(change, present.descriptor)
    checkModifiedTable(present.descriptor, table)
    this.#flushOpen(present)
    present.modify(detached(table))
    this.#tableChanged(table.name)
  }

  #modifyShown(change: TableChange, before: TableDescriptor, call: Call): void {
    const { name } = change
    this.#tables.check(call)
    this.#shown.set(name, detached(changedShownTable(before, changedDescriptor(change, before))))
    this.#tableChanged(name)
  }

  async deleteTable(name: TableName, call: Call): Promise<void> {
    if (this.#tables.table(name, call).state !== 'DISABLED') {
      throw new HBaseError('TABLE_NOT_DISABLED', `Not DISABLED; tableName=${name}, state=ENABLED`)
    }
    this.#tables.byName.delete(name)
    this.#tableChanged(name)
  }

  async truncateTable(name: TableName, preserveSplits: boolean, call: Call): Promise<void> {
    const { state, descriptor, splitKeys } = this.#tables.table(name, call)
    if (state !== 'DISABLED') throw new HBaseError('TABLE_NOT_DISABLED', name)
    this.#make(descriptor, preserveSplits ? splitKeys : [])
  }

  async enableTable(name: TableName, call: Call): Promise<void> {
    const table = this.#tables.table(name, call)
    if (table.state === 'ENABLED') {
      throw new HBaseError('TABLE_NOT_DISABLED', `tableName=${name}, state=ENABLED`)
    }
    table.state = 'ENABLED'
    table.closed.clear()
    this.#tableChanged(name)
  }

  async disableTable(name: TableName, call: Call): Promise<void> {
    const table = this.#tables.table(name, call)
    if (table.state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
    this.#flushOpen(table)
    table.state = 'DISABLED'
    this.#tableChanged(name)
  }

  /** Flushes the open regions, as HBase's regions do when they close. HBase: HRegion.close. */
  #flushOpen(table: MemoryTable): void {
    if (table.state === 'DISABLED') return
    const now = BigInt(this.#tables.clock.now())
    for (const region of table.regions) if (!table.isClosed(region)) table.flush(region, now)
  }

  async regions(name: TableName, call: Call): Promise<RegionLocation[]> {
    const { regions, closed } = this.#tables.table(name, call)
    return regions.map((region) => {
      const closedReplicas = closed.get(region) ?? []
      return closedReplicas.length === 0 ? region : { ...region, closedReplicas }
    })
  }

  async watch(position: number, call: Call): Promise<CatalogEvents> {
    return this.#tables.events.watch(position, call)
  }

  #setNamespace(namespace: NamespaceDescriptor): void {
    this.#namespaces.set(namespace.name, namespace)
    this.#tables.events.add({ kind: 'namespace', namespace: namespace.name })
  }

  #make(table: TableDescriptor, splitKeys: readonly Buffer[]): void {
    const { byName, clock, random, visibilityLabels } = this.#tables
    const isLabelled = visibilityLabels && !isSystemTable(table.name)
    byName.set(table.name, new MemoryTable(table, splitKeys, clock.now(), random, isLabelled))
    this.#tableChanged(table.name)
    this.#tables.events.add({ kind: 'regions', table: table.name })
  }

  #tableChanged(table: TableName): void {
    this.#tables.events.add({ kind: 'table', table })
  }
}
