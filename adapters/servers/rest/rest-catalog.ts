/** Namespaces and tables over REST. States of tables, which REST does not return, come from hbase:meta. */

import { fromBinary } from '@bufbuild/protobuf'
import { cellsOf } from '../../../src/model/cell-block.ts'
import {
  type FamilyDescriptor,
  familyDescriptor,
  type NamespaceDescriptor,
  type TableDescriptor,
} from '../../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { META_REGION, META_TABLE } from '../../../src/model/meta-table.ts'
import { regionName } from '../../../src/model/region-name.ts'
import {
  checkNamespaceName,
  compareTableNames,
  parseTableName,
  SYSTEM_NAMESPACE,
  type TableName,
} from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Catalog, Listed, RegionLocation, TableState } from '../../../src/store/catalog.ts'
import { descriptorToSend, type TableChange } from '../../../src/store/table-alteration.ts'
import { decodeAnsweredCells } from '../../../src/wire/rest/cells-of-set.ts'
import { decodeNames, decodeTableInfo } from '../../../src/wire/rest/name-list-decoder.ts'
import { decodeNamespaceProtobuf, namespaceDocument } from '../../../src/wire/rest/namespace-properties.ts'
import { type TableSchema, tableSchemaDocument } from '../../../src/wire/rest/table-schema.ts'
import { decodeTableSchemaProtobuf } from '../../../src/wire/rest/table-schema-decoder.ts'
import { TableState_State, TableStateSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import { tablePath } from './key-paths.ts'
import { tableNotFound } from './rest-scan-source.ts'
import { REST_REACH, type RestServer } from './rest-server.ts'

const NOT_FOUND = 404
const LIMITS = { depthMax: 64, batchMax: 1_000_000, elementsMax: 1_000_000 }
/** The most requests at a time. */
const AT_ONCE = 8
/** An attribute that HBase's answers have for every table, and that its requests must not have. */
const IS_META = 'IS_META'

export class RestCatalog implements Catalog {
  readonly hasSystemTables = true
  readonly #server: RestServer
  #version: string | undefined

  constructor(server: RestServer) {
    this.#server = server
  }

  /** The version of the cluster's HBase, as `2.6.1`. */
  async hbaseVersion(call: Call): Promise<string> {
    if (this.#version !== undefined) return this.#version
    const headers = { Accept: 'application/json' }
    const asked = {
      operation: 'version of the cluster',
      method: 'GET',
      path: '/version/cluster',
      headers,
    } as const
    const { body } = await this.#server.ask(asked, call)
    // Some servers send an object, others a text.
    this.#version = /\d+\.\d+[\w.-]*/.exec(body.toString())?.[0] ?? '0'
    return this.#version
  }

  async listNamespaces(call: Call, only?: Listed): Promise<NamespaceDescriptor[]> {
    const names = await this.#names('list of namespaces', '/namespaces', call)
    if (only === 'names') return names.map((name) => ({ name, properties: new Map() }))
    return inBatches(names, (name) => this.#namespaceNamed(name, call))
  }

  async namespace(name: string, call: Call): Promise<NamespaceDescriptor> {
    if (!(await this.#hasNamespace(name, call))) throw namespaceNotFound(name)
    return this.#namespaceNamed(name, call)
  }

  async createNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    checkNamespaceName(namespace.name)
    if (await this.#hasNamespace(namespace.name, call))
      throw new HBaseError('NAMESPACE_EXISTS', `Namespace ${namespace.name} already exists`)
    await this.#sendNamespace('POST', namespace, call)
  }

  async modifyNamespace(namespace: NamespaceDescriptor, call: Call): Promise<void> {
    if (!(await this.#hasNamespace(namespace.name, call))) throw namespaceNotFound(namespace.name)
    await this.#sendNamespace('PUT', namespace, call)
  }

  async deleteNamespace(name: string, call: Call): Promise<void> {
    if (!(await this.#hasNamespace(name, call))) throw namespaceNotFound(name)
    const asked = {
      operation: `deletion of namespace ${name}`,
      method: 'DELETE',
      path: namespacePath(name),
    } as const
    await this.#server.ask(asked, call)
  }

  async listTables(call: Call, only?: Listed): Promise<TableDescriptor[]> {
    const names = await this.#names('list of tables', '/', call)
    return this.#tables(names.map(parseTableName), call, only)
  }

  async listSystemTables(call: Call, only?: Listed): Promise<TableDescriptor[]> {
    const path = `${namespacePath(SYSTEM_NAMESPACE)}/tables`
    const names = await this.#names('list of system tables', path, call)
    const full = names.map((name) => parseTableName(`${SYSTEM_NAMESPACE}:${name.split(':').at(-1)!}`))
    return this.#tables(full, call, only)
  }

  async table(name: TableName, call: Call): Promise<TableDescriptor> {
    const path = `${tablePath(name)}/schema`
    const asked = { operation: `table ${name}`, method: 'GET', path, answers: [NOT_FOUND] } as const
    const { status, body } = await this.#server.ask(asked, call)
    if (status === NOT_FOUND) throw tableNotFound(name)
    return tableOfSchema(name, decodeTableSchemaProtobuf(body, LIMITS))
  }

  async tableExists(name: TableName, call: Call): Promise<boolean> {
    const path = `${tablePath(name)}/exists`
    const headers = { Accept: '*/*' }
    const asked = { operation: `table ${name}`, method: 'GET', path, headers, answers: [NOT_FOUND] } as const
    return (await this.#server.ask(asked, call)).status !== NOT_FOUND
  }

  async tableState(name: TableName, call: Call): Promise<TableState> {
    if (name === META_TABLE) return 'ENABLED'
    const path = `${tablePath(META_TABLE)}/${encodeURIComponent(name)}/table:state`
    const asked = { operation: `state of ${name}`, method: 'GET', path, answers: [NOT_FOUND] } as const
    const { status, body } = await this.#server.ask(asked, call)
    const [cell] = status === NOT_FOUND ? [] : cellsOf(decodeAnsweredCells(body).cells)
    if (cell === undefined) throw tableNotFound(name)
    const { state } = fromBinary(TableStateSchema, cell.value)
    return state === TableState_State.DISABLED || state === TableState_State.DISABLING
      ? 'DISABLED'
      : 'ENABLED'
  }

  async createTable(table: TableDescriptor, splitKeys: readonly Buffer[], call: Call): Promise<void> {
    if (splitKeys.length > 0) throw beyondProtocol(REST_REACH, 'a new table of several regions')
    if (await this.tableExists(table.name, call)) throw new HBaseError('TABLE_EXISTS', table.name)
    await this.#sendTable(`creation of table ${table.name}`, table, call)
  }

  async modifyTable(change: TableChange, call: Call): Promise<void> {
    if (!(await this.tableExists(change.name, call))) throw tableNotFound(change.name)
    const table = await descriptorToSend(this, change, call)
    await this.#sendTable(`change of table ${table.name}`, table, call)
  }

  /** The server disables the table before it deletes it. */
  async deleteTable(name: TableName, call: Call): Promise<void> {
    if (!(await this.tableExists(name, call))) throw tableNotFound(name)
    const path = `${tablePath(name)}/schema`
    const asked = {
      operation: `deletion of table ${name}`,
      method: 'DELETE',
      path,
      isRepeatable: false,
    } as const
    await this.#server.ask(asked, call)
  }

  async truncateTable(): Promise<void> {
    throw beyondProtocol(REST_REACH, '`truncate`')
  }

  async enableTable(): Promise<void> {
    throw beyondProtocol(REST_REACH, '`enable`')
  }

  async disableTable(): Promise<void> {
    throw beyondProtocol(REST_REACH, '`disable`')
  }

  async regions(name: TableName, call: Call): Promise<RegionLocation[]> {
    const path = `${tablePath(name)}/regions`
    const asked = { operation: `regions of ${name}`, method: 'GET', path, answers: [NOT_FOUND] } as const
    const { status, body } = await this.#server.ask(asked, call)
    if (status === NOT_FOUND) throw tableNotFound(name)
    return decodeTableInfo(body)
      .map(({ startKey, endKey, id, location }) => ({
        table: name,
        startKey,
        endKey,
        regionId: id,
        ...regionName(name, startKey, id),
        ...(name === META_TABLE && META_REGION),
        server: serverOf(location),
      }))
      .sort((a, b) => a.startKey.compare(b.startKey))
  }

  async #names(operation: string, path: string, call: Call): Promise<string[]> {
    return decodeNames((await this.#server.ask({ operation, method: 'GET', path }, call)).body)
  }

  async #tables(names: readonly TableName[], call: Call, only?: Listed): Promise<TableDescriptor[]> {
    const sorted = names.toSorted(compareTableNames)
    if (only === 'names') return sorted.map((name) => ({ name, attributes: new Map(), families: [] }))
    const tables = await inBatches(sorted, (name) => this.visibleTable(name, call))
    return tables.filter((table) => table !== undefined)
  }

  /** As `table`; undefined where the user may not see the schema. HBase's own lists leave such tables out. */
  async visibleTable(name: TableName, call: Call): Promise<TableDescriptor | undefined> {
    try {
      return await this.table(name, call)
    } catch (error) {
      if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return undefined
      throw error
    }
  }

  async #hasNamespace(name: string, call: Call): Promise<boolean> {
    return (await this.#names('list of namespaces', '/namespaces', call)).includes(name)
  }

  async #namespaceNamed(name: string, call: Call): Promise<NamespaceDescriptor> {
    const asked = { operation: `namespace ${name}`, method: 'GET', path: namespacePath(name) } as const
    const { body } = await this.#server.ask(asked, call)
    return { name, properties: decodeNamespaceProtobuf(body, LIMITS) }
  }

  async #sendNamespace(
    method: 'POST' | 'PUT',
    { name, properties }: NamespaceDescriptor,
    call: Call,
  ): Promise<void> {
    const body = Buffer.from(namespaceDocument(name, [...properties]).protobuf())
    const headers = { Accept: '*/*' }
    const operation = `change of namespace ${name}`
    await this.#server.ask(
      { operation, method, path: namespacePath(name), headers, body, isRepeatable: false },
      call,
    )
  }

  async #sendTable(
    operation: string,
    { name, attributes, families }: TableDescriptor,
    call: Call,
  ): Promise<void> {
    const unsent = families.find(({ configuration }) => (configuration?.size ?? 0) > 0)
    if (unsent !== undefined)
      throw beyondProtocol(REST_REACH, `the CONFIGURATION of family ${unsent.name.toString()}`)
    const schema: TableSchema = {
      name,
      attributes: [...attributes],
      families: families.map((family) => ({
        name: family.name.toString(),
        attributes: [...family.attributes],
      })),
    }
    const body = Buffer.from(tableSchemaDocument(schema).protobuf())
    const path = `${tablePath(name)}/schema`
    const headers = { Accept: '*/*' }
    await this.#server.ask({ operation, method: 'PUT', path, headers, body, isRepeatable: false }, call)
  }
}

function namespacePath(name: string): string {
  return `/namespaces/${encodeURIComponent(name)}`
}

function namespaceNotFound(name: string): HBaseError {
  return new HBaseError('NAMESPACE_NOT_FOUND', name)
}

function tableOfSchema(name: TableName, schema: TableSchema): TableDescriptor {
  const families: FamilyDescriptor[] = schema.families.map((family) =>
    familyDescriptor(family.name, family.attributes),
  )
  const attributes = new Map(schema.attributes.filter(([key]) => key !== IS_META))
  return { name, attributes, families: families.toSorted((a, b) => a.name.compare(b.name)) }
}

/** The server at `HOST:PORT`. Its start code is 0, since REST does not return it. */
function serverOf(location: string): RegionLocation['server'] {
  const [, host, port] = /^(.+):(\d+)$/.exec(location) ?? []
  return host === undefined ? undefined : { host, port: Number(port), startCode: 0 }
}

/** Runs `work` for all, AT_ONCE at a time. */
async function inBatches<From, To>(all: readonly From[], work: (each: From) => Promise<To>): Promise<To[]> {
  const done: To[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))))
  return done
}
