import { type Command, InvalidArgumentError } from 'commander'
import type { Address, ConformanceFlags } from '../../conformance/command.ts'
import { messageOf } from '../../model/message-of.ts'
import { UsageError } from '../failures/usage-error.ts'
import { printLine } from '../terminal/print-lines.ts'

const EXIT_DIFFERS = 1
const DEFAULT_TIMEOUT_MS = 10_000

function parseAddress(text: string): Address {
  const match = /^(.+):(\d{1,5})$/.exec(text)
  if (match === null) throw new InvalidArgumentError('It must be HOST:PORT.')
  return { host: match[1]!.replace(/^\[(.*)\]$/, '$1'), port: Number(match[2]) }
}

function parseUrl(text: string): string {
  if (!URL.canParse(text)) throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8080.')
  return text
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text)
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
}

function parseMillis(text: string): number {
  const millis = Number(text)
  if (!Number.isInteger(millis) || millis < 1) throw new InvalidArgumentError('It must be milliseconds.')
  return millis
}

/** Throws UsageError where the flags name no server. */
function checkFlags({ rest, thrift, timeline }: ConformanceFlags): void {
  if ((rest === undefined) !== (thrift === undefined) || (rest ?? timeline) === undefined)
    throw new UsageError('conformance needs --rest and --thrift, or --timeline')
}

export function addConformanceCommand(program: Command): void {
  const command = program
    .command('conformance')
    .description(
      "send the recorded requests to any HBase-compatible server, and compare its answers with a real HBase's",
    )
  addOptions(command)
    .exitOverride()
    .action(async (flags: ConformanceFlags) => {
      checkFlags(flags)
      const { runConformance } = await import('../../conformance/command.ts')
      process.exitCode = (await runConformance(flags, printLine)) ? 0 : EXIT_DIFFERS
    })
}

function addOptions(command: Command): Command {
  return command
    .option('--rest <url>', "the server's REST interface", parseUrl)
    .option(
      '--thrift <host:port>',
      'its Thrift 1 interface, and Thrift 2 unless --thrift2 is given',
      parseAddress,
    )
    .option('--thrift2 <host:port>', 'its Thrift 2 interface, if it has another port', parseAddress)
    .option('--rpc <host:port>', 'a region server of it, for the cases of native RPC', parseAddress)
    .option('--rpc-master <host:port>', 'its master, if it has another port', parseAddress)
    .option('--timeline <url>', 'a timeline service (YARN) that holds nothing yet', parseUrl)
    .option('--only <pattern>', 'a regular expression: only cases whose id matches', parsePattern)
    .option('--timeout-ms <n>', 'milliseconds to wait for one answer', parseMillis, DEFAULT_TIMEOUT_MS)
}
