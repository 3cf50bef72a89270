/** Namespaces and tables as the master keeps them. */

import {
  type NamespaceDescriptor,
  type TableDescriptor,
  tableDescriptor,
} from '../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { checkAttributes, checkSplitKeys, tableNotFound } from '../../../src/model/table-checks.ts'
import {
  checkNamespaceName,
  compareTableNames,
  isSystemTable,
  type TableName,
} from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Catalog, Listed, RegionLocation, TableState } from '../../../src/store/catalog.ts'
import { changedDescriptor, descriptorToSend, type TableChange } from '../../../src/store/table-alteration.ts'
import {
  familyMessage,
  namespaceFromMessage,
  namespaceMessage,
  tableFromMessage,
  tableMessage,
} from '../../../src/wire/rpc/descriptor-messages.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameFromMessage, tableNameMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type FamilyStep, familySteps } from './family-steps.ts'
import type { Master, ProcedureNonce } from './master.ts'

const { method } = MasterService
const LIST_NAMESPACES = rpcMethod(method.listNamespaceDescriptors)
const LIST_NAMESPACE_NAMES = rpcMethod(method.listNamespaces)
const GET_NAMESPACE = rpcMethod(method.getNamespaceDescriptor)
const CREATE_NAMESPACE = rpcMethod(method.createNamespace)
const MODIFY_NAMESPACE = rpcMethod(method.modifyNamespace)
const DELETE_NAMESPACE = rpcMethod(method.deleteNamespace)
const GET_TABLES = rpcMethod(method.getTableDescriptors)
const GET_TABLE_NAMES = rpcMethod(method.getTableNames)
const CREATE_TABLE = rpcMethod(method.createTable)
const MODIFY_TABLE = rpcMethod(method.modifyTable)
const ADD_COLUMN = rpcMethod(method.addColumn)
const MODIFY_COLUMN = rpcMethod(method.modifyColumn)
const DELETE_COLUMN = rpcMethod(method.deleteColumn)
const DELETE_TABLE = rpcMethod(method.deleteTable)
const TRUNCATE_TABLE = rpcMethod(method.truncateTable)
const ENABLE_TABLE = rpcMethod(method.enableTable)
const DISABLE_TABLE = rpcMethod(method.disableTable)

/** The cluster does not report changes by other clients, so this catalog has no `watch`. */
export class ClusterCatalog implements Catalog {
  readonly hasSystemTables = true
  readonly #cluster: Cluster
  readonly #master: Master

  constructor(cluster: Cluster, master: Master) {
    this.#cluster = cluster
    this.#master = master
  }

  /** More users may see names than descriptors, so names are a request of their own. They come without properties. */
  async listNamespaces(call: Call, only?: Listed): Promise<NamespaceDescriptor[]> {
    if (only === 'names') {
      const names = await this.#namespaceNames(call)
      if (names !== undefined) return names.map((name) => ({ name, properties: new Map() }))
    }
    const { namespaceDescriptor } = await this.#master.ask('list of namespaces', LIST_NAMESPACES, {}, call)
    return namespaceDescriptor.map(namespaceFromMessage)
  }

  /** Undefined where the master does not know this request. */
  async #namespaceNames(call: Call): Promise<readonly string[] | undefined> {
    try {
      return (await this.#master.ask('list of names of namespaces', LIST_NAMESPACE_NAMES, {}, call))
        .namespaceName
    } catch (error) {
      if (isHBaseError(error) && (error.code === 'DO_NOT_RETRY' || error.code === 'UNSUPPORTED'))
        return undefined
      throw error
    }
  }

  async namespace(name: string, call: Call): Promise<NamespaceDescriptor> {
    const request = { namespaceName: name }
    const { namespaceDescriptor } = await this.#master.ask(`namespace ${name}`, GET_NAMESPACE, request, call)
    return namespaceFromMessage(namespaceDescriptor!)
  }

  async createNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    checkNamespaceName(namespace.name)
    await this.#master.change(`creation of namespace ${namespace.name}`, CREATE_NAMESPACE, call, (nonce) => ({
      namespaceDescriptor: namespaceMessage(namespace),
      ...nonce,
    }))
  }

  async modifyNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    await this.#master.change(`change of namespace ${namespace.name}`, MODIFY_NAMESPACE, call, (nonce) => ({
      namespaceDescriptor: namespaceMessage(namespace),
      ...nonce,
    }))
  }

  async deleteNamespace(name: string, call: Call): Promise<void> {
    await this.#master.change(`deletion of namespace ${name}`, DELETE_NAMESPACE, call, (nonce) => ({
      namespaceName: name,
      ...nonce,
    }))
  }

  listTables(call: Call, only?: Listed): Promise<TableDescriptor[]> {
    return this.#listedToBoth('list of tables', false, call, only)
  }

  async listSystemTables(call: Call, only?: Listed): Promise<TableDescriptor[]> {
    const tables = await this.#listedToBoth('list of system tables', true, call, only)
    return tables.filter(({ name }) => isSystemTable(name))
  }

  /** A cluster leaves out the tables for which a user has no right: a call on Tidegate's own behalf gets those of its user, too. */
  async #listedToBoth(
    what: string,
    includeSysTables: boolean,
    call: Call,
    only?: Listed,
  ): Promise<TableDescriptor[]> {
    const listed = await this.#listed(what, includeSysTables, call, only)
    const asked = this.#asCaller(call)
    if (asked === undefined) return listed
    const known = new Set(listed.map(({ name }) => name))
    const more = await this.#listed(what, includeSysTables, asked, only)
    return inOrder([...listed, ...more.filter(({ name }) => !known.has(name))])
  }

  /** In a cluster with permissions more users may see names than descriptors, so names are a request of their own. They come without families. */
  async #listed(
    what: string,
    includeSysTables: boolean,
    call: Call,
    only?: Listed,
  ): Promise<TableDescriptor[]> {
    const request = { includeSysTables }
    if (only === 'names') {
      const { tableNames } = await this.#master.ask(what, GET_TABLE_NAMES, request, call)
      return inOrder(tableNames.map((name) => tableDescriptor(tableNameFromMessage(name), [])))
    }
    const { tableSchema } = await this.#master.ask(what, GET_TABLES, request, call)
    return inOrder(tableSchema.map(tableFromMessage))
  }

  async table(name: TableName, call: Call): Promise<TableDescriptor> {
    try {
      return await this.#describe(name, call)
    } catch (error) {
      const asked = this.#asCaller(call)
      if (asked === undefined || !isHBaseError(error) || error.code !== 'ACCESS_DENIED') throw error
      return this.#describe(name, asked)
    }
  }

  /**
   * The call in the name of its user, for a call on Tidegate's own behalf: on a cluster that knows users, Tidegate's own user may have no right but to
   * act for others, as HBase's gateways have. Undefined for other calls.
   */
  #asCaller(call: Call): Call | undefined {
    const isOfUser = call.isOwn && this.#cluster.knowsUsers && call.principal !== undefined
    return isOfUser ? { ...call, isOwn: false } : undefined
  }

  async #describe(name: TableName, call: Call): Promise<TableDescriptor> {
    const request = { tableNames: [tableNameMessage(name)], includeSysTables: true }
    const { tableSchema } = await this.#master.ask(`table ${name}`, GET_TABLES, request, call)
    const [schema] = tableSchema
    if (schema === undefined) throw tableNotFound(name)
    return tableFromMessage(schema)
  }

  async tableExists(name: TableName, call: Call): Promise<boolean> {
    return (await this.#cluster.tableState(name, call)) !== undefined
  }

  /** A table that is being enabled is not ENABLED yet, and one that is being disabled still is. */
  async tableState(name: TableName, call: Call): Promise<TableState> {
    const state = await this.#cluster.tableState(name, call)
    if (state === undefined) throw tableNotFound(name)
    return state === 'ENABLED' || state === 'DISABLING' ? 'ENABLED' : 'DISABLED'
  }

  async createTable(table: TableDescriptor, splitKeys: readonly Buffer[], call: Call): Promise<void> {
    const keys = atOnce(checkSplitKeys(splitKeys))
    checkAttributes(table)
    await this.#changeTable('creation', table.name, CREATE_TABLE, call, (nonce) => ({
      tableSchema: tableMessage(table),
      splitKeys: keys,
      ...nonce,
    }))
  }

  async modifyTable(change: TableChange, call: Call): Promise<void> {
    if ('alteration' in change && change.alteration.kind !== 'stepToTracker') {
      const present = await this.table(change.name, call)
      checkAttributes(changedDescriptor(change, present))
      for (const step of familySteps(change.alteration, present))
        await this.#changeFamily(change.name, step, call)
      return
    }
    const table = await descriptorToSend(this, change, call)
    checkAttributes(table)
    await this.#changeTable('change', table.name, MODIFY_TABLE, call, (nonce) => ({
      tableName: tableNameMessage(table.name),
      tableSchema: tableMessage(table),
      ...nonce,
    }))
  }

  /**
   * The master changes its own descriptor of the table, so other clients' changes of other families are kept. HBase: HMaster.addColumn,
   * modifyColumn, deleteColumn.
   */
  #changeFamily(name: TableName, step: FamilyStep, call: Call): Promise<void> {
    const tableName = tableNameMessage(name)
    if (step.kind === 'delete') {
      const columnName = step.family
      return this.#changeTable('change', name, DELETE_COLUMN, call, (nonce) => ({
        tableName,
        columnName,
        ...nonce,
      }))
    }
    const columnFamilies = familyMessage(step.family)
    const request = (nonce: ProcedureNonce) => ({ tableName, columnFamilies, ...nonce })
    return step.kind === 'add'
      ? this.#changeTable('change', name, ADD_COLUMN, call, request)
      : this.#changeTable('change', name, MODIFY_COLUMN, call, request)
  }

  async deleteTable(name: TableName, call: Call): Promise<void> {
    await this.#changeTable('deletion', name, DELETE_TABLE, call, (nonce) => tableRequest(name, nonce))
  }

  async truncateTable(name: TableName, preserveSplits: boolean, call: Call): Promise<void> {
    await this.#changeTable('truncation', name, TRUNCATE_TABLE, call, (nonce) => ({
      ...tableRequest(name, nonce),
      preserveSplits,
    }))
  }

  async enableTable(name: TableName, call: Call): Promise<void> {
    await this.#changeTable('enabling', name, ENABLE_TABLE, call, (nonce) => tableRequest(name, nonce))
  }

  async disableTable(name: TableName, call: Call): Promise<void> {
    await this.#changeTable('disabling', name, DISABLE_TABLE, call, (nonce) => tableRequest(name, nonce))
  }

  regions(name: TableName, call: Call): Promise<RegionLocation[]> {
    return this.#cluster.regions(name, call)
  }

  /** Forgets the table's regions: a change may replace or move them. */
  async #changeTable<Request>(
    what: string,
    name: TableName,
    rpc: RpcMethod<Request, { readonly procId: bigint }>,
    call: Call,
    request: (nonce: ProcedureNonce) => Request,
  ): Promise<void> {
    try {
      await this.#master.change(`${what} of table ${name}`, rpc, call, request)
    } finally {
      this.#cluster.locator.forgetTable(name)
    }
  }
}

function tableRequest(
  name: TableName,
  nonce: ProcedureNonce,
): { tableName: ReturnType<typeof tableNameMessage> } & ProcedureNonce {
  return { tableName: tableNameMessage(name), ...nonce }
}

function inOrder(tables: TableDescriptor[]): TableDescriptor[] {
  return tables.sort((a, b) => compareTableNames(a.name, b.name))
}
