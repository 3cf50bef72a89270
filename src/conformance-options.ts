/** The options of `tidegate conformance`, and of the same command in the package `tidegate-conformance`. */

import { type Command, InvalidArgumentError } from 'commander'
import { messageOf } from './model/message-of.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export interface ConformanceFlags {
  /** The URL of the REST door; undefined: only the cases of the timeline are asked. */
  readonly rest?: string
  /** The Thrift 1 server, and the Thrift 2 server too unless `thrift2` is given. */
  readonly thrift?: Address
  /** The Thrift 2 server, where it has a port of its own. */
  readonly thrift2?: Address
  /** A region server; undefined: the cases of native RPC are left out. */
  readonly rpc?: Address
  /** The master, where it has a port of its own. */
  readonly rpcMaster?: Address
  /** The URL of a timeline service that holds nothing yet; undefined: its cases are left out. */
  readonly timeline?: string
  /** Only cases whose id matches are asked; undefined: all. */
  readonly only?: RegExp
  /** Milliseconds to wait for one answer. */
  readonly timeoutMs: number
}

export const CONFORMANCE_DESCRIPTION =
  "send the recorded requests to any HBase-compatible server, and compare its answers with a real HBase's"

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

/** The usage error of flags that name no server; undefined for flags that name one. */
export function faultOfFlags({ rest, thrift, timeline }: ConformanceFlags): string | undefined {
  const isServerNamed = (rest === undefined) === (thrift === undefined) && (rest ?? timeline) !== undefined
  return isServerNamed ? undefined : 'conformance needs --rest and --thrift, or --timeline'
}

export function addConformanceOptions(command: Command): Command {
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
