/** `tidegate shell`: HBase's shell, for Tidegate and for HBase itself. */

import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { reasonOf } from '../../model/error-reason.ts'
import type { DataFormat } from '../../shell/output/data-formatter.ts'
import type { LineSource } from '../../shell/run-lines.ts'
import { UsageError } from '../failures/usage-error.ts'
import { RepeatableOption } from '../flags/given-once.ts'
import { packageVersion } from '../machine/version.ts'
import { addLoginOptions, type CommandLogin, type LoginFlags, readLogin } from '../remote/login-options.ts'
import { openServer, userName } from '../remote/open-server.ts'
import { DEFAULT_ADDRESS, parseServerAddress, type ServerAddress } from '../remote/server-address.ts'

interface ShellFlags extends LoginFlags {
  readonly address: ServerAddress
  readonly execute?: readonly string[]
  readonly noninteractive?: true
  readonly format?: DataFormat
  readonly history: boolean
}

/** The retries of HBase's shell: a user does not wait for more. */
const RETRIES_MAX = 7
const EXIT_INTERRUPTED = 130

export function addShellCommand(program: Command): void {
  const command = program
    .command('shell')
    .description(
      "HBase's shell: commands for tables, rows and servers of Tidegate or of HBase, by native RPC, REST or Thrift",
    )
    .argument('[script]', 'a file of commands; without one the commands come from the input')
    .addOption(
      new Option(
        '--address <address>',
        'zookeeper:HOST:PORT[,HOST:PORT...][/ZNODE], rpc:HOST:PORT[,HOST:PORT...], rest:HOST:PORT or thrift:HOST:PORT[/framed|/http]',
      )
        .argParser(parseServerAddress)
        .default(parseServerAddress(DEFAULT_ADDRESS), DEFAULT_ADDRESS),
    )
    .addOption(
      new RepeatableOption(
        '-e, --execute <command>',
        'run this command, and no others; may be repeated',
      ).argParser(collect),
    )
    .option('-n, --noninteractive', 'end with exit code 1 at the first failure')
    .addOption(
      new Option('--format <format>', 'data for programs on stdout; implies -n').choices(['json', 'csv']),
    )
    .option('--no-history', 'neither read nor write the file of earlier lines')
  addLoginOptions(command)
    .addHelpText(
      'after',
      '\nExit codes: 0, or the one that exit states; 1 after a failure with -n or -e; 2 for a wrong flag.',
    )
    .exitOverride()
    .action(async (script: string | undefined, flags: ShellFlags) => {
      const login = await readLogin(flags, [flags.address])
      process.exitCode = await runShell(script, flags, login)
    })
}

function write(text: string): void {
  process.stdout.write(text)
}

function warn(text: string): void {
  process.stderr.write(`${text}\n`)
}

function warnPart(text: string): void {
  process.stderr.write(text)
}

let hasWarned = false

/** A call is repeated for some seconds: the user should know at once which server does not answer. */
function warnOnce(reason: string): void {
  if (!hasWarned) warn(`no answer yet, trying again: ${reason}`)
  hasWarned = true
}

function collect(command: string, before: readonly string[] = []): string[] {
  return [...before, command]
}

async function runShell(script: string | undefined, flags: ShellFlags, login: CommandLogin): Promise<number> {
  const scriptInput = script === undefined ? undefined : await openScript(script)
  const { openShell } = await import('../../shell/open-session.ts')
  const { runLines, pipedLines } = await import('../../shell/run-lines.ts')
  const { FORMATS } = await import('../../transfer/formats/formats.ts')
  const patience = { retriesMax: RETRIES_MAX, isImpatient: true, warn, onRetry: warnOnce }
  const client = await openServer(flags.address, login, patience, () => undefined)
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  let source: LineSource | undefined
  // The lines of a script, as what -e states, are commands, and none of them an answer.
  const answers = scriptInput === undefined && flags.execute === undefined ? undefined : new InputAnswers()
  const { format } = flags
  const isForgiving = flags.noninteractive !== true && flags.execute === undefined && format === undefined
  const data = format && { format, cells: FORMATS[format === 'json' ? 'ndjson' : 'csv'].writer }
  // Prompts, banners and failures are no data.
  const echo = format === undefined ? write : undefined
  const say = format === undefined ? write : warnPart
  const shell = openShell({
    store: client.store,
    servers: client.direct,
    user: login.user ?? login.kerberos?.login.principal ?? userName(),
    method: login.method,
    version: `${packageVersion()}, Tidegate, with the commands of HBase's shell 2.4`,
    output: {
      get width() {
        return process.stdout.isTTY ? process.stdout.columns : 0
      },
      write,
    },
    data,
    isForgiving,
    endsAtInterrupt: !isTerminal,
    warn,
    now: () => performance.now(),
    sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
    openCluster: async (clusterKey) => {
      const { readClusterKey } = await import('../../../adapters/hbase/replicate/cluster-key.ts')
      const peer = { kind: 'cluster', cluster: readClusterKey(clusterKey) } as const
      return (await openServer(peer, login, patience, () => undefined)).store
    },
    ask: async () => (answers === undefined ? source?.next('') : answers.next()),
  })
  if (!isTerminal) interruptOnce(shell)
  const runFrom = async (from: LineSource): Promise<number | undefined> => {
    source = from
    return runLines(shell.session, from, say, !isForgiving)
  }
  try {
    if (flags.execute !== undefined) return (await runFrom(pipedLines(given(flags.execute), undefined))) ?? 0
    if (scriptInput !== undefined) {
      const code = await runFrom(pipedLines(linesOf(scriptInput), echo))
      answers?.close()
      if (code !== undefined || !isTerminal) return code ?? 0
    }
    if (isTerminal) return (await atTerminal(shell, flags, runFrom)) ?? 0
    if (flags.noninteractive !== true && format === undefined) banner()
    return (await runFrom(pipedLines(linesOf(process.stdin), echo))) ?? 0
  } finally {
    answers?.close()
    await client.store.close()
  }
}

/** The first SIGINT ends the running command, and the session with it; the next one the process at once. */
function interruptOnce(shell: Shell): void {
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(EXIT_INTERRUPTED))
    if (!shell.session.isRunning) process.exit(EXIT_INTERRUPTED)
    shell.interrupt()
  })
}

/** Lines of the input as answers. A line is read only when a command asks for it, and an open input does not keep the process alive. */
class InputAnswers {
  #input: Interface | undefined
  #lines: AsyncIterator<string> | undefined

  async next(): Promise<string | undefined> {
    this.#input ??= createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
    this.#lines ??= this.#input[Symbol.asyncIterator]()
    const { value, done } = await this.#lines.next()
    return done === true ? undefined : value
  }

  close(): void {
    this.#input?.close()
  }
}

/** Throws UsageError. */
async function openScript(path: string): Promise<Readable> {
  try {
    const file = await open(path)
    if (!(await file.stat()).isDirectory()) return file.createReadStream()
    await file.close()
  } catch (error) {
    throw new UsageError(`the script ${path}: ${reasonOf(error)}`)
  }
  throw new UsageError(`the script ${path}: it is a folder`)
}

type Shell = ReturnType<typeof import('../../shell/open-session.ts').openShell>

async function atTerminal(
  shell: Shell,
  flags: ShellFlags,
  runFrom: (source: LineSource) => Promise<number | undefined>,
): Promise<number | undefined> {
  const { Terminal } = await import('../../shell/terminal.ts')
  if (flags.format === undefined) banner()
  const terminal = new Terminal({
    input: process.stdin,
    output: process.stdout,
    historyFile: flags.history ? historyFile() : undefined,
    names: shell.names,
    interrupt: () => shell.interrupt(),
  })
  try {
    return await runFrom(terminal)
  } finally {
    terminal.close()
  }
}

function banner(): void {
  write(
    `HBase Shell\nUse "help" to get list of supported commands.\nUse "exit" to quit this interactive shell.\n`,
  )
  write(`Version ${packageVersion()}, Tidegate\n`)
}

function historyFile(): string {
  const state = process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state')
  return join(state, 'tidegate', 'shell-history')
}

async function* given(commands: readonly string[]): AsyncGenerator<string> {
  yield* commands
}

function linesOf(input: Readable): AsyncIterator<string> {
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
}
