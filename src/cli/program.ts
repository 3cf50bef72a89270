/** The command and its subcommands. */

import { Command, CommanderError } from 'commander'
import type { ConformanceFlags } from '../conformance/command.ts'
import { isHBaseError } from '../model/errors.ts'
import { addConformanceOptions } from './conformance-options.ts'
import { addServeOptions, readServeSettings } from './serve-options.ts'
import { settingNames } from './setting-names.ts'
import { StartError } from './start-error.ts'
import { addToolCommands } from './tool-commands.ts'
import { addTransferCommands } from './transfer-commands.ts'
import { UsageError } from './usage-error.ts'
import { addUserCommands } from './user-commands.ts'
import { packageVersion } from './version.ts'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

const EXIT_CODES = `
Exit codes: 0 after SIGTERM or SIGINT; 1 where the server cannot start, does not stop in order within 9 s, or ends because of
a bug (stderr says why); 2 for a wrong flag, variable or config file, or too low a limit of open files.`

function buildProgram(): Command {
  const program = new Command('tidegate')
    .description('HBase REST and Thrift on an embedded engine: existing HBase clients talk to it unchanged')
    .version(packageVersion(), '-V, --version', 'print the version')
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) })
    .exitOverride()
  const serveCommand = program.command('serve').description('open the doors and serve until SIGTERM')
  addServeOptions(serveCommand)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .action(async () => {
      const settings = readServeSettings(serveCommand)
      // Server and engine are most of what there is to load: help, refusals and the other commands do without.
      const { serve } = await import('./serve.ts')
      await serve(settings, settingNames(serveCommand))
    })
  const conformance = program
    .command('conformance')
    .description(
      "send the recorded requests to any HBase-compatible server, and compare its answers with a real HBase's",
    )
  addConformanceOptions(conformance)
    .exitOverride()
    .action(async (flags: ConformanceFlags) => {
      const { runConformance } = await import('../conformance/command.ts')
      process.exitCode = (await runConformance(flags, printLine)) ? 0 : EXIT_FAILURE
    })
  addToolCommands(program)
  addTransferCommands(program)
  addUserCommands(program)
  return program
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Commander's message, and where to read on. */
function oneLine(text: string): string {
  const message = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
  return `tidegate: ${message} (tidegate --help lists the commands, tidegate COMMAND --help their options)\n`
}

/** One line for a failure that the user can mend; a bug keeps its stack. */
function describeFailure(error: unknown): string {
  if (isHBaseError(error) || error instanceof UsageError || error instanceof StartError) return error.message
  if (error instanceof Error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === undefined ? (error.stack ?? error.message) : error.message
  }
  return String(error)
}

/** Runs the command with the arguments of the process, and sets its exit code. */
export async function runProgram(): Promise<void> {
  try {
    await buildProgram().parseAsync(process.argv)
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
      return
    }
    process.stderr.write(`tidegate: ${describeFailure(error)}\n`)
    process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE
  }
}
