/** `tidegate check`, `dump` and `repair`: tools for the folder of an embedded store. */

import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { DIRECTORY, folderOfStore } from '../stores/stopped-folder.ts'
import { quietOption } from '../terminal/command-progress.ts'
import { printLine, printLines } from '../terminal/print-lines.ts'
import { EXIT_FINE, runTool } from '../terminal/tool-run.ts'
import { addCheckCommand } from './check-command.ts'

const EXIT_DAMAGE = 1

export function addToolCommands(program: Command): void {
  addCheckCommand(program)
  addDump(program)
  addRepair(program)
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
      runTool(async () => {
        const { NODE_FILE_SYSTEM } = await import('../../../adapters/native/platform/node-file-system.ts')
        const { dump } = await import('../../../adapters/native/inspect/dump.ts')
        const { dumpLine } = await import('../../../adapters/native/inspect/dump-text.ts')
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
    .description(
      'set the damaged parts of a stopped store aside, so that it serves the rest; says what is lost',
    )
    .argument('<directory>', DIRECTORY)
    .option('--dry-run', 'say what would be done, and write nothing')
    .addOption(quietOption())
    .addHelpText(
      'after',
      '\nNothing is removed: damaged files go to lost+found. Exit codes: 0 where the store serves now, 1 where damage is left\n(with --dry-run: where there is damage), 2 where it cannot be repaired.',
    )
    .exitOverride()
    .action((directory: string, { dryRun = false, ...flags }: { dryRun?: boolean; quiet?: true }) =>
      runTool(async () => {
        const { runRepair } = await import('./repair-command.ts')
        return runRepair(await folderOfStore(directory), dryRun, printLine, flags)
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

function* mapped<T, R>(items: Iterable<T>, map: (item: T) => R): Generator<R> {
  for (const item of items) yield map(item)
}
