/** `tidegate copy`: tables from one store or server to another. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { counted } from '../../model/counted.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { HBaseError, isHBaseError } from '../../model/errors.ts'
import { plainMessage } from '../../model/plain-message.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import type { TableToCopy } from '../../transfer/copy-tables.ts'
import { type CopyProgress, progressText } from '../../transfer/progress.ts'
import { parseRate } from '../flags/byte-size.ts'
import { RepeatableOption } from '../flags/given-once.ts'
import { addLoginOptions, type LoginFlags, readLogin } from '../remote/login-options.ts'
import { ADDRESS_FORMS } from '../remote/server-address.ts'
import { beginProgress, type ProgressFlags, quietOption } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import { EXIT_FINE, runTool } from '../terminal/tool-run.ts'
import { type NamedStore, openNamedStore, parseNamedStore, serversOf } from './named-store.ts'
import { addPartOptions, type PartFlags, parseTable, partOf, partText } from './part-options.ts'
import { showTransfer } from './transfer-steps.ts'
import { allTables } from './unseen-tables.ts'
import { addVerifyOptions, checkVerifyFlags, runVerify, type VerifyFlags } from './verify-command.ts'

const EXIT_LEFT_OUT = 1

export interface CopyFlags extends PartFlags, LoginFlags, VerifyFlags, ProgressFlags {
  readonly table?: readonly TableToCopy[]
  readonly all?: true
  readonly create?: true
  readonly resume?: string
  readonly rate?: number
  readonly json?: true
}

export function addCopyCommand(program: Command): void {
  const command = program
    .command('copy')
    .description(
      'copy tables as they are: all versions, markers of deletes, timestamps; repeating a copy is safe',
    )
    .argument('<source>', `native:DIRECTORY, ${ADDRESS_FORMS}`, parseNamedStore)
    .argument('<destination>', 'as the source', parseNamedStore)
    .addOption(
      new RepeatableOption(
        '--table <name>',
        'a table, or NAME=OTHER for another name there; may be repeated',
      ).argParser(collectTable),
    )
    .option('--all', 'all tables of users')
    .option('--create', 'make tables and namespaces that the destination does not have, with their regions')
    .option('--resume <file>', 'keep there how far the copy is, and go on from there')
    .option('--rate <bytes>', 'bytes a second at most, as 500k or 10m', parseRate)
    .option('--json', 'print progress and sums as objects, one a line')
  addLoginOptions(addVerifyOptions(addPartOptions(command.addOption(quietOption()))))
    .addHelpText(
      'after',
      '\nWhere both are servers, the user logs in to both.\nExit codes: 0 when all is copied, 1 where some tables are not, which are named, 2 where the copy could not begin or could not end; run it again with the same --resume.\nWith --verify: 0 when all is equal, 1 where cells differ, 2 where tables are not compared, or the comparison could not begin or end.',
    )
    .exitOverride()
    .action((source: NamedStore, destination: NamedStore, flags: CopyFlags) =>
      runTool(() => {
        checkVerifyFlags(flags)
        if ((flags.table === undefined) === (flags.all === undefined))
          throw new Error('name the tables: --table NAME, or --all')
        return flags.verify === true
          ? runVerify(source, destination, flags)
          : runCopy(source, destination, flags)
      }),
    )
}

function collectTable(text: string, before: readonly TableToCopy[] = []): TableToCopy[] {
  const [from, to = from, ...more] = text.split('=')
  if (more.length > 0) throw new InvalidArgumentError('It must be NAME or NAME=OTHER.')
  return [...before, { from: parseTable(from!), to: parseTable(to!) }]
}

async function runCopy(source: NamedStore, destination: NamedStore, flags: CopyFlags): Promise<number> {
  const { copyTables } = await import('../../transfer/copy-tables.ts')
  const { resumeFile } = await import('../../transfer/resume-file.ts')
  beginProgress('copy', flags, () => copyAdvice(flags))
  const login = await readLogin(flags, serversOf(source, destination))
  const from = await openNamedStore(source, printProgress, login, true)
  try {
    // Before the destination is opened: a source that refuses the login leaves no new folder behind.
    const tables = await tablesToCopy(from, source, flags)
    const to = await openNamedStore(destination, printProgress, login, true)
    const left: string[] = []
    try {
      await copyTables({
        source: from,
        destination: to,
        tables,
        part: partOf(flags),
        create: flags.create ?? false,
        name: `${source.text} ${destination.text} ${partText(flags)}`,
        keeper: flags.resume === undefined ? undefined : resumeFile(flags.resume),
        bytesPerSecond: flags.rate ?? Number.POSITIVE_INFINITY,
        call: OWN_CALL,
        now: () => performance.now(),
        pause: (milliseconds) => pause(milliseconds),
        warn: (text) => printProgress(`warning: ${text}`),
        begins: showTransfer,
        report: flags.json === true ? (progress) => printLine(JSON.stringify(progress)) : printTransfer,
        leftOut: (table, reason) => {
          left.push(table)
          printProgress(leftOutText(table, reason))
        },
      })
      if (left.length === 0) return EXIT_FINE
      const names = left.join(', ')
      printProgress(
        `tidegate: ${counted(left.length, 'table is', 'tables are')} not copied, or not whole: ${names}`,
      )
      return EXIT_LEFT_OUT
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** For a table that a copy leaves out. */
export function leftOutText(table: string, reason: unknown): string {
  if (isHBaseError(reason) && reason.code === 'TABLE_NOT_ENABLED')
    return `warning: ${table} is disabled, and is left out: enable it, and copy it then`
  const why = isHBaseError(reason) ? plainMessage(reason) : reasonOf(reason)
  return `warning: ${table} is not copied: ${why}`
}

/** Prints sums to stdout, as the answer of the command. The display has the progress. */
export function printTransfer(progress: CopyProgress): void {
  if (progress.isDone) printLine(progressText(progress))
}

function copyAdvice({ resume }: CopyFlags): string {
  if (resume !== undefined) return `The same command goes on from ${resume}`
  return 'Repeating the copy is safe; with --resume FILE the next one could go on from where it was'
}

/** Throws TABLE_NOT_FOUND, and the source's own error for a refused login. */
async function tablesToCopy(
  store: Store,
  source: NamedStore,
  flags: CopyFlags,
): Promise<readonly TableToCopy[]> {
  const { catalog } = store
  if (flags.table === undefined) return allTables(store, source, flags.user !== undefined)
  for (const { from } of flags.table) {
    const exists = await catalog.tableExists(from, OWN_CALL)
    // A table that is copied already may be gone.
    if (!exists && flags.resume === undefined) throw new HBaseError('TABLE_NOT_FOUND', from)
  }
  return flags.table
}
