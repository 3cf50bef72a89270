/** `tidegate changes`: the changes of a table of a server, as lines. */

import { type Command, Option } from 'commander'
import type { TableName } from '../../model/table-name.ts'
import { addLoginOptions, type LoginFlags } from '../remote/login-options.ts'
import { parseClusterAddress, type ServerAddress } from '../remote/server-address.ts'
import { runTool } from '../terminal/tool-run.ts'
import { parseBytes, parseColumns, parseTable } from './part-options.ts'

export interface ChangesFlags extends LoginFlags {
  readonly address: { readonly text: string; readonly server: ServerAddress }
  readonly from: string
  readonly columns?: readonly Buffer[]
  readonly prefix?: Buffer
  readonly follow?: true
}

export function addChangesCommand(program: Command): void {
  const command = program
    .command('changes')
    .description(
      'print the changes of a table in their order, a row a line: NDJSON with tokens to go on from',
    )
    .argument('<table>', 'the table, NAMESPACE:NAME or NAME', parseTable)
    .addOption(
      new Option('--address <address>', 'a server on its own engine: rpc:HOST:PORT, or zookeeper:HOST:PORT')
        .argParser((text) => ({ text, server: parseClusterAddress(text) }))
        .makeOptionMandatory(),
    )
    .option(
      '--from <token>',
      'the token of the last line that was read; now; or oldest, the first one that is kept',
      'now',
    )
    .option(
      '--columns <names>',
      'families and columns, FAMILY or FAMILY:QUALIFIER, with commas',
      parseColumns,
    )
    .option('--prefix <row>', 'only rows that begin with it; bytes that are no text as \\xHH', parseBytes)
    .option('--follow', 'wait for further changes, also while the server is away, until Ctrl-C')
  addLoginOptions(command)
    .addHelpText(
      'after',
      '\nThe user needs the permission READ of the table, or of the families. Each change comes once, also over restarts of the server; from the token of the last line the next run goes on.\nExit codes: 0 at the end, or where the reader of the output has gone; 2 where the changes cannot be read, as with a token of another store or one from before the log that is kept, or where the table is dropped.',
    )
    .exitOverride()
    .action((table: TableName, flags: ChangesFlags) =>
      runTool(async () => (await import('./run-changes.ts')).runChanges(table, flags)),
    )
}
