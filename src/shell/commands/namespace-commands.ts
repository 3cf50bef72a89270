import { compileJavaRegex } from '../../filter/regex/java-regex.ts'
import type { NamespaceDescriptor } from '../../model/descriptor.ts'
import { compareTableNames, namespaceOf, qualifierOf } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import type { Catalog } from '../../store/catalog.ts'
import { flattened, notAHashOrString, stringOf } from '../arguments/argument-values.ts'
import { addPairs } from '../arguments/family-options.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { ANY_NAME } from '../context/tables-known.ts'
import { refuse } from '../output/shell-error.ts'
import { className, inspect, RubyHash, textOf, type Value } from '../ruby/values.ts'
import { printQuotas } from './quota-listing.ts'

export const NAMESPACE_COMMANDS: readonly ShellCommand[] = [
  { name: 'create_namespace', min: 1, max: undefined, run: createNamespace },
  { name: 'alter_namespace', min: 1, max: undefined, run: alterNamespace },
  { name: 'describe_namespace', min: 1, max: 1, run: describeNamespace },
  { name: 'drop_namespace', min: 1, max: 1, run: dropNamespace },
  { name: 'list_namespace', min: 0, max: 1, run: listNamespace },
  { name: 'list_namespace_tables', min: 1, max: 1, run: listNamespaceTables },
]

async function createNamespace({ store, call }: CommandContext, args: readonly Value[]): Promise<void> {
  const [named, ...stated] = args
  const name = stringOf(named, 'Namespace name')
  const properties = new Map<string, string>()
  for (const each of flattened(stated)) {
    if (!(each instanceof RubyHash)) refuse(notAHashOrString(each))
    addPairs(each, 'Arguments', properties)
  }
  await store.catalog.createNamespace({ name, properties }, call)
}

async function alterNamespace({ store, call }: CommandContext, args: readonly Value[]): Promise<void> {
  const [named, ...stated] = args
  const { name, properties: before } = await store.catalog.namespace(stringOf(named, 'Namespace name'), call)
  const properties = new Map(before)
  for (const each of flattened(stated)) {
    if (!(each instanceof RubyHash)) refuse(`${className(each)} of ${inspect(each)} is not of Hash type`)
    const options = each.copy()
    const method = textOf(options.take('METHOD') ?? null)
    if (method === 'unset') properties.delete(textOf(options.get('NAME') ?? null))
    else if (method === 'set') addPairs(options, 'Arguments', properties)
    else refuse(`Unknown method ${method}`)
  }
  await store.catalog.modifyNamespace({ name, properties }, call)
}

async function describeNamespace(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const { store, out, call } = context
  const name = textOf(named!)
  const descriptor = await store.catalog.namespace(name, call)
  out.header(['DESCRIPTION'])
  out.row([namespaceText(descriptor)])
  await printQuotas(context, { namespace: name })
}

/** A namespace with its properties in order. HBase: NamespaceDescriptor.toString. */
function namespaceText({ name, properties }: NamespaceDescriptor): string {
  const sorted = [...properties].sort(([a], [b]) => (a < b ? -1 : 1))
  return `{NAME => '${name}'${sorted.map(([key, value]) => `, ${key} => '${value}'`).join('')}}`
}

async function dropNamespace({ store, call }: CommandContext, [named]: readonly Value[]): Promise<void> {
  await store.catalog.deleteNamespace(textOf(named!), call)
}

async function listNamespace(
  { store, out, call }: CommandContext,
  [pattern = ANY_NAME]: readonly Value[],
): Promise<void> {
  out.header(['NAMESPACE'])
  const regex = compileJavaRegex(textOf(pattern), 0)
  const namespaces = await store.catalog.listNamespaces(call)
  const names = namespaces.map(({ name }) => name).filter((name) => regex.find(name))
  for (const name of names) out.row([name])
  out.footer(names.length)
}

async function listNamespaceTables(
  { store, out, call }: CommandContext,
  [named]: readonly Value[],
): Promise<Value> {
  out.header(['TABLE'])
  const namespace = textOf(named!)
  const { catalog } = store
  const tables = await (namespace === 'hbase'
    ? catalog.listSystemTables(call, 'names')
    : catalog.listTables(call, 'names'))
  const names = tables
    .map(({ name }) => name)
    .filter((name) => namespaceOf(name) === namespace)
    .sort(compareTableNames)
    .map(qualifierOf)
  if (names.length === 0) await requireNamespace(catalog, namespace, call)
  for (const name of names) out.row([name])
  out.footer(names.length)
  return names.map((name) => Buffer.from(name))
}

/** Throws NAMESPACE_NOT_FOUND. It reads the names first: every user may list these, but only administrators may read descriptors. */
async function requireNamespace(catalog: Catalog, namespace: string, call: Call): Promise<void> {
  const all = await catalog.listNamespaces(call, 'names')
  if (!all.some(({ name }) => name === namespace)) await catalog.namespace(namespace, call)
}
