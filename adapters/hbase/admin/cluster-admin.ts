/** Namespaces and tables as the master keeps them. */

import type { NamespaceDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import { checkAttributes, checkSplitKeys, tableNotFound } from '../../../src/model/table-checks.ts'
import { checkNamespaceName, compareTableNames, type TableName } from '../../../src/model/table-name.ts'
import type { RegionLocation, TableState } from '../../../src/store/catalog.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Cluster } from '../cluster/cluster.ts'
import {
  namespaceMessage,
  namespaceOfMessage,
  tableMessage,
  tableNameMessage,
  tableOf,
} from './descriptor-messages.ts'
import type { HBaseAdmin } from './hbase-admin.ts'
import { Master, type Nonce } from './master.ts'

const { method } = MasterService
const LIST_NAMESPACES = rpcMethod(method.listNamespaceDescriptors)
const GET_NAMESPACE = rpcMethod(method.getNamespaceDescriptor)
const CREATE_NAMESPACE = rpcMethod(method.createNamespace)
const MODIFY_NAMESPACE = rpcMethod(method.modifyNamespace)
const DELETE_NAMESPACE = rpcMethod(method.deleteNamespace)
const GET_TABLES = rpcMethod(method.getTableDescriptors)
const CREATE_TABLE = rpcMethod(method.createTable)
const MODIFY_TABLE = rpcMethod(method.modifyTable)
const DELETE_TABLE = rpcMethod(method.deleteTable)
const TRUNCATE_TABLE = rpcMethod(method.truncateTable)
const ENABLE_TABLE = rpcMethod(method.enableTable)
const DISABLE_TABLE = rpcMethod(method.disableTable)
const FLUSH_TABLE = rpcMethod(method.flushTable)

export class ClusterAdmin implements HBaseAdmin {
  readonly #cluster: Cluster
  readonly #master: Master

  constructor(cluster: Cluster, random: () => number) {
    this.#cluster = cluster
    this.#master = new Master(cluster, random)
  }

  async listNamespaces(): Promise<NamespaceDescriptor[]> {
    const { namespaceDescriptor } = await this.#master.ask('list of namespaces', LIST_NAMESPACES, {})
    return namespaceDescriptor.map(namespaceOfMessage)
  }

  async namespace(name: string): Promise<NamespaceDescriptor> {
    const request = { namespaceName: name }
    const { namespaceDescriptor } = await this.#master.ask(`namespace ${name}`, GET_NAMESPACE, request)
    return namespaceOfMessage(namespaceDescriptor!)
  }

  async createNamespace(namespace: NamespaceDescriptor): Promise<void> {
    checkNamespaceName(namespace.name)
    await this.#master.change(`creation of namespace ${namespace.name}`, CREATE_NAMESPACE, (nonce) => ({
      namespaceDescriptor: namespaceMessage(namespace),
      ...nonce,
    }))
  }

  async modifyNamespace(namespace: NamespaceDescriptor): Promise<void> {
    await this.#master.change(`change of namespace ${namespace.name}`, MODIFY_NAMESPACE, (nonce) => ({
      namespaceDescriptor: namespaceMessage(namespace),
      ...nonce,
    }))
  }

  async deleteNamespace(name: string): Promise<void> {
    await this.#master.change(`deletion of namespace ${name}`, DELETE_NAMESPACE, (nonce) => ({
      namespaceName: name,
      ...nonce,
    }))
  }

  async listTables(): Promise<TableDescriptor[]> {
    const { tableSchema } = await this.#master.ask('list of tables', GET_TABLES, { includeSysTables: false })
    return tableSchema.map(tableOf).sort((a, b) => compareTableNames(a.name, b.name))
  }

  async table(name: TableName): Promise<TableDescriptor> {
    const request = { tableNames: [tableNameMessage(name)], includeSysTables: true }
    const { tableSchema } = await this.#master.ask(`table ${name}`, GET_TABLES, request)
    const [schema] = tableSchema
    if (schema === undefined) throw tableNotFound(name)
    return tableOf(schema)
  }

  async tableExists(name: TableName): Promise<boolean> {
    return (await this.#cluster.tableState(name, this.#deadline())) !== undefined
  }

  /** A table on its way to a state is not in it yet. */
  async tableState(name: TableName): Promise<TableState> {
    const state = await this.#cluster.tableState(name, this.#deadline())
    if (state === undefined) throw tableNotFound(name)
    return state === 'ENABLED' || state === 'DISABLING' ? 'ENABLED' : 'DISABLED'
  }

  async createTable(table: TableDescriptor, splitKeys: readonly Buffer[]): Promise<void> {
    const keys = checkSplitKeys(splitKeys)
    checkAttributes(table)
    await this.#changeTable('creation', table.name, CREATE_TABLE, (nonce) => ({
      tableSchema: tableMessage(table),
      splitKeys: keys,
      ...nonce,
    }))
  }

  async modifyTable(table: TableDescriptor): Promise<void> {
    checkAttributes(table)
    await this.#changeTable('change', table.name, MODIFY_TABLE, (nonce) => ({
      tableName: tableNameMessage(table.name),
      tableSchema: tableMessage(table),
      ...nonce,
    }))
  }

  async deleteTable(name: TableName): Promise<void> {
    await this.#changeTable('deletion', name, DELETE_TABLE, (nonce) => named(name, nonce))
  }

  async truncateTable(name: TableName, preserveSplits: boolean): Promise<void> {
    await this.#changeTable('truncation', name, TRUNCATE_TABLE, (nonce) => ({
      ...named(name, nonce),
      preserveSplits,
    }))
  }

  async enableTable(name: TableName): Promise<void> {
    await this.#changeTable('enabling', name, ENABLE_TABLE, (nonce) => named(name, nonce))
  }

  async disableTable(name: TableName): Promise<void> {
    await this.#changeTable('disabling', name, DISABLE_TABLE, (nonce) => named(name, nonce))
  }

  regions(name: TableName): Promise<RegionLocation[]> {
    return this.#cluster.regions(name, this.#deadline())
  }

  async flushTable(name: TableName): Promise<void> {
    await this.#master.change(`flush of table ${name}`, FLUSH_TABLE, (nonce) => named(name, nonce))
  }

  #deadline(): number {
    return this.#cluster.retrier.deadline()
  }

  /** Its regions may be others afterwards, or elsewhere. */
  async #changeTable<Request>(
    what: string,
    name: TableName,
    rpc: RpcMethod<Request, { readonly procId: bigint }>,
    request: (nonce: Nonce) => Request,
  ): Promise<void> {
    try {
      await this.#master.change(`${what} of table ${name}`, rpc, request)
    } finally {
      this.#cluster.locator.forgetTable(name)
    }
  }
}

function named(name: TableName, nonce: Nonce): { tableName: ReturnType<typeof tableNameMessage> } & Nonce {
  return { tableName: tableNameMessage(name), ...nonce }
}
