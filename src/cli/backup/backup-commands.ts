/** `tidegate backup`: backups of servers while they serve. */

import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { TableToCopy } from '../../transfer/copy-tables.ts'
import { parseRate } from '../flags/byte-size.ts'
import { RepeatableOption } from '../flags/given-once.ts'
import { addLoginOptions, type LoginFlags } from '../remote/login-options.ts'
import { parseClusterAddress, parseServerAddress, type ServerAddress } from '../remote/server-address.ts'
import { quietOption } from '../terminal/command-progress.ts'
import { runTool } from '../terminal/tool-run.ts'
import { parseTable } from '../transfer/part-options.ts'

const DEST = 'the folder of the backups, of this machine or on a network'
const CODES =
  '\nExit codes: 0 when all is as it should be, 1 for damage and for tables that were not copied, 2 where the command could not begin or could not end.'

/** Of commands that work on a destination alone. */
export interface LockFlags {
  readonly wait?: true
}

export interface CreateFlags extends LoginFlags, OutputFlags, LockFlags {
  readonly address: { readonly text: string; readonly server: ServerAddress }
  readonly limit?: number
}

export interface OutputFlags {
  readonly json?: true
  readonly quiet?: true
}

export interface VerifyFlags extends OutputFlags, LockFlags {
  readonly backup?: string
  readonly limit?: number
}

export interface PruneFlags extends OutputFlags, LockFlags {
  readonly keepLast?: number
  readonly keepDaily?: number
  readonly keepWeekly?: number
  readonly keepMonthly?: number
  readonly keepLogDays?: number
  readonly dryRun?: true
}

export interface RestoreFlags extends LoginFlags, OutputFlags, LockFlags {
  readonly to: RestorePlace
  readonly backup?: string
  /** A name as `list` shows it, or a cluster id. */
  readonly server?: string
  /** Infinity: the latest. */
  readonly time?: number
  readonly table?: readonly TableToCopy[]
  readonly sameIdentity?: true
  readonly work?: string
  readonly limit?: number
}

export type RestorePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'server'; readonly text: string; readonly server: ServerAddress }

export function addBackupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('back up a server while it serves: create, list, verify, prune and restore backups')
  addCreate(backup)
  addList(backup)
  addVerify(backup)
  addPrune(backup)
  addRestore(backup)
}

function limitOption(): Option {
  return new Option('--limit <bytes>', 'bytes a second at most, as 50m').argParser(parseRate)
}

function backupOption(): Option {
  return new Option('--backup <name>', 'this one of the backups, as `list` names them')
}

function waitOption(): Option {
  return new Option('--wait', 'wait while another command, or a server, works on the destination')
}

function addCreate(backup: Command): void {
  const command = backup
    .command('create')
    .description(
      'copy one moment of all tables, permissions, labels and quotas; files that are there already are not copied again',
    )
    .argument('<destination>', DEST, (text) => resolve(text))
    .addOption(
      new Option('--address <address>', 'the server: rpc:HOST:PORT, or zookeeper:HOST:PORT')
        .argParser((text) => ({ text, server: parseClusterAddress(text) }))
        .makeOptionMandatory(),
    )
    .addOption(limitOption())
    .addOption(waitOption())
    .addOption(quietOption())
    .option('--json', 'print progress and the backup as objects, one a line')
  addLoginOptions(command)
    .addHelpText(
      'after',
      `\nThe user needs the permission ADMIN of everything. Run it again after a failure: what is copied stays.\n${CODES.trim()}`,
    )
    .exitOverride()
    .action((destination: string, flags: CreateFlags) =>
      runTool(async () => (await import('./run-create.ts')).runCreate(destination, flags)),
    )
}

function addList(backup: Command): void {
  backup
    .command('list')
    .description('show the backups, the oldest first, and the times that archived logs can restore')
    .argument('<destination>', DEST, (text) => resolve(text))
    .option('--json', 'print an object for each, one a line')
    .addHelpText('after', CODES)
    .exitOverride()
    .action((destination: string, flags: OutputFlags) =>
      runTool(async () => (await import('./run-upkeep.ts')).runList(destination, flags)),
    )
}

function addVerify(backup: Command): void {
  backup
    .command('verify')
    .description('read all files of the backups and all archived logs, and compare them with their checksums')
    .argument('<destination>', DEST, (text) => resolve(text))
    .addOption(backupOption())
    .addOption(limitOption())
    .addOption(waitOption())
    .addOption(quietOption())
    .option('--json', 'print progress and findings as objects, one a line')
    .addHelpText('after', CODES)
    .exitOverride()
    .action((destination: string, flags: VerifyFlags) =>
      runTool(async () => (await import('./run-upkeep.ts')).runVerify(destination, flags)),
    )
}

function addPrune(backup: Command): void {
  backup
    .command('prune')
    .description('remove backups that none of the rules keeps, and the files that only they have')
    .argument('<destination>', DEST, (text) => resolve(text))
    .option('--keep-last <n>', 'keep so many of the newest', parseCount)
    .option(
      '--keep-daily <n>',
      'keep the newest one of each of the last n days that have any, by UTC',
      parseCount,
    )
    .option('--keep-weekly <n>', 'the same of weeks', parseCount)
    .option('--keep-monthly <n>', 'the same of months', parseCount)
    .option(
      '--keep-log-days <n>',
      'keep all that the last n days of the archived logs need, and no older logs; without it all logs behind the oldest backup stay',
      parseCount,
    )
    .addOption(waitOption())
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .addOption(quietOption())
    .option('--json', 'print the answer as one object')
    .addHelpText('after', CODES)
    .exitOverride()
    .action((destination: string, flags: PruneFlags) =>
      runTool(async () => (await import('./run-upkeep.ts')).runPrune(destination, flags)),
    )
}

function addRestore(backup: Command): void {
  const command = backup
    .command('restore')
    .description('make a store of a backup in a new folder, or copy tables of it into a running server')
    .argument('<destination>', DEST, (text) => resolve(text))
    .addOption(
      new Option(
        '--to <place>',
        'an empty or new folder, for --store native:FOLDER; or a server: rpc:HOST:PORT or zookeeper:HOST:PORT',
      )
        .argParser(parsePlace)
        .makeOptionMandatory(),
    )
    .addOption(backupOption())
    .option('--server <name>', 'of several servers this one, as `list` names it, or its cluster id')
    .addOption(
      new Option(
        '--time <time>',
        'the state of this time, as 2026-11-30T03:00:00Z or 2026-11-30T04:00+01:00, by the logs that `serve --archive-log` has put there, or else the last backup of this time or before, with a warning and the exit code 1; `latest`: the last state that there is',
      ).argParser(parseMoment),
    )
    .addOption(
      new RepeatableOption(
        '--table <name>',
        'only this table, and in a folder those of the system; may be repeated. For a server also NAME=OTHER',
      ).argParser(collectTable),
    )
    .option(
      '--same-identity',
      'of a folder: the store has the cluster id of the one that was backed up; only where that never runs again',
    )
    .option(
      '--work <folder>',
      'where files lie while tables are copied into a server; the default is a temporary folder',
    )
    .addOption(limitOption())
    .addOption(waitOption())
    .addOption(quietOption())
    .option('--json', 'print progress and findings as objects, one a line')
  addLoginOptions(command)
    .addHelpText('after', `\nWithout --backup and --time it is the newest backup.${CODES}`)
    .exitOverride()
    .action((destination: string, flags: RestoreFlags) =>
      runTool(async () => (await import('./run-restore.ts')).runRestore(destination, flags)),
    )
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return count
}

function parsePlace(text: string): RestorePlace {
  if (/^(?:rpc|zookeeper|rest|thrift|hbase):/.test(text))
    return { kind: 'server', text, server: parseServerAddress(text) }
  const folder = text.replace(/^native:/, '')
  if (folder === '') throw new InvalidArgumentError('It must be a folder, or a server.')
  return { kind: 'folder', folder: resolve(folder) }
}

/** A time without a zone could be meant in two ways. The form that the commands print is read, too. */
function parseMoment(text: string): number {
  if (text === 'latest') return Number.POSITIVE_INFINITY
  return parseTime(text.replace(/^(\d{4}-\d{2}-\d{2}) ([\d:.]+) UTC$/, '$1T$2Z'))
}

function parseTime(text: string): number {
  const isFull = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)
  const at = /^\d{11,14}$/.test(text) ? Number(text) : Date.parse(text)
  // The 31st of February would be the 3rd of March.
  const isDay = Number.isNaN(at) || !isFull || isDate(text.slice(0, 10))
  if ((!isFull && !/^\d{11,14}$/.test(text)) || Number.isNaN(at) || !isDay)
    throw new InvalidArgumentError(
      'It must be as 2026-11-30T03:00:00Z, 2026-11-30T04:00+01:00 or "2026-11-30 03:00:00.250 UTC", or milliseconds since 1970, or latest.',
    )
  return at
}

function isDate(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

function collectTable(text: string, before: readonly TableToCopy[] = []): TableToCopy[] {
  const [from, to = from, ...more] = text.split('=')
  if (more.length > 0) throw new InvalidArgumentError('It must be NAME or NAME=OTHER.')
  return [...before, { from: parseTable(from!), to: parseTable(to!) }]
}
