/** `tidegate record` and `tidegate replay`: the traffic of clients and a server as a file, and that file as a server. */

import { readFileSync, rmSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { counted } from '../../model/counted.ts'
import type { CompareSums, Difference } from '../../recording/compare.ts'
import { checkFirst, RepeatableOption } from '../flags/given-once.ts'
import { beginProgress, type ProgressFlags, quietOption, withProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'
import { EXIT_FINE, runTool } from '../terminal/tool-run.ts'

const EXIT_DIFFERS = 1
const TIMEOUT_MS = 30_000
const SHOWN_BYTES = 400
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024
/** The text of a request and of its answer must fit into one line, which has up to five characters for each byte. */
const MESSAGE_BYTES_LIMIT = 32 * 1024 * 1024

interface Address {
  readonly host: string
  readonly port: number
}

export function addRecordingCommands(program: Command): void {
  program
    .command('record')
    .description(
      'stand between clients and any server of REST, Thrift, native RPC or ZooKeeper, and write what they say to each other to a file; no passwords and tokens',
    )
    .requiredOption('--to <address>', 'the server: HOST:PORT', parseAddress)
    .requiredOption('--out <file>', 'the recording, a new file')
    .option('--port <port>', 'where clients connect, 0 for a free one', parsePort, 0)
    .option('--host <address>', 'the address that is bound', '127.0.0.1')
    .option(
      '--message-bytes-max <bytes>',
      'a message of more ends the recording of its connection, not the connection',
      parseMessageBytes,
      MESSAGE_BYTES_MAX,
    )
    .addHelpText('after', '\nEnds with SIGINT or SIGTERM. Exit codes: 0 then, 2 where it cannot record.')
    .exitOverride()
    .action((flags: RecordFlags) => runTool(() => record(flags)))
  program
    .command('replay')
    .description('answer clients from a recording, or send its requests to a server and compare the answers')
    .argument('<file>', 'of tidegate record')
    .option('--port <port>', 'answer clients there, 0 for a free one', parsePort)
    .option('--host <address>', 'the address that is bound', '127.0.0.1')
    .option('--against <address>', 'send the requests to this server instead: HOST:PORT', parseAddress)
    .addOption(
      new RepeatableOption(
        '--header <header>',
        'of --against and HTTP: "NAME: VALUE" in each request; may be repeated',
      ).argParser(collectHeader),
    )
    .addOption(quietOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 when all answers are the same, or after SIGINT or SIGTERM; 1 where answers differ; 2 where it cannot begin.',
    )
    .exitOverride()
    .action((file: string, flags: ReplayFlags) => runTool(() => replay(file, flags)))
}

interface RecordFlags {
  readonly to: Address
  readonly out: string
  readonly port: number
  readonly host: string
  readonly messageBytesMax: number
}

interface ReplayFlags extends ProgressFlags {
  readonly port?: number
  readonly host: string
  readonly against?: Address
  readonly header?: Readonly<Record<string, string>>
}

function parseAddress(text: string): Address {
  const [, host = '', digits = ''] = /^\[?([^[\]]+)\]?:(\d{1,5})$/.exec(text) ?? []
  if (host === '' || Number(digits) > 65535 || digits === '0')
    throw new InvalidArgumentError('It must be HOST:PORT.')
  return { host, port: Number(digits) }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65535) return port
  throw new InvalidArgumentError('It must be a port from 0 (any free one) to 65535.')
}

function parseMessageBytes(text: string): number {
  const bytes = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (bytes >= 1024 && bytes <= MESSAGE_BYTES_LIMIT) return bytes
  throw new InvalidArgumentError(`It must be a number of bytes from 1024 to ${MESSAGE_BYTES_LIMIT}.`)
}

function collectHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const colon = text.indexOf(':')
  if (colon <= 0) throw new InvalidArgumentError('It must be "NAME: VALUE".')
  const name = text.slice(0, colon).trim().toLowerCase()
  checkFirst(`The header ${name}`, Object.hasOwn(before, name))
  return { ...before, [name]: text.slice(colon + 1).trim() }
}

async function record({ to, out, port, host, messageBytesMax }: RecordFlags): Promise<number> {
  const { startRecorder } = await import('../../recording/recorder.ts')
  const { createTapeFile } = await import('../../recording/tape.ts')
  const tape = await createTapeFile(out)
  const begun = new Date().toISOString()
  const options = { host, port, target: to, tape, messageBytesMax, now: monotonicMs, begun }
  const recorder = await startRecorder(options).catch((error: unknown) => {
    tape.destroy()
    // An empty file would be in the way of the next attempt.
    rmSync(out, { force: true })
    throw error
  })
  const written = finished(tape)
  printLine(`recording ${host}:${recorder.port} to ${to.host}:${to.port}, until SIGINT or SIGTERM`)
  try {
    await Promise.race([signalled(), written])
  } finally {
    await recorder.close()
    tape.end()
  }
  await written
  const { connections, exchanges, notes } = recorder.sums
  printLine(
    `recorded ${counted(exchanges, 'exchange')} of ${counted(connections, 'connection')}, ${counted(notes, 'note')}`,
  )
  return EXIT_FINE
}

async function replay(path: string, { port, host, against, header, ...flags }: ReplayFlags): Promise<number> {
  if ((port === undefined) === (against === undefined))
    throw new Error('say what to do: --port PORT answers clients, --against HOST:PORT compares')
  const { readTape } = await import('../../recording/tape.ts')
  const tape = readTape(readFileSync(path, 'utf8'))
  for (const note of tape.notes) printProgress(`not recorded: ${note}`)
  if (against !== undefined) return compare(tape, against, header ?? {}, flags)
  const { startPlayer } = await import('../../recording/player.ts')
  const player = await startPlayer(tape, { host, port: port!, unknown: printUnknown })
  printLine(
    `answering ${tape.head.protocol} at ${host}:${player.port} from ${counted(tape.exchanges.length, 'exchange')}`,
  )
  await signalled()
  await player.close()
  const { sums } = player
  printLine(
    `answered ${counted(sums.answered, 'request')}; ${counted(sums.unknown, 'request')} not in the recording`,
  )
  return EXIT_FINE
}

async function compare(
  tape: import('../../recording/tape.ts').Tape,
  { host, port }: Address,
  headers: Readonly<Record<string, string>>,
  flags: ProgressFlags,
): Promise<number> {
  beginProgress('replay', flags, () => 'The same command sends all requests anew')
  const { compareTape } = await import('../../recording/compare.ts')
  const { escapedText } = await import('../../wire/text/escaped-text.ts')
  const shown = (bytes: Buffer | undefined): string =>
    bytes === undefined ? 'no answer' : escapedText(bytes.subarray(0, SHOWN_BYTES))
  const differs = ({ exchange, recorded, answered }: Difference): void => {
    printLine(`differs: connection ${exchange.connection}, at ${exchange.at} ms: ${shown(exchange.request)}`)
    printLine(`  recorded ${shown(recorded)}`)
    printLine(`  answered ${shown(answered)}`)
  }
  let at: Readonly<CompareSums> = { same: 0, differing: 0, skipped: 0 }
  const worked = (sums: Readonly<CompareSums>): void => void (at = sums)
  const options = { host, port, headers, timeoutMs: TIMEOUT_MS, differs, worked }
  const sums = await withProgress(
    () => sentStep(at, tape.exchanges.length),
    () => compareTape(tape, options),
  )
  printLine(
    `${counted(sums.same, 'answer')} the same, ${sums.differing} differing, ${sums.skipped} without an answer`,
  )
  return sums.differing === 0 ? EXIT_FINE : EXIT_DIFFERS
}

function sentStep({ same, differing, skipped }: Readonly<CompareSums>, total: number): Step {
  return {
    task: 'sent',
    amounts: [
      { unit: 'requests', done: same + differing + skipped, total },
      { unit: 'differences', done: differing },
    ],
  }
}

function monotonicMs(): number {
  return performance.now()
}

function printUnknown(request: string): void {
  printProgress(`not in the recording: ${JSON.stringify(request)}`)
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
