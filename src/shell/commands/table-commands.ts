import { toStringBinary } from '../../model/bytes.ts'
import { findFamily, type TableDescriptor, tableDescriptor } from '../../model/descriptor.ts'
import { parseTableName, type TableName } from '../../model/table-name.ts'
import { flattened, notAHashOrString, tableOf, tableText } from '../arguments/argument-values.ts'
import { familyOf } from '../arguments/family-options.ts'
import { statedSplits } from '../arguments/split-keys.ts'
import { applyTableOptions } from '../arguments/table-options.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { checkExists, isEnabled } from '../context/tables-known.ts'
import { familyText, tableAttributesText } from '../output/descriptor-text.ts'
import { refuse } from '../output/shell-error.ts'
import { tableReference } from '../ruby/shell-objects.ts'
import { isTrue, RubyHash, textOf, type Value } from '../ruby/values.ts'
import { printQuotas } from './quota-listing.ts'

export const TABLE_COMMANDS: readonly ShellCommand[] = [
  { name: 'create', min: 1, max: undefined, run: create },
  { name: 'describe', min: 1, max: 1, run: describe },
  { name: 'disable', min: 1, max: 1, run: (context, [table]) => disable(context, tableOf(table)) },
  { name: 'enable', min: 1, max: 1, run: enable },
  { name: 'drop', min: 1, max: 1, run: drop },
  { name: 'exists', min: 1, max: 1, run: exists },
  { name: 'is_enabled', min: 1, max: 1, run: (context, args) => printIsInState(context, args, true) },
  { name: 'is_disabled', min: 1, max: 1, run: (context, args) => printIsInState(context, args, false) },
  { name: 'truncate', min: 1, max: 1, run: (context, args) => truncate(context, args, false) },
  { name: 'truncate_preserve', min: 1, max: 1, run: (context, args) => truncate(context, args, true) },
  { name: 'clone_table_schema', min: 2, max: 3, run: cloneTableSchema },
  { name: 'get_table', min: 1, max: undefined, run: getTable },
]

async function create({ store, out, call }: CommandContext, args: readonly Value[]): Promise<Value> {
  const [named, ...stated] = args
  if (!Buffer.isBuffer(named)) refuse('Table name must be of type String')
  const name = parseTableName(named.toString())
  let table = tableDescriptor(name, [])
  let splits: Buffer[] | undefined
  for (const each of flattened(stated)) {
    if (Buffer.isBuffer(each) || (each instanceof RubyHash && each.has('NAME'))) {
      const family = familyOf(
        each,
        () => undefined,
        (line) => out.line(line),
      )
      if (findFamily(table, family.name) !== undefined)
        out.line(`Family '${family.name.toString()}' already exists, the old one will be replaced`)
      table = tableDescriptor(name, [...table.families, family], table.attributes)
    } else if (each instanceof RubyHash) {
      const options = each.copy()
      const method = options.take('METHOD')
      if (isTrue(method) && textOf(method!) !== 'table_att')
        refuse('table_att is currently the only supported method')
      splits = statedSplits(options) ?? splits
      const attributes = new Map(table.attributes)
      applyTableOptions(options, attributes)
      table = { ...table, attributes }
      for (const [key] of options.entries())
        out.line(`An argument ignored (unknown or overridden): ${textOf(key)}`)
    } else refuse(notAHashOrString(each))
  }
  if (table.families.length === 0) refuse('Table must have at least one column family')
  await store.catalog.createTable(table, splits ?? [], call)
  out.line(`Created table ${named.toString()}`)
  return tableReference(name)
}

async function describe(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const { store, out, call } = context
  const table = tableOf(named)
  await checkExists(context, table)
  const { attributes, families } = await store.catalog.table(table, call)
  if (out.data !== undefined) return describeAsData(context, table, { attributes, families })
  out.header([`Table ${tableText(named)} is ${(await isEnabled(context, table)) ? 'ENABLED' : 'DISABLED'}`])
  out.row([`${tableText(named)}${tableAttributesText(attributes)}`])
  out.header(['COLUMN FAMILIES DESCRIPTION'])
  for (const family of families) {
    out.row([familyText(family)])
    out.line()
  }
  out.footer()
  await printQuotas(context, { table })
}

/** JSON has one object; CSV a line for each attribute, with an empty family for those of the table. */
async function describeAsData(
  context: CommandContext,
  table: TableName,
  { attributes, families }: Pick<TableDescriptor, 'attributes' | 'families'>,
): Promise<void> {
  const { out } = context
  const state = (await isEnabled(context, table)) ? 'ENABLED' : 'DISABLED'
  if (out.data === 'json') {
    const each = families.map((family) => ({
      name: toStringBinary(family.name),
      attributes: Object.fromEntries(family.attributes),
    }))
    out.record({ table, state, attributes: Object.fromEntries(attributes), families: each })
    return
  }
  const lines = (family: string, of: ReadonlyMap<string, string>): void => {
    for (const [attribute, value] of of) out.record({ table, family, attribute, value })
  }
  lines('', new Map([['STATE', state], ...attributes]))
  for (const { name, attributes: own } of families) lines(toStringBinary(name), own)
}

async function disable(context: CommandContext, table: TableName): Promise<void> {
  await checkExists(context, table)
  if (await isEnabled(context, table)) await context.store.catalog.disableTable(table, context.call)
}

async function enable(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const table = tableOf(named)
  await checkExists(context, table)
  if (!(await isEnabled(context, table))) await context.store.catalog.enableTable(table, context.call)
}

async function drop(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const table = tableOf(named)
  await checkExists(context, table)
  const isLeftToServer = context.store.reach?.dropsEnabledTables === true
  if (!isLeftToServer && (await isEnabled(context, table)))
    refuse(`Table ${table} is enabled. Disable it first.`)
  await context.store.catalog.deleteTable(table, context.call)
}

async function exists({ store, out, call }: CommandContext, [named]: readonly Value[]): Promise<Value> {
  const is = await store.catalog.tableExists(tableOf(named), call)
  out.row([`Table ${tableText(named)} ${is ? 'does exist' : 'does not exist'}`])
  return is
}

/** Prints whether the table is enabled, or disabled where `wanted` is false. */
async function printIsInState(
  context: CommandContext,
  [named]: readonly Value[],
  wanted: boolean,
): Promise<Value> {
  const is = (await isEnabled(context, tableOf(named))) === wanted
  context.out.row([String(is)])
  return is
}

async function truncate(
  context: CommandContext,
  [named]: readonly Value[],
  preserveSplits: boolean,
): Promise<void> {
  const { store, out, call } = context
  out.line(`Truncating '${tableText(named)}' table (it may take a while):`)
  const table = tableOf(named)
  if (await isEnabled(context, table)) {
    out.line('Disabling table...')
    await disable(context, table)
  }
  out.line('Truncating table...')
  await store.catalog.truncateTable(table, preserveSplits, call)
}

async function cloneTableSchema({ store, call }: CommandContext, args: readonly Value[]): Promise<void> {
  const [from, to, preserve = true] = args
  const table = tableOf(from)
  const copy: TableDescriptor = { ...(await store.catalog.table(table, call)), name: tableOf(to) }
  const regions = preserve === true ? await store.catalog.regions(table, call) : []
  const splits = regions.map(({ startKey }) => startKey).filter((key) => key.length > 0)
  await store.catalog.createTable(copy, splits, call)
}

async function getTable(_: CommandContext, [named]: readonly Value[]): Promise<Value> {
  return tableReference(tableOf(named))
}
