/** Namespaces and tables over Thrift 2. */

import type { NamespaceDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import {
  checkNamespaceName,
  compareTableNames,
  isSystemTable,
  type TableName,
} from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Catalog, Listed, RegionLocation, TableState } from '../../../src/store/catalog.ts'
import { descriptorToSend, type TableChange } from '../../../src/store/table-alteration.ts'
import {
  nameFromStruct,
  nameStruct,
  namespaceFromStruct,
  type TNamespaceDescriptor,
  type TTableDescriptor,
  type TTableName,
  tableFromStruct,
  tableStruct,
} from './descriptor-structs.ts'
import { regionLocations, type THRegionLocation } from './region-locations.ts'
import type { ThriftServer } from './thrift-server.ts'

type Args = Readonly<Record<string, unknown>>

/** Methods that HBase refuses unless the table is disabled. */
const WANTS_DISABLED: ReadonlySet<string> = new Set(['deleteTable', 'truncateTable', 'enableTable'])

export class ThriftCatalog implements Catalog {
  readonly hasSystemTables = true
  readonly #server: ThriftServer

  constructor(server: ThriftServer) {
    this.#server = server
  }

  async listNamespaces(call: Call): Promise<NamespaceDescriptor[]> {
    const found = await this.#ask<TNamespaceDescriptor[]>(
      'list of namespaces',
      'listNamespaceDescriptors',
      {},
      call,
    )
    return found.map(namespaceFromStruct)
  }

  async namespace(name: string, call: Call): Promise<NamespaceDescriptor> {
    const found = await this.#ask<TNamespaceDescriptor>(
      `namespace ${name}`,
      'getNamespaceDescriptor',
      { name },
      call,
    )
    return namespaceFromStruct(found)
  }

  async createNamespace({ name, properties }: NamespaceDescriptor, call: Call): Promise<void> {
    checkNamespaceName(name)
    const args = { namespaceDesc: { name, configuration: properties } }
    await this.#change(`creation of namespace ${name}`, 'createNamespace', args, call)
  }

  async modifyNamespace({ name, properties }: NamespaceDescriptor, call: Call): Promise<void> {
    const args = { namespaceDesc: { name, configuration: properties } }
    await this.#change(`change of namespace ${name}`, 'modifyNamespace', args, call)
  }

  async deleteNamespace(name: string, call: Call): Promise<void> {
    await this.#change(`deletion of namespace ${name}`, 'deleteNamespace', { name }, call)
  }

  listTables(call: Call, only?: Listed): Promise<TableDescriptor[]> {
    return this.#listed('list of tables', false, call, only)
  }

  async listSystemTables(call: Call, only?: Listed): Promise<TableDescriptor[]> {
    const tables = await this.#listed('list of system tables', true, call, only)
    return tables.filter(({ name }) => isSystemTable(name))
  }

  async table(name: TableName, call: Call): Promise<TableDescriptor> {
    const args = { table: nameStruct(name) }
    const found = await this.#askOfTable<TTableDescriptor>(
      `table ${name}`,
      'getTableDescriptor',
      args,
      name,
      call,
    )
    return tableFromStruct(found)
  }

  tableExists(name: TableName, call: Call): Promise<boolean> {
    return this.#ask<boolean>(`table ${name}`, 'tableExists', { tableName: nameStruct(name) }, call)
  }

  async tableState(name: TableName, call: Call): Promise<TableState> {
    const args = { tableName: nameStruct(name) }
    return (await this.#askOfTable<boolean>(`state of ${name}`, 'isTableEnabled', args, name, call))
      ? 'ENABLED'
      : 'DISABLED'
  }

  async createTable(table: TableDescriptor, splitKeys: readonly Buffer[], call: Call): Promise<void> {
    const args = { desc: tableStruct(table), ...(splitKeys.length > 0 && { splitKeys }) }
    await this.#change(`creation of table ${table.name}`, 'createTable', args, call)
  }

  async modifyTable(change: TableChange, call: Call): Promise<void> {
    const table = await descriptorToSend(this, change, call)
    const args = { desc: tableStruct(table) }
    await this.#changeTable(`change of table ${table.name}`, 'modifyTable', args, table.name, call)
  }

  async deleteTable(name: TableName, call: Call): Promise<void> {
    const args = { tableName: nameStruct(name) }
    await this.#changeTable(`deletion of table ${name}`, 'deleteTable', args, name, call)
  }

  async truncateTable(name: TableName, preserveSplits: boolean, call: Call): Promise<void> {
    const args = { tableName: nameStruct(name), preserveSplits }
    await this.#changeTable(`truncation of table ${name}`, 'truncateTable', args, name, call)
  }

  async enableTable(name: TableName, call: Call): Promise<void> {
    const args = { tableName: nameStruct(name) }
    await this.#changeTable(`enabling of table ${name}`, 'enableTable', args, name, call)
  }

  async disableTable(name: TableName, call: Call): Promise<void> {
    const args = { tableName: nameStruct(name) }
    await this.#changeTable(`disabling of table ${name}`, 'disableTable', args, name, call)
  }

  async regions(name: TableName, call: Call): Promise<RegionLocation[]> {
    const args = { table: Buffer.from(name) }
    const operation = `regions of ${name}`
    const found = await this.#askOfTable<THRegionLocation[]>(
      operation,
      'getAllRegionLocations',
      args,
      name,
      call,
    )
    if (found.length === 0 && !(await this.tableExists(name, call)))
      throw new HBaseError('TABLE_NOT_FOUND', name)
    return regionLocations(this.#server, name, found, call)
  }

  async #listed(
    operation: string,
    includeSysTables: boolean,
    call: Call,
    only: Listed | undefined,
  ): Promise<TableDescriptor[]> {
    const args = { includeSysTables }
    if (only === 'names') {
      const names = await this.#ask<TTableName[]>(operation, 'getTableNamesByPattern', args, call)
      return inOrder(
        names.map((name) => ({ name: nameFromStruct(name), attributes: new Map(), families: [] })),
      )
    }
    const found = await this.#ask<TTableDescriptor[]>(operation, 'getTableDescriptorsByPattern', args, call)
    return inOrder(found.map(tableFromStruct))
  }

  #ask<T>(operation: string, method: string, args: Args, call: Call): Promise<T> {
    return this.#server.ask<T>({ operation, method, args }, call)
  }

  async #change(operation: string, method: string, args: Args, call: Call): Promise<void> {
    await this.#server.ask({ operation, method, args, isRepeatable: false }, call)
  }

  async #changeTable(
    operation: string,
    method: string,
    args: Args,
    table: TableName,
    call: Call,
  ): Promise<void> {
    try {
      await this.#change(operation, method, args, call)
    } catch (error) {
      const known = await this.#withNotFound(error, table, call)
      throw known === error ? await this.#withState(error, table, method, call) : known
    }
  }

  /** The error, or that of the table's state: servers report a table in the wrong state without a class. */
  async #withState(error: unknown, table: TableName, method: string, call: Call): Promise<unknown> {
    if (!isHBaseError(error) || error.detail?.['isPlain'] !== true) return error
    const isEnabled = (await this.tableState(table, call)) === 'ENABLED'
    if (isEnabled && WANTS_DISABLED.has(method))
      return new HBaseError('TABLE_NOT_DISABLED', error.message, { cause: error })
    if (!isEnabled && method === 'disableTable')
      return new HBaseError('TABLE_NOT_ENABLED', error.message, { cause: error })
    return error
  }

  async #askOfTable<T>(
    operation: string,
    method: string,
    args: Args,
    table: TableName,
    call: Call,
  ): Promise<T> {
    try {
      return await this.#ask<T>(operation, method, args, call)
    } catch (error) {
      throw await this.#withNotFound(error, table, call)
    }
  }

  /** The error, or TABLE_NOT_FOUND where the table is absent: servers report that by its name alone. */
  async #withNotFound(error: unknown, table: TableName, call: Call): Promise<unknown> {
    if (!isHBaseError(error) || error.detail?.['isPlain'] !== true) return error
    if (await this.tableExists(table, call)) return error
    return new HBaseError('TABLE_NOT_FOUND', table, { cause: error })
  }
}

function inOrder(tables: readonly TableDescriptor[]): TableDescriptor[] {
  return tables.toSorted((a, b) => compareTableNames(a.name, b.name))
}
