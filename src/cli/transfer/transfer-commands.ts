/** `tidegate import` and `export`: files into and out of a table, of a folder or of a server. */

import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { TransferParts, TransferWork } from '../../../adapters/native/transfer/settled-store.ts'
import { counted } from '../../model/counted.ts'
import { parseTableName } from '../../model/table-name.ts'
import { parseRate } from '../flags/byte-size.ts'
import { addLoginOptions } from '../remote/login-options.ts'
import { ADDRESS_FORMS } from '../remote/server-address.ts'
import { folderOfStore, stoppedFolder } from '../stores/stopped-folder.ts'
import { beginProgress, quietOption, withProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'
import { EXIT_FINE, runTool } from '../terminal/tool-run.ts'
import type { CellFileFlags } from './cell-file-transfer.ts'
import { type NamedStore, parseNamedStore } from './named-store.ts'
import { addPartOptions, parseColumns } from './part-options.ts'

const STORE = `native:DIRECTORY, on which no server may run; for files of cells also ${ADDRESS_FORMS}`
const FORMATS = ['hfile', 'ndjson', 'csv', 'sequence'] as const
const BY_ENDING: Readonly<Record<string, (typeof FORMATS)[number]>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  csv: 'csv',
}

interface TransferFlags extends CellFileFlags {
  readonly store: NamedStore
  readonly table: string
  readonly format?: (typeof FORMATS)[number]
}

export function addTransferCommands(program: Command): void {
  const importing = program
    .command('import')
    .description(
      "bring files into a table: HBase's HFiles, as its bulk load does, newer than what the table has; or cells as NDJSON, CSV or files of HBase's Export",
    )
    .argument(
      '<path...>',
      "HFiles, a folder of family folders (HFileOutputFormat2), or a table's folder of HBase's data; files of cells, - for the input",
    )
    .requiredOption('--store <store>', STORE, parseNamedStore)
    .requiredOption('--table <table>', 'the table, NAMESPACE:NAME or NAME')
    .option(
      '--create',
      'make the table (and its namespace) where there is none: of HFiles as the folder of HBase or the files describe it, of cells with their families',
    )
    .option('--families <names>', 'with --create, of cells: the families of a new table, F,G', parseColumns)
    .option(
      '--fields <names>',
      "of a CSV file of others: what its fields are, HBASE_ROW_KEY,f:a,f:b, as HBase's ImportTsv names them",
    )
    .addOption(
      new Option(
        '--header <use>',
        'of a CSV file of others: skip its first line, or use it as --fields',
      ).choices(['skip', 'use']),
    )
  addFileOptions(importing)
    .exitOverride()
    .action((paths: string[], flags: TransferFlags) =>
      runTool(async () => {
        const format = formatOf(flags, paths[0]!)
        if (format === 'hfile') {
          const { fields, header, families } = flags
          if ((fields ?? header ?? families) !== undefined)
            throw new Error('--fields, --header and --families are of files of cells: name their --format')
          return importHFiles(paths, flags)
        }
        const { importFiles } = await import('./cell-file-transfer.ts')
        return importFiles(paths, { ...flags, format })
      }),
    )
  const exporting = program
    .command('export')
    .description(
      "write a table as HFiles, in the layout that HBase's BulkLoadHFilesTool takes, or its cells as NDJSON, CSV or a file of HBase's Import",
    )
    .argument(
      '<target>',
      'of HFiles and of sequence files a new or empty folder; of others a new file, or - for the output',
    )
    .requiredOption('--store <store>', STORE, parseNamedStore)
    .requiredOption('--table <table>', 'the table, NAMESPACE:NAME or NAME')
  addPartOptions(addFileOptions(exporting))
    .exitOverride()
    .action((target: string, flags: TransferFlags) =>
      runTool(async () => {
        const format = formatOf(flags, target)
        if (format === 'hfile') return exportHFiles(target, flags)
        const { exportFile } = await import('./cell-file-transfer.ts')
        return exportFile(target, { ...flags, format })
      }),
    )
}

function addFileOptions(command: Command): Command {
  return addLoginOptions(command.addOption(quietOption()))
    .addOption(
      new Option(
        '--format <format>',
        'ndjson, csv and sequence are files of cells (default: by the name, or hfile)',
      ).choices(FORMATS),
    )
    .option('--rate <bytes>', 'of cells: bytes a second at most, as 500k or 10m', parseRate)
    .option('--json', 'of cells: print progress and sums as objects, one a line')
}

function formatOf({ format }: TransferFlags, path: string): (typeof FORMATS)[number] {
  return format ?? BY_ENDING[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'hfile'
}

function directoryOf({ store }: TransferFlags): string {
  if (store.kind === 'native') return store.directory
  throw new InvalidArgumentError(
    `HFiles need --store native:DIRECTORY, not ${store.text}; name another --format`,
  )
}

async function importHFiles(paths: readonly string[], flags: TransferFlags): Promise<number> {
  const { importFiles } = await import('../../../adapters/native/transfer/import-files.ts')
  beginProgress('import', flags, () => 'The table has none of the files yet: run the same command again')
  const { sources, files, cells } = await withWork(flags.table, async (worked) =>
    importFiles(await transferParts(directoryOf(flags), worked), {
      table: parseTableName(flags.table),
      paths: paths.map((path) => resolve(path)),
      create: flags.create ?? false,
    }),
  )
  printLine(
    `imported ${counted(cells, 'cell')} of ${counted(sources, 'HFile')} into ${counted(files, 'file')} of ${flags.table}`,
  )
  return EXIT_FINE
}

async function exportHFiles(directory: string, flags: TransferFlags): Promise<number> {
  const { exportTable } = await import('../../../adapters/native/transfer/export-table.ts')
  const store = directoryOf(flags)
  await folderOfStore(store)
  beginProgress('export', flags, () => `${directory} has no whole family yet: run the same command again`)
  const { files, cells } = await withWork(flags.table, async (worked) =>
    exportTable(await transferParts(store, worked), parseTableName(flags.table), resolve(directory)),
  )
  printLine(`exported ${counted(cells, 'cell')} of ${flags.table} into ${counted(files, 'HFile')}`)
  return EXIT_FINE
}

function withWork<T>(task: string, work: (worked: (work: TransferWork) => void) => Promise<T>): Promise<T> {
  let at: TransferWork = { cells: 0, files: 0, fraction: 0 }
  const step = (): Step => ({
    task,
    amounts: [
      { unit: 'cells', done: at.cells },
      { unit: 'files', done: at.files },
    ],
    fraction: at.fraction,
  })
  return withProgress(step, () => work((now) => (at = now)))
}

async function transferParts(store: string, worked: (work: TransferWork) => void): Promise<TransferParts> {
  const { NODE_FILE_SYSTEM: fileSystem } = await import(
    '../../../adapters/native/platform/node-file-system.ts'
  )
  const { NODE_CLOCK: clock } = await import('../../../adapters/native/platform/node-clock.ts')
  return {
    fileSystem,
    clock,
    random: Math.random,
    directory: await stoppedFolder(store),
    log: (level, message) => {
      if (level !== 'info') printProgress(`${level}: ${message}`)
    },
    worked,
  }
}
