/** Failures of commands in the words of HBase's shell: its translation of HBase's exceptions. */

import { type HBaseError, isHBaseError } from '../../model/errors.ts'
import { messageOf } from '../../model/message-of.ts'
import { inspect, textOf, type Value } from '../ruby/values.ts'
import { nearName } from './near-name.ts'

/** A failure of a command whose message needs no translation. */
export class ShellError extends Error {
  override readonly name: string = 'ShellError'
}

/** The store lacks the part that the command needs. The session replaces the message where the protocol is the reason. */
export class BeyondReach extends ShellError {
  override readonly name = 'BeyondReach'
}

/** A name that is no command, variable or constant. */
export class NoSuchName extends Error {
  override readonly name = 'NoSuchName'

  /** `kind`: of the thing that is missing, as `command`; `names`: all of that kind. */
  constructor(name: string, kind: string, names: Iterable<string>) {
    const near = nearName(name, names)
    const hint = near === undefined ? 'help lists the commands' : `did you mean ${near}?`
    super(`${name}: there is no such ${kind}; ${hint}`)
  }
}

/** The user has ended the command by Ctrl-C. `done`: what it had done by then, as `12 row(s)`; undefined: not known. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly done: string | undefined

  constructor(done?: string) {
    super(done === undefined ? 'interrupted' : `interrupted after ${done}`)
    this.done = done
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

/** The refusal of a command that the protocol cannot express. */
export function notOver(protocol: string, command: string): ShellError {
  return new ShellError(
    `\`${command}\` is not a thing ${protocol} can ask for: name the server's native RPC, rpc:HOST:PORT`,
  )
}

export function wrongArguments(count: number, min: number, max: number | undefined): ShellError {
  const range = max === undefined ? `${min}+` : max === min ? `${min}` : `${min}..${max}`
  return new ShellError(`wrong number of arguments (given ${count}, expected ${range})`)
}

const PACKAGE = 'org.apache.hadoop.hbase.'
const QUOTAS_OFF = /UnsupportedOperationException: quota support disabled/

/** The text after `ERROR: `. `args`: the command's arguments, of which the first one often names the missing thing. */
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
  const quotasOff = QUOTAS_OFF.test(`${error.javaClass}: ${message}`)
    ? 'Quota Support disabled. Please enable in configuration.'
    : undefined
  return quotasOff ?? remoteText(error, message)
}

/** Java's clients print the class and the message of a server's exception, but only the message of their own exceptions. */
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
