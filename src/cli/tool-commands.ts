/** `tidegate check`, `dump` and `repair`: tools for the folder of an embedded store. */

import { readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Finding } from '../../adapters/native/inspect/finding.ts'
import { counted } from '../model/counted.ts'
import { isHBaseError } from '../model/errors.ts'
import { plainMessage } from '../model/plain-message.ts'
import { printLines } from './print-lines.ts'

export const EXIT_FINE = 0
const EXIT_DAMAGE = 1
const EXIT_CANNOT = 2

const DIRECTORY = 'the folder of --store native:DIRECTORY'

export function addToolCommands(program: Command): void {
  addCheck(program)
  addDump(program)
  addRepair(program)
}

function addCheck(program: Command): void {
  program
    .command('check')
    .description(
      "check every byte of a stopped store's folder: checksums, order, indexes, references; writes nothing",
    )
    .argument('<directory>', DIRECTORY)
    .option('--json', 'print one JSON object a finding, and one with the sums')
    .addHelpText(
      'after',
      '\nExit codes: 0 where the store is whole (warnings are no damage), 1 for damage, 2 where it cannot be checked.',
    )
    .exitOverride()
    .action((directory: string, { json = false }: { json?: boolean }) =>
      orCannot(async () => {
        const { NODE_FILE_SYSTEM: fileSystem } = await import(
          '../../adapters/native/platform/node-file-system.ts'
        )
        const { NODE_CLOCK: clock } = await import('../../adapters/native/platform/node-clock.ts')
        const { checkFolder } = await import('../../adapters/native/inspect/folder-check.ts')
        const folder = await folderOfStore(directory)
        const report = (finding: Finding): void =>
          printNow(json ? JSON.stringify(finding) : findingText(finding))
        const sums = checkFolder({ fileSystem, directory: folder, clock, report, tell: tellProgress })
        if (sums === undefined) throw new Error(`${directory} has no store`)
        const { storeFiles, logs, records, bytes, errors, warnings } = sums
        printNow(
          json
            ? JSON.stringify({ kind: 'sums', ...sums })
            : `checked ${counted(storeFiles, 'store file')} and ${counted(logs, 'log')} with ${counted(records, 'record')}, ${counted(bytes, 'byte')}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
        )
        return errors > 0 ? EXIT_DAMAGE : EXIT_FINE
      }),
    )
}

function addDump(program: Command): void {
  program
    .command('dump')
    .description('show a store file, a log, a manifest, or what a folder has; as far as damage lets it')
    .argument('<path>', `a file, or ${DIRECTORY}`)
    .option('--cells', 'show the cells of blocks and records, with their values')
    .option('--keys-only', 'show the cells without their values')
    .option('--limit <n>', 'the most cells, records or edits to show', parseLimit)
    .option('--json', 'print JSON objects, one a line')
    .exitOverride()
    .action((path: string, flags: DumpFlags) =>
      orCannot(async () => {
        const { NODE_FILE_SYSTEM } = await import('../../adapters/native/platform/node-file-system.ts')
        const { dump } = await import('../../adapters/native/inspect/dump.ts')
        const { dumpLine } = await import('../../adapters/native/inspect/dump-text.ts')
        const cells = flags.keysOnly === true ? 'keys' : flags.cells === true ? 'values' : 'none'
        const options = { cells, limit: flags.limit ?? Number.POSITIVE_INFINITY } as const
        const items = dump(NODE_FILE_SYSTEM, resolve(path), options)
        let isDamaged = false
        await printLines(
          mapped(items, (item) => {
            isDamaged ||= item.kind === 'damage'
            return flags.json === true ? JSON.stringify(item) : dumpLine(item)
          }),
        )
        return isDamaged ? EXIT_DAMAGE : EXIT_FINE
      }),
    )
}

function addRepair(program: Command): void {
  program
    .command('repair')
    .description('set aside what is damaged in a stopped store, and let it serve the rest; says what is lost')
    .argument('<directory>', DIRECTORY)
    .option('--dry-run', 'say what would be done, and write nothing')
    .addHelpText(
      'after',
      '\nNothing is removed: damaged files go to lost+found. Exit codes: 0 where the store serves now, 1 where damage is left\n(with --dry-run: where there is damage), 2 where it cannot be repaired.',
    )
    .exitOverride()
    .action((directory: string, { dryRun = false }: { dryRun?: boolean }) =>
      orCannot(async () => {
        const { runRepair } = await import('./repair-command.ts')
        return runRepair(await folderOfStore(directory), dryRun, printNow, tellProgress)
      }),
    )
}

interface DumpFlags {
  readonly cells?: boolean
  readonly keysOnly?: boolean
  readonly limit?: number
  readonly json?: boolean
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new InvalidArgumentError('It must be a whole number from 0.')
  return limit
}

/** The full path of a folder that has something and that no server has. Throws where it is another: a mistyped name makes no store. */
export async function folderOfStore(directory: string): Promise<string> {
  const facts = statSync(directory, { throwIfNoEntry: false })
  if (facts === undefined) throw new Error(`${directory} is not there`)
  if (!facts.isDirectory()) throw new Error(`${directory} is a file: name ${DIRECTORY}`)
  if (readdirSync(directory).length === 0) throw new Error(`${directory} has no store: it is empty`)
  return stoppedFolder(directory)
}

/** The folder's full path. Throws UNAVAILABLE while a server has it: its files change under a reader. */
export async function stoppedFolder(directory: string): Promise<string> {
  const { lockOwner } = await import('../../adapters/native/platform/node-directory-lock.ts')
  const folder = resolve(directory)
  const owner = await lockOwner(folder)
  if (owner !== undefined) throw new Error(`${directory} is in use by process ${owner}: stop it first`)
  return folder
}

/** Runs a tool for its exit code. What it throws for a reason that the user can mend is one line, and exit code 2. */
export async function orCannot(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    process.stderr.write(`tidegate: ${refusalText(error)}\n`)
    process.exitCode = EXIT_CANNOT
  }
}

function refusalText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isHBaseError(error)) return plainMessage(error)
  if (error instanceof TypeError) return error.stack ?? error.message
  const { code, path } = error as NodeJS.ErrnoException
  if (path === undefined) return error.message
  if (code === 'EEXIST') return `${path} is there already: name another file, or remove it`
  if (code === 'ENOENT') return `${path} is not there`
  if (code === 'EACCES' || code === 'EPERM')
    return `${path}: this user (${userInfo().username}) may not read or write it: run the command as the server's user, or give this user the right`
  return error.message
}

export function printNow(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function tellProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

function findingText({ severity, path, offset, message, advice, table, region, snapshot }: Finding): string {
  const place = offset === undefined ? path : `${path} at byte ${offset}`
  const of = snapshot === undefined ? '' : `snapshot ${snapshot} of `
  const owner = table === undefined ? '' : ` (${of}table ${table}, region ${region})`
  return `${severity.toUpperCase()} ${place}${owner}: ${message}\n  what to do: ${advice}`
}

function* mapped<T, R>(items: Iterable<T>, map: (item: T) => R): Generator<R> {
  for (const item of items) yield map(item)
}
