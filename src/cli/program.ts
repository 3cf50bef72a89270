/** The command and its subcommands. */

import { Command, CommanderError } from 'commander'
import type { ConformanceFlags } from '../conformance/command.ts'
import { addConformanceOptions, checkConformanceFlags } from './conformance-options.ts'
import { addCopyCommand } from './copy-command.ts'
import { describeFailure, exitCodeOf } from './describe-failure.ts'
import { refuseSecondValues } from './given-once.ts'
import { addHealthCommand } from './health-command.ts'
import { addRecordingCommands } from './recording-commands.ts'
import { addServeOptions, readServeSettings, type ServeSettings } from './serve-options.ts'
import { type NameSetting, settingNames } from './setting-names.ts'
import { addShellCommand } from './shell-command.ts'
import { addTimelineCommands } from './timeline-commands.ts'
import { addToolCommands } from './tool-commands.ts'
import { addTransferCommands } from './transfer-commands.ts'
import { addUserCommands } from './user-commands.ts'
import { packageVersion } from './version.ts'

const EXIT_FAILURE = 1
const EXIT_USAGE = 2

const EXIT_CODES = `
Exit codes: 0 after SIGTERM or SIGINT; 1 where the server cannot start, does not stop in order within 9 s, or ends because of
a bug (stderr says why); 2 for a wrong flag, variable or config file, or too low a limit of open files.`

/** The command with all its subcommands, before it has read any arguments. */
export function buildProgram(): Command {
  const program = new Command('tidegate')
    .description(
      "HBase's REST, Thrift and native RPC on an embedded engine or before a cluster: existing HBase clients talk to it unchanged",
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .configureOutput({ outputError: (text, write) => write(oneLine(text, serveHint(text, program))) })
    .exitOverride()
  const serveCommand = program.command('serve').description('open the doors and serve until SIGTERM')
  addServeOptions(serveCommand)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .action(async () => {
      const settings = readServeSettings(serveCommand)
      await serveWith(settings, settingNames(serveCommand))
    })
  const conformance = program
    .command('conformance')
    .description(
      "send the recorded requests to any HBase-compatible server, and compare its answers with a real HBase's",
    )
  addConformanceOptions(conformance)
    .exitOverride()
    .action(async (flags: ConformanceFlags) => {
      checkConformanceFlags(flags)
      const { runConformance } = await import('../conformance/command.ts')
      process.exitCode = (await runConformance(flags, printLine)) ? 0 : EXIT_FAILURE
    })
  addHealthCommand(program)
  addShellCommand(program)
  addToolCommands(program)
  addCopyCommand(program)
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
    const { serve } = await import('./serve.ts')
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

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** For an unknown option that `serve` has; where others miss it, `serve` was most likely forgotten. */
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
  try {
    await buildProgram().parseAsync(process.argv)
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE
      return
    }
    process.stderr.write(`tidegate: ${describeFailure(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
