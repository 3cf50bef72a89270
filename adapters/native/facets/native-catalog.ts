import { compareText } from '../../../src/model/compare-text.ts'
import type { NamespaceDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import { isShown } from '../../../src/model/shown-tables.ts'
import { namespaceNotFound } from '../../../src/model/table-checks.ts'
import { compareTableNames, isSystemTable, type TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Catalog, CatalogEvents, RegionLocation, TableState } from '../../../src/store/catalog.ts'
import type { TableChange } from '../../../src/store/table-alteration.ts'
import { ShownTables } from '../catalog/shown-tables.ts'
import { TableAdmin } from '../catalog/table-admin.ts'
import type { Engine } from '../engine/engine.ts'
import { namespaceOfRecord } from '../manifest/catalog.ts'
import type { TableRegions } from '../tables/table-regions.ts'

/** Answers questions about namespaces and tables; TableAdmin changes them. */
export class NativeCatalog extends TableAdmin implements Catalog {
  readonly hasSystemTables = false
  readonly #engine: Engine
  readonly #shown: ShownTables

  constructor(engine: Engine) {
    super(engine)
    this.#engine = engine
    this.#shown = new ShownTables(engine)
  }

  async listNamespaces(call: Call): Promise<NamespaceDescriptor[]> {
    this.#engine.calls.check(call)
    const namespaces = [...this.#engine.catalogLog.catalog.namespaces]
    return namespaces
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, properties]) => namespaceOfRecord(name, properties))
  }

  async namespace(name: string, call: Call): Promise<NamespaceDescriptor> {
    this.#engine.calls.check(call)
    const properties = this.#engine.catalogLog.catalog.namespaces.get(name)
    if (properties === undefined) throw namespaceNotFound(name)
    return namespaceOfRecord(name, properties)
  }

  async listTables(call: Call): Promise<TableDescriptor[]> {
    this.#engine.calls.check(call)
    return this.#list((name) => !isSystemTable(name))
  }

  /** Without hbase:meta: the manifest, not a system table, records the tables. */
  async listSystemTables(call: Call): Promise<TableDescriptor[]> {
    this.#engine.calls.check(call)
    return this.#list(isSystemTable)
  }

  #list(isListed: (name: TableName) => boolean): TableDescriptor[] {
    const { tables } = this.#engine
    const names = tables.names().filter(isListed)
    return names.sort(compareTableNames).map((name) => tables.get(name).descriptor)
  }

  async table(name: TableName, call: Call): Promise<TableDescriptor> {
    this.#engine.calls.check(call)
    return this.#engine.tables.find(name)?.descriptor ?? this.#shown.descriptor(name)
  }

  override modifyTable(change: TableChange, call: Call): Promise<void> {
    return isShown(change.name) ? this.#shown.modify(change, call) : super.modifyTable(change, call)
  }

  async tableExists(name: TableName, call: Call): Promise<boolean> {
    this.#engine.calls.check(call)
    return this.#engine.tables.find(name) !== undefined
  }

  async tableState(name: TableName, call: Call): Promise<TableState> {
    return this.#table(name, call).isEnabled ? 'ENABLED' : 'DISABLED'
  }

  async regions(name: TableName, call: Call): Promise<readonly RegionLocation[]> {
    return this.#table(name, call).locations
  }

  watch(position: number, call: Call): Promise<CatalogEvents> {
    return this.#engine.events.watch(position, call)
  }

  #table(name: TableName, call: Call): TableRegions {
    this.#engine.calls.check(call)
    return this.#engine.tables.get(name)
  }
}
