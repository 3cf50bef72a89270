import { compileJavaRegex } from '../../filter/regex/java-regex.ts'
import { isHBaseError } from '../../model/errors.ts'
import { namespaceOf } from '../../model/table-name.ts'
import type { RestoreOptions, SnapshotDescription, Snapshots } from '../../store/snapshots.ts'
import { int64Of, stringOf, tableOf } from '../arguments/argument-values.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { ANY_NAME } from '../context/tables-known.ts'
import { beyondReach, errorText, refuse } from '../output/shell-error.ts'
import { rubyTime } from '../output/timestamp-text.ts'
import { RubyHash, textOf, type Value } from '../ruby/values.ts'
import { isAgreed } from './list-commands.ts'

export const SNAPSHOT_COMMANDS: readonly ShellCommand[] = [
  { name: 'snapshot', min: 2, max: undefined, run: snapshot },
  { name: 'clone_snapshot', min: 2, max: 3, run: cloneSnapshot },
  { name: 'restore_snapshot', min: 1, max: 2, run: restoreSnapshot },
  { name: 'delete_snapshot', min: 1, max: 1, run: deleteSnapshot },
  { name: 'delete_all_snapshot', min: 1, max: 1, run: deleteAllSnapshot },
  { name: 'delete_table_snapshots', min: 1, max: 2, run: deleteTableSnapshots },
  { name: 'list_snapshots', min: 0, max: 1, run: (context, [name]) => list(context, ANY_NAME, name) },
  {
    name: 'list_table_snapshots',
    min: 1,
    max: 2,
    run: (context, [table, name]) => list(context, table!, name),
  },
]

function snapshotsOf({ store }: CommandContext): Snapshots {
  return store.upkeep.snapshots ?? beyondReach('the store has no snapshots')
}

async function snapshot(context: CommandContext, args: readonly Value[]): Promise<Value> {
  const [named, name, ...stated] = args
  const options = stated.find((each) => each instanceof RubyHash) ?? new RubyHash()
  const ttl = options.get('TTL')
  const maxSize = options.get('MAX_FILESIZE')
  await snapshotsOf(context).createSnapshot(
    stringOf(name, 'Snapshot name'),
    tableOf(named),
    options.get('SKIP_FLUSH') === true ? 'SKIPFLUSH' : 'FLUSH',
    context.call,
    {
      ...(ttl !== undefined && { timeToLiveSeconds: int64Of(ttl, 'TTL') }),
      ...(maxSize !== undefined && { maxFileBytes: int64Of(maxSize, 'MAX_FILESIZE') }),
    },
  )
  // HBase's shell returns its own options.
  return stated.length === 0 ? null : stated
}

/** The options of a restore. Like HBase's shell, it takes every value but nil and false for true. */
function restoreOptions(options: Value | undefined): RestoreOptions {
  const [acl, tracker] = ['RESTORE_ACL', 'CLONE_SFT'].map((key) =>
    options instanceof RubyHash ? (options.get(key) ?? undefined) : undefined,
  )
  const restoresPermissions = acl !== undefined && acl !== false
  return { restoresPermissions, ...(tracker !== undefined && { fileTracker: textOf(tracker) }) }
}

async function cloneSnapshot(context: CommandContext, args: readonly Value[]): Promise<void> {
  const [name, to, options] = args
  const table = tableOf(to)
  try {
    await snapshotsOf(context).cloneSnapshot(textOf(name!), table, context.call, restoreOptions(options))
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_EXISTS') refuse(`Table already exists: ${table}!`)
    if (isHBaseError(error) && error.code === 'NAMESPACE_NOT_FOUND')
      refuse(`Unknown namespace: ${namespaceOf(table)}!`)
    throw error
  }
}

async function restoreSnapshot(context: CommandContext, [name, options]: readonly Value[]): Promise<void> {
  await snapshotsOf(context).restoreSnapshot(textOf(name!), context.call, restoreOptions(options))
}

async function deleteSnapshot(context: CommandContext, [name]: readonly Value[]): Promise<void> {
  await snapshotsOf(context).deleteSnapshot(textOf(name!), context.call)
}

async function matching(
  context: CommandContext,
  tablePattern: Value,
  namePattern: Value,
): Promise<SnapshotDescription[]> {
  const [tables, names] = [tablePattern, namePattern].map((each) => compileJavaRegex(textOf(each), 0))
  const all = await snapshotsOf(context).listSnapshots(context.call)
  return all.filter(({ name, table }) => names!.matches(name) && tables!.matches(table))
}

async function printed(
  context: CommandContext,
  tablePattern: Value,
  namePattern: Value,
): Promise<SnapshotDescription[]> {
  const { out } = context
  out.header(['SNAPSHOT', 'TABLE + CREATION TIME'])
  const found = await matching(context, tablePattern, namePattern)
  for (const { name, table, createdAt } of found)
    out.row([name, `${table} (${rubyTime(Math.floor(createdAt / 1000) * 1000)})`])
  return found
}

async function list(context: CommandContext, table: Value, name: Value = ANY_NAME): Promise<Value> {
  const found = await printed(context, table, name)
  context.out.footer(found.length)
  return found.map((each) => Buffer.from(each.name))
}

async function deleteAllSnapshot(context: CommandContext, [pattern]: readonly Value[]): Promise<void> {
  const { out, call } = context
  const found = await printed(context, ANY_NAME, pattern!)
  if (found.length === 0) return out.line(`No snapshots matched the regex ${textOf(pattern!)}`)
  if (!(await isAgreed(context, `\nDelete the above ${found.length} snapshots (y/n)?`))) return
  for (const { name } of found) await snapshotsOf(context).deleteSnapshot(name, call)
  const left = (await matching(context, ANY_NAME, pattern!)).length
  if (left < found.length) out.line(`${found.length - left} snapshots successfully deleted.`)
  if (left === 0) return
  out.line(`\nFailed to delete the below ${left} snapshots.`)
  out.footer((await printed(context, ANY_NAME, pattern!)).length)
}

async function deleteTableSnapshots(context: CommandContext, args: readonly Value[]): Promise<void> {
  const { out, call } = context
  const [table, name = ANY_NAME] = args
  const found = await printed(context, table!, name)
  if (found.length === 0)
    return out.line(
      `No snapshots matched the table name regular expression ${textOf(table!)} and the snapshot name regular expression ${textOf(name)}`,
    )
  if (!(await isAgreed(context, `\nDelete the above ${found.length} snapshots (y/n)?`))) return
  for (const { name: each } of found) {
    try {
      await snapshotsOf(context).deleteSnapshot(each, call)
      out.line(`Successfully deleted snapshot: ${each}\n`)
    } catch (error) {
      out.line(`Failed to delete snapshot: ${each}, due to below exception,\n${errorText(error, [])}\n`)
    }
  }
}
