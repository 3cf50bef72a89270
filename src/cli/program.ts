/** The command and its subcommands. */

import { Command, CommanderError } from 'commander'
import { addBackupCommand } from './backup/backup-commands.ts'
import { addConformanceCommand } from './commands/conformance-command.ts'
import { addHealthCommand } from './commands/health-command.ts'
import { addPromoteCommand } from './commands/promote-command.ts'
import { addRecordingCommands } from './commands/recording-commands.ts'
import { addShellCommand } from './commands/shell-command.ts'
import { addUserCommands } from './commands/user-commands.ts'
import { addDemoCommand } from './demo/demo-command.ts'
import { describeFailure, exitCodeOf } from './failures/describe-failure.ts'
import { refuseSecondValues } from './flags/given-once.ts'
import { packageVersion } from './machine/version.ts'
import { addServeHelp, WRAPPED_HELP } from './settings/serve-help.ts'
import { type ServeSettings, serveSettings } from './settings/serve-options.ts'
import { type NameSetting, settingNames } from './settings/setting-names.ts'
import { addServeOptions, readValues } from './settings/stated-values.ts'
import { hasLostOutput, watchStandardStreams } from './terminal/standard-streams.ts'
import { addToolCommands } from './tools/tool-commands.ts'
import { addChangesCommand } from './transfer/changes-command.ts'
import { addCopyCommand } from './transfer/copy-command.ts'
import { addTimelineCommands } from './transfer/timeline-commands.ts'
import { addTransferCommands } from './transfer/transfer-commands.ts'

const EXIT_USAGE = 2

const EXIT_CODES = `
Exit codes: 0 after SIGTERM or SIGINT; 1 where the server cannot start, does not
stop in order within 9 s, or ends because of a bug (stderr says why); 2 for a
wrong flag, variable or config file, or too low a limit of open files.`

/** The command with all its subcommands, before it has read any arguments. `args`: those that it will get: help depends on them. */
export function buildProgram(args: readonly string[] = process.argv): Command {
  const program = new Command('tidegate')
    .description(
      "HBase's REST, Thrift and native RPC on an embedded engine or before a cluster: existing HBase clients talk to it unchanged",
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .configureOutput({ outputError: (text, write) => write(oneLine(text, serveHint(text, program))) })
    .exitOverride()
    .configureHelp(WRAPPED_HELP)
  const serveCommand = addServeHelp(program.command('serve'), args)
  addServeOptions(serveCommand)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .action(async () => {
      const stated = readValues(serveCommand)
      await serveWith(serveSettings(stated), settingNames(stated))
    })
  addDemoCommand(program)
  addConformanceCommand(program)
  addHealthCommand(program)
  addShellCommand(program)
  addToolCommands(program)
  addBackupCommand(program)
  addPromoteCommand(program)
  addCopyCommand(program)
  addChangesCommand(program)
  addTransferCommands(program)
  addRecordingCommands(program)
  addTimelineCommands(program)
  addUserCommands(program)
  refuseSecondValues(program)
  return program
}

/** Server and engine are most of what there is to load: help, refusals and the other commands do without. */
async function serveWith(settings: ServeSettings, nameOf: NameSetting): Promise<void> {
  // While a server loads and starts, too, this signal ends none: its files are about to be read.
  process.on('SIGHUP', () => undefined)
  if (settings.processes === 1) {
    const { serve } = await import('./serve/serve.ts')
    await serve(settings, nameOf)
    return
  }
  const { placeOfWorker } = await import('./workers/place-of-worker.ts')
  const place = placeOfWorker()
  if (place === undefined) {
    const { serveByWorkers } = await import('./workers/serve-by-workers.ts')
    await serveByWorkers(settings, nameOf)
  } else {
    const { serveAsWorker } = await import('./workers/serve-as-worker.ts')
    await serveAsWorker(place, settings, nameOf)
  }
}

/** The hint for an unknown option that `serve` has: `serve` was most likely forgotten. */
function serveHint(text: string, program: Command): string {
  const option = /unknown option '(--[^'=]+)/.exec(text)?.[1]
  const serveCommand = program.commands.find((command) => command.name() === 'serve')
  const isOfServe = serveCommand?.options.some(({ long }) => long === option) === true
  return isOfServe ? `. It is an option of serve: tidegate serve ${option}` : ''
}

/** Commander's message, and where to read on. */
function oneLine(text: string, hint: string): string {
  const message = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
  return `tidegate: ${message}${hint} (tidegate --help lists the commands, tidegate COMMAND --help their options)\n`
}

/** Runs the command with the arguments of the process, and sets its exit code. */
export async function runProgram(): Promise<void> {
  watchStandardStreams()
  try {
    await buildProgram().parseAsync(process.argv)
    if (await hasLostOutput()) process.exitCode ||= EXIT_USAGE
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
      return
    }
    process.stderr.write(`tidegate: ${describeFailure(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
