import { toStringBinary } from '../../model/bytes.ts'
import { compareTableNames, type TableName } from '../../model/table-name.ts'
import { binaryOf, tableOf } from '../arguments/argument-values.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { ANY_NAME, tablesMatching } from '../context/tables-known.ts'
import { regionText } from '../output/cell-text.ts'
import { errorText, refuse } from '../output/shell-error.ts'
import { opaque } from '../ruby/shell-objects.ts'
import { textOf, type Value } from '../ruby/values.ts'

export const LIST_COMMANDS: readonly ShellCommand[] = [
  { name: 'list', min: 0, max: 1, run: list },
  { name: 'disable_all', min: 1, max: 1, run: (context, args) => changeAll(context, args, DISABLE) },
  { name: 'enable_all', min: 1, max: 1, run: (context, args) => changeAll(context, args, ENABLE) },
  { name: 'drop_all', min: 1, max: 1, run: (context, args) => changeAll(context, args, DROP) },
  { name: 'show_filters', min: 0, max: 0, run: showFilters },
  { name: 'locate_region', min: 2, max: 2, run: locateRegion },
]

async function list(context: CommandContext, [pattern = ANY_NAME]: readonly Value[]): Promise<Value> {
  const { out } = context
  out.header(['TABLE'])
  const names = await tablesMatching(context, pattern)
  for (const name of names) out.row([name])
  out.footer(names.length)
  return names.map((name) => Buffer.from(name))
}

interface ChangeOfAll {
  readonly verb: string
  readonly done: string
  readonly apply: (context: CommandContext, table: TableName) => Promise<void>
}

const DISABLE: ChangeOfAll = {
  verb: 'Disable',
  done: 'disabled',
  apply: ({ store, call }, table) => store.catalog.disableTable(table, call),
}
const ENABLE: ChangeOfAll = {
  verb: 'Enable',
  done: 'enabled',
  apply: ({ store, call }, table) => store.catalog.enableTable(table, call),
}
const DROP: ChangeOfAll = {
  verb: 'Drop',
  done: 'dropped',
  apply: ({ store, call }, table) => store.catalog.deleteTable(table, call),
}

async function changeAll(
  context: CommandContext,
  [pattern]: readonly Value[],
  { verb, done, apply }: ChangeOfAll,
): Promise<void> {
  const { out } = context
  const names = (await tablesMatching(context, pattern!)).sort(compareTableNames)
  for (const name of names) out.row([name])
  if (names.length === 0) return out.line(`No tables matched the regex ${textOf(pattern!)}`)
  if (!(await isAgreed(context, `\n${verb} the above ${names.length} tables (y/n)?`))) return
  const failed: TableName[] = []
  for (const name of names) {
    try {
      await apply(context, name)
    } catch (error) {
      out.line(`table:${name}, error:${errorText(error, [Buffer.from(name)])}`)
      failed.push(name)
    }
  }
  out.line(`${names.length - failed.length} tables successfully ${done}`)
  if (failed.length > 0)
    out.line(`${failed.length} tables not ${done} due to an exception: ${failed.join(',')}`)
}

/** Asks the user on a line of its own. Without an answer it prints that nothing is done, and resolves to false. */
export async function isAgreed({ out, ask }: CommandContext, question: string): Promise<boolean> {
  out.line(question)
  const answer = await ask()
  if (answer === undefined) out.line('There is no answer on stdin: nothing is done.')
  return /^.*y/i.test(answer ?? '')
}

/** The filters in the order in which HBase's shell prints them. */
const FILTERS = [
  'DependentColumnFilter',
  'KeyOnlyFilter',
  'ColumnCountGetFilter',
  'SingleColumnValueFilter',
  'PrefixFilter',
  'SingleColumnValueExcludeFilter',
  'FirstKeyOnlyFilter',
  'ColumnRangeFilter',
  'ColumnValueFilter',
  'TimestampsFilter',
  'FamilyFilter',
  'QualifierFilter',
  'ColumnPrefixFilter',
  'RowFilter',
  'MultipleColumnPrefixFilter',
  'InclusiveStopFilter',
  'PageFilter',
  'ValueFilter',
  'ColumnPaginationFilter',
]

async function showFilters({ out }: CommandContext): Promise<Value> {
  for (const name of FILTERS) out.row([name])
  return opaque(
    'Filters',
    FILTERS.map((name) => Buffer.from(name)),
  )
}

async function locateRegion(
  { store, out, call }: CommandContext,
  [named, row]: readonly Value[],
): Promise<Value> {
  const key = binaryOf(row!)
  const regions = await store.catalog.regions(tableOf(named), call)
  const region = regions.findLast(({ startKey }) => startKey.compare(key) <= 0)
  if (region === undefined) refuse(`no region has the row ${toStringBinary(key)}`)
  const { server } = region
  out.header(['HOST', 'REGION'])
  out.row([server === undefined ? '' : `${server.host}:${server.port}`, regionText(region)])
  out.footer(1)
  return opaque('RegionLocation')
}
