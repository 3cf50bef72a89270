/** Requests of MasterService in a few words. Procedures are waited for. */

import { type RpcFields, type RpcRequest, rpc } from '../runner/case.ts'
import { bytes } from './thrift2-requests.ts'

export function master(method: string, message: RpcFields = {}): RpcRequest {
  return rpc('MasterService', method, message)
}

/** `ns:name`, or a name in the default namespace. */
export function tableName(name: string): RpcFields {
  const colon = name.indexOf(':')
  const namespace = colon < 0 ? 'default' : name.slice(0, colon)
  return { namespace: bytes(namespace), qualifier: bytes(name.slice(colon + 1)) }
}

type Attributes = Readonly<Record<string, string>>

function pairs(attributes: Attributes): RpcFields[] {
  return Object.entries(attributes).map(([first, second]) => ({ first: bytes(first), second: bytes(second) }))
}

export function familySchema(name: string, attributes: Attributes = {}): RpcFields {
  return { name: bytes(name), attributes: pairs(attributes) }
}

export function tableSchema(
  name: string,
  families: readonly RpcFields[],
  attributes: Attributes = {},
): RpcFields {
  return { tableName: tableName(name), attributes: pairs(attributes), columnFamilies: families }
}

export function createTable(
  name: string,
  families: readonly RpcFields[] = [familySchema('f')],
  splits: readonly string[] = [],
  attributes: Attributes = {},
): RpcRequest {
  const message = { tableSchema: tableSchema(name, families, attributes), splitKeys: splits.map(bytes) }
  return master('CreateTable', message)
}

/** A method whose only field is the table's name. */
export function ofTable(method: string, name: string, more: RpcFields = {}): RpcRequest {
  return master(method, { tableName: tableName(name), ...more })
}

export function describe(...names: readonly string[]): RpcRequest {
  return master('GetTableDescriptors', { tableNames: names.map(tableName) })
}

export function drop(name: string): readonly RpcRequest[] {
  return [ofTable('DisableTable', name), ofTable('DeleteTable', name)]
}
