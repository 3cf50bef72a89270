import { findFamily, type TableDescriptor, withFamilies } from '../../model/descriptor.ts'
import { parseTableName, type TableName } from '../../model/table-name.ts'
import { Option } from '../../wire/rpc/gen/cluster-status_pb.ts'
import { tableNameFromMessage } from '../../wire/rpc/table-name-message.ts'
import { listOf } from '../arguments/argument-values.ts'
import { familyOf } from '../arguments/family-options.ts'
import { applyCoprocessors, applyTableOptions } from '../arguments/table-options.ts'
import { clusterStatus } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { refuse } from '../output/shell-error.ts'
import { isTrue, RubyHash, textOf, type Value } from '../ruby/values.ts'

export const ALTER_COMMANDS: readonly ShellCommand[] = [
  { name: 'alter', min: 1, max: undefined, run: (context, args) => alter(context, args, true) },
  { name: 'alter_async', min: 1, max: undefined, run: (context, args) => alter(context, args, false) },
  { name: 'alter_status', min: 1, max: 1, run: (context, [table]) => alterStatus(context, table!) },
]

const STATUS_PAUSE_MS = 1000

async function alter(context: CommandContext, args: readonly Value[], waits: boolean): Promise<void> {
  const { store, out, call } = context
  const [named, ...changes] = args
  const name = await knownTable(context, named!)
  if (changes.length === 0) refuse('There should be at least one argument but the table name')
  let table = await store.catalog.table(name, call)
  for (const each of changes) table = changed(table, each, (line) => out.line(line))
  await store.catalog.modifyTable(table, call)
  if (!waits) return
  out.line('Updating all regions with the new schema...')
  await alterStatus(context, named!)
}

async function knownTable({ store, call }: CommandContext, named: Value): Promise<TableName> {
  if (!Buffer.isBuffer(named)) refuse('Table name must be of type String')
  const name = parseTableName(named.toString())
  if (!(await store.catalog.tableExists(name, call))) refuse(`Can't find a table: ${named.toString()}`)
  return name
}

type Print = (line: string) => void

function changed(table: TableDescriptor, stated: Value, print: Print): TableDescriptor {
  const options =
    stated instanceof RubyHash ? stated.copy() : RubyHash.fromEntries([[Buffer.from('NAME'), stated]])
  const deleted = options.take('delete')
  if (isTrue(deleted)) return withoutFamily(table, deleted)
  const method = options.take('METHOD')
  if (!isTrue(method) && options.has('NAME')) return withFamily(table, options, print)
  const named = options.take('NAME')
  const change = isTrue(method) ? textOf(method!) : 'table_att'
  const result = change === 'table_att' ? withOptions(table, options) : withMethod(table, change, named)
  for (const [key] of options.entries()) print(`Unknown argument ignored: ${textOf(key)}`)
  return result
}

function withFamily(table: TableDescriptor, stated: Value, print: Print): TableDescriptor {
  const family = familyOf(stated, (name) => findFamily(table, Buffer.from(name)), print)
  return withFamilies(table, [...table.families, family])
}

function withoutFamily(table: TableDescriptor, named: Value | undefined): TableDescriptor {
  if (!isTrue(named)) refuse('NAME parameter missing for delete method')
  const name = Buffer.from(textOf(named!))
  return withFamilies(
    table,
    table.families.filter((family) => !family.name.equals(name)),
  )
}

function withOptions(table: TableDescriptor, options: RubyHash): TableDescriptor {
  const attributes = new Map(table.attributes)
  applyTableOptions(options, attributes)
  applyCoprocessors(options, attributes)
  return { ...table, attributes }
}

function withMethod(table: TableDescriptor, method: string, named: Value | undefined): TableDescriptor {
  if (method === 'delete') return withoutFamily(table, named)
  if (method !== 'table_att_unset' && method !== 'table_conf_unset') refuse(`Unknown method: ${method}`)
  if (!isTrue(named)) refuse(`NAME parameter missing for ${method} method`)
  const attributes = new Map(table.attributes)
  const what = method === 'table_att_unset' ? 'attribute' : 'configuration'
  for (const name of listOf(named!).map(textOf))
    if (!attributes.delete(name)) refuse(`Could not find ${what}: ${name}`)
  return { ...table, attributes }
}

/** Prints the number of regions that have the new schema, until all have it. */
async function alterStatus(context: CommandContext, named: Value): Promise<void> {
  const { out, store, call } = context
  const table = await knownTable(context, named)
  if (context.servers === undefined && store.reach !== undefined) {
    // Over another protocol the server answers only when all regions have the new schema.
    const { length } = await store.catalog.regions(table, call)
    out.line(`${length}/${length} regions updated.`)
    out.line('Done.')
    return
  }
  for (;;) {
    const { tableRegionStatesCount } = await clusterStatus(context, [Option.TABLE_TO_REGIONS_COUNT])
    const counted = tableRegionStatesCount.find(
      ({ tableName }) => tableName !== undefined && tableNameFromMessage(tableName) === table,
    )?.regionStatesCount
    const { totalRegions = 0, regionsInTransition = 0, closedRegions = 0 } = counted ?? {}
    const updated = totalRegions - regionsInTransition - closedRegions
    out.line(totalRegions === 0 ? 'All regions updated.' : `${updated}/${totalRegions} regions updated.`)
    await context.sleep(STATUS_PAUSE_MS)
    if (regionsInTransition === 0) break
  }
  out.line('Done.')
}
