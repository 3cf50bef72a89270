/**
 * A server may hold tables, namespaces and snapshots that the suite did not make. Of answers that list all of them, only the names of the
 * scenario, the two namespaces of every HBase and their tables are compared, over whichever protocol.
 */

import type { Message } from '@bufbuild/protobuf'
import type { ThriftType } from '../../../src/wire/thrift/schema.ts'
import type { Scenario, ThriftRequest } from './case.ts'

const OF_OWN_NAMESPACE = /^conf_\w*:/
const OF_EVERY_HBASE = ['default', 'hbase', 'hbase:meta', 'hbase:namespace']

/** Whether the table or the namespace is the scenario's; so is each table of a namespace that a case has made, all of which begin alike. */
export type OwnNames = (name: string) => boolean

export function ownNamesOf({ tables, namespaces }: Scenario): OwnNames {
  const own = new Set([...OF_EVERY_HBASE, ...tables, ...namespaces])
  return (name) => own.has(name) || OF_OWN_NAMESPACE.test(name)
}

interface ThriftTableName {
  readonly ns?: Buffer
  readonly qualifier: Buffer
}

/** By the name of a struct: the name of what it is. */
const THRIFT_NAMES: Readonly<Record<string, (element: never) => string>> = {
  TTableName: ({ ns, qualifier }: ThriftTableName) => fullName(ns, qualifier),
  TTableDescriptor: ({ tableName: { ns, qualifier } }: { readonly tableName: ThriftTableName }) =>
    fullName(ns, qualifier),
  TNamespaceDescriptor: ({ name }: { readonly name: string }) => name,
}

/** By the method: lists of names without a struct. */
const THRIFT_LISTERS: Readonly<Record<string, (value: never, isOwn: OwnNames) => unknown>> = {
  getTableNames: (value: readonly Buffer[], isOwn) => value.filter((name) => isOwn(name.toString())),
  getTableNamesWithIsTableEnabled: (value: Iterable<[Buffer, boolean]>, isOwn) =>
    [...value].filter(([name]) => isOwn(name.toString())),
  listNamespaces: (value: readonly string[], isOwn) => value.filter(isOwn),
}

/** The scenario's names in an answer that lists names; any other answer unchanged. `type`: of the answer. */
export function ownNamesOnly(
  { method }: Pick<ThriftRequest, 'method'>,
  type: ThriftType,
  value: unknown,
  isOwn: OwnNames,
): unknown {
  if (value === undefined) return value
  const list = THRIFT_LISTERS[method]
  if (list !== undefined) return list(value as never, isOwn)
  if (type.kind !== 'list' || type.element.kind !== 'struct') return value
  const nameOf = THRIFT_NAMES[type.element.struct.name]
  return nameOf === undefined ? value : (value as never[]).filter((element) => isOwn(nameOf(element)))
}

interface RpcTableName {
  readonly namespace: Uint8Array
  readonly qualifier: Uint8Array
}

/** By the name of a message: the name of what it is; of a snapshot, that of its table. */
const RPC_NAMES: Readonly<Record<string, (element: never) => string>> = {
  'hbase.pb.TableName': ({ namespace, qualifier }: RpcTableName) => fullName(namespace, qualifier),
  'hbase.pb.TableSchema': ({ tableName }: { readonly tableName?: RpcTableName }) =>
    fullName(tableName?.namespace, tableName?.qualifier),
  'hbase.pb.NamespaceDescriptor': ({ name }: { readonly name: Uint8Array }) => textOf(name),
  'hbase.pb.SnapshotDescription': ({ table = '' }: { readonly table?: string }) => table,
}
/** Fields of names without a message. */
const RPC_NAME_FIELDS: ReadonlySet<string> = new Set(['namespaceName'])

/** Takes the names that are not the scenario's out of every list of the message. */
export function keepOwnNames(message: Message, isOwn: OwnNames): void {
  const fields = message as unknown as Record<string, unknown>
  for (const [field, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) continue
    if (RPC_NAME_FIELDS.has(field)) fields[field] = (value as string[]).filter(isOwn)
    else fields[field] = value.filter((element) => isOwnMessage(element, isOwn))
  }
}

function isOwnMessage(element: unknown, isOwn: OwnNames): boolean {
  if (typeof element !== 'object' || element === null || !('$typeName' in element)) return true
  const nameOf = RPC_NAMES[String(element.$typeName)]
  return nameOf === undefined || isOwn(nameOf(element as never))
}

function fullName(namespace: Uint8Array | undefined, qualifier: Uint8Array | undefined): string {
  return tableName(textOf(namespace), textOf(qualifier))
}

export function tableName(namespace: string, qualifier: string): string {
  return namespace === '' || namespace === 'default' ? qualifier : `${namespace}:${qualifier}`
}

/** Thrift's fields are text where the IDL says so. */
function textOf(name: Uint8Array | string | undefined): string {
  return name === undefined ? '' : typeof name === 'string' ? name : Buffer.from(name).toString()
}
