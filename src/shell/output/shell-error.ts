/** Failures of commands in the words of HBase's shell: its translation of HBase's exceptions. */

import { type HBaseError, isHBaseError } from '../../model/errors.ts'
import { messageOf } from '../../model/message-of.ts'
import { inspect, textOf, type Value } from '../ruby/values.ts'

/** A command refuses what it was asked, or fails, in words that need no translation. */
export class ShellError extends Error {
  override readonly name: string = 'ShellError'
}

/** The store has no such part. Over a protocol of few words the session says which command that was. */
export class BeyondReach extends ShellError {
  override readonly name = 'BeyondReach'
}

/** A name that is no command, variable or constant. */
export class NoSuchName extends Error {
  override readonly name = 'NoSuchName'
  readonly rubyClass: 'NameError' | 'NoMethodError'

  constructor(rubyClass: 'NameError' | 'NoMethodError', message: string) {
    super(message)
    this.rubyClass = rubyClass
  }
}

/** The user has said `exit`. */
export class ExitRequest extends Error {
  override readonly name = 'ExitRequest'
  readonly code: number

  constructor(code: number) {
    super('exit')
    this.code = code
  }
}

export function refuse(message: string): never {
  throw new ShellError(message)
}

export function beyondReach(message: string): never {
  throw new BeyondReach(message)
}

/** The refusal of a command that the protocol has no words for. */
export function notOver(protocol: string, command: string): ShellError {
  return new ShellError(
    `\`${command}\` is not a thing ${protocol} can ask for: name the server's native RPC, rpc:HOST:PORT`,
  )
}

export function wrongArguments(given: number, min: number, max: number | undefined): ShellError {
  const range = max === undefined ? `${min}+` : max === min ? `${min}` : `${min}..${max}`
  return new ShellError(`wrong number of arguments (given ${given}, expected ${range})`)
}

const PACKAGE = 'org.apache.hadoop.hbase.'
const QUOTAS_OFF = /UnsupportedOperationException: quota support disabled/

/** What stands behind `ERROR: `. `args`: of the command, whose first one often names what is missing. */
export function errorText(error: unknown, args: readonly Value[]): string {
  if (!isHBaseError(error)) return messageOf(error)
  const first = args[0] === undefined ? '' : nameOf(args[0])
  const message = error.message.split('\n')[0]!
  const named = /^\S+$/.test(message) ? message : first
  switch (simpleClass(error)) {
    case 'TableNotFoundException':
      return `Unknown table ${named}!`
    case 'TableNotEnabledException':
      return `Table ${first} is disabled!`
    case 'TableNotDisabledException':
      return `Table ${named} should be disabled!`
    case 'TableExistsException':
      return `Table already exists: ${named}!`
    case 'NamespaceNotFoundException':
      return `Unknown namespace ${/\S+$/.exec(message)?.[0] ?? message}!`
    case 'snapshot.SnapshotDoesNotExistException':
    case 'snapshot.UnknownSnapshotException':
      return `Unknown snapshot ${first}!`
    case 'UnknownRegionException':
      return `${error.javaClass}: ${message}`
    default:
      break
  }
  const told = QUOTAS_OFF.test(`${error.javaClass}: ${message}`)
    ? 'Quota Support disabled. Please enable in configuration.'
    : undefined
  return told ?? remoteText(error, message)
}

/** Java's clients print the class of what a server threw, and only the message of what they throw themselves. */
function remoteText(error: HBaseError, message: string): string {
  const isFromServer = error.detail?.['javaClass'] !== undefined && error.detail['ofProcedure'] !== true
  const isNamed = message.startsWith(error.javaClass)
  return isFromServer && !isNamed ? `${error.javaClass}: ${message}` : message
}

function simpleClass({ javaClass }: HBaseError): string {
  return javaClass.startsWith(PACKAGE) ? javaClass.slice(PACKAGE.length) : javaClass
}

function nameOf(value: Value): string {
  return Buffer.isBuffer(value) ? textOf(value) : inspect(value)
}
