/** `tidegate import` and `export`: HFiles into and out of a stopped embedded store. */

import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { TransferParts } from '../../adapters/native/transfer/settled-store.ts'
import { counted } from '../model/counted.ts'
import { parseTableName } from '../model/table-name.ts'
import { EXIT_FINE, folderOfStore, orCannot, printNow, stoppedFolder, tellProgress } from './tool-commands.ts'

const STORE = 'the store, native:DIRECTORY; no server may run on it'

interface TransferFlags {
  readonly store: string
  readonly table: string
  readonly create?: boolean
}

export function addTransferCommands(program: Command): void {
  program
    .command('import')
    .description(
      "bring HBase's HFiles into a table, as its bulk load does: they are newer than what the table has",
    )
    .argument(
      '<path...>',
      "HFiles, a folder of family folders (HFileOutputFormat2), or a table's folder of HBase's data",
    )
    .requiredOption('--store <store>', STORE, parseStore)
    .requiredOption('--table <table>', 'the table, NAMESPACE:NAME or NAME')
    .option(
      '--create',
      'make the table (and its namespace) where there is none, as the folder of HBase or the files tell it',
    )
    .exitOverride()
    .action((paths: string[], flags: TransferFlags) =>
      orCannot(async () => {
        const { importFiles } = await import('../../adapters/native/transfer/import-files.ts')
        const { sources, files, cells } = await importFiles(await transferParts(flags.store), {
          table: parseTableName(flags.table),
          paths: paths.map((path) => resolve(path)),
          create: flags.create ?? false,
        })
        printNow(
          `imported ${counted(cells, 'cell')} of ${counted(sources, 'HFile')} into ${counted(files, 'file')} of ${flags.table}`,
        )
        return EXIT_FINE
      }),
    )
  program
    .command('export')
    .description("write a table as HFiles, in the layout that HBase's BulkLoadHFilesTool takes")
    .argument('<directory>', 'a new or empty folder')
    .requiredOption('--store <store>', STORE, parseStore)
    .requiredOption('--table <table>', 'the table, NAMESPACE:NAME or NAME')
    .exitOverride()
    .action((directory: string, flags: TransferFlags) =>
      orCannot(async () => {
        const { exportTable } = await import('../../adapters/native/transfer/export-table.ts')
        await folderOfStore(flags.store)
        const parts = await transferParts(flags.store)
        const { files, cells } = await exportTable(parts, parseTableName(flags.table), resolve(directory))
        printNow(`exported ${counted(cells, 'cell')} of ${flags.table} into ${counted(files, 'HFile')}`)
        return EXIT_FINE
      }),
    )
}

function parseStore(text: string): string {
  if (!text.startsWith('native:') || text === 'native:')
    throw new InvalidArgumentError('It must be native:DIRECTORY.')
  return text.slice('native:'.length)
}

async function transferParts(store: string): Promise<TransferParts> {
  const { NODE_FILE_SYSTEM: fileSystem } = await import('../../adapters/native/platform/node-file-system.ts')
  const { NODE_CLOCK: clock } = await import('../../adapters/native/platform/node-clock.ts')
  return {
    fileSystem,
    clock,
    random: Math.random,
    directory: await stoppedFolder(store),
    log: (level, message) => {
      if (level !== 'info') tellProgress(`${level}: ${message}`)
    },
    say: tellProgress,
  }
}
