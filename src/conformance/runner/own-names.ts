/**
 * A server may hold tables and namespaces that the suite did not make. Of answers that list all of them, only the names
 * of the scenario and the two namespaces of every HBase are compared.
 */

import type { Scenario, ThriftRequest } from './case.ts'

type Lister = (value: unknown, isOwn: (name: string) => boolean) => unknown

const LISTERS: Readonly<Record<string, Lister>> = {
  getTableNames: (value, isOwn) => (value as readonly Buffer[]).filter((name) => isOwn(name.toString())),
  getTableNamesWithIsTableEnabled: (value, isOwn) =>
    [...(value as Iterable<[Buffer, boolean]>)].filter(([name]) => isOwn(name.toString())),
  listNamespaces: (value, isOwn) => (value as readonly string[]).filter(isOwn),
  listNamespaceDescriptors: (value, isOwn) =>
    (value as readonly { readonly name: string }[]).filter(({ name }) => isOwn(name)),
}

/** The scenario's names in an answer that lists names; any other answer unchanged. */
export function ownNamesOnly({ method }: ThriftRequest, value: unknown, scenario: Scenario): unknown {
  const lister = LISTERS[method]
  if (lister === undefined || value === undefined) return value
  const own = new Set(['default', 'hbase', ...scenario.tables, ...scenario.namespaces])
  return lister(value, (name) => own.has(name))
}
