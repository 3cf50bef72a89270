/** Questions about tables that commands ask before they change something. */

import { compileJavaRegex } from '../../filter/regex/java-regex.ts'
import { compareTableNames, DEFAULT_NAMESPACE, namespaceOf, type TableName } from '../../model/table-name.ts'
import { refuse } from '../output/shell-error.ts'
import { textOf, type Value } from '../ruby/values.ts'
import type { CommandContext } from './command.ts'

type Context = Pick<CommandContext, 'store' | 'call'>

/** Throws where the table does not exist. HBase: Admin.tableExists. */
export async function checkExists({ store, call }: Context, table: TableName): Promise<void> {
  if (!(await store.catalog.tableExists(table, call))) refuse(`Table ${table} does not exist.`)
}

/** True where the table is enabled. Throws TABLE_NOT_FOUND. */
export async function isEnabled({ store, call }: Context, table: TableName): Promise<boolean> {
  return (await store.catalog.tableState(table, call)) === 'ENABLED'
}

/** User tables whose whole name matches Java's regular expression. */
export async function tablesMatching({ store, call }: Context, pattern: Value): Promise<TableName[]> {
  const isMeant = tableMatcher(textOf(pattern))
  const names = (await store.catalog.listTables(call, 'names')).map(({ name }) => name)
  return names.filter(isMeant).sort(compareTableNames)
}

/** Matches tables' names. For a table of the namespace default, `default:name` may match too. HBase: HMaster.filterTablesByRegex. */
export function tableMatcher(pattern: string): (name: TableName) => boolean {
  const regex = compileJavaRegex(pattern, 0)
  return (name) =>
    regex.matches(name) ||
    (namespaceOf(name) === DEFAULT_NAMESPACE && regex.matches(`${DEFAULT_NAMESPACE}:${name}`))
}

export const ANY_NAME: Buffer = Buffer.from('.*')
