/** A Java exception that a server answered a call with. */

import type { ExceptionResponse } from './gen/rpc_pb.ts'

export interface RemoteExceptionDetail {
  readonly javaClass: string
  /** As Throwable.printStackTrace wrote it, or just its first line. */
  readonly stackTrace: string
  readonly doNotRetry?: boolean
  readonly serverOverloaded?: boolean
  /** Where the region is now: of a RegionMovedException. */
  readonly host?: string | undefined
  readonly port?: number | undefined
}

export class RemoteException extends Error {
  override readonly name = 'RemoteException'
  readonly javaClass: string
  /** The server's word that the same call can never succeed. */
  readonly doNotRetry: boolean
  /** The server asks for a longer pause before the next attempt. */
  readonly serverOverloaded: boolean
  readonly host: string | undefined
  readonly port: number | undefined
  /** Of the server, for logs. */
  readonly remoteStack: string

  constructor(detail: RemoteExceptionDetail) {
    super(throwableMessage(detail.javaClass, detail.stackTrace))
    this.javaClass = detail.javaClass
    this.doNotRetry = detail.doNotRetry ?? false
    this.serverOverloaded = detail.serverOverloaded ?? false
    this.host = detail.host
    this.port = detail.port
    this.remoteStack = detail.stackTrace
  }

  static of(response: ExceptionResponse): RemoteException {
    return new RemoteException({
      javaClass: response.exceptionClassName,
      stackTrace: response.stackTrace,
      doNotRetry: response.doNotRetry,
      serverOverloaded: response.serverOverloaded,
      host: response.hostname === '' ? undefined : response.hostname,
      port: response.hostname === '' ? undefined : response.port,
    })
  }

  /** As ResultOrException and RegionActionResult carry one: the class as the name, the stack trace as UTF-8 text. */
  static ofPair(javaClass: string, stackTrace: Buffer): RemoteException {
    return new RemoteException({ javaClass, stackTrace: stackTrace.toString('utf8') })
  }
}

/** What Throwable.getMessage gave: lines of the message before the frames of the stack, without the class in front. */
function throwableMessage(javaClass: string, stackTrace: string): string {
  const frames = stackTrace.search(/\r?\n(?:\tat |Caused by: |\t\.\.\. )/)
  const text = (frames < 0 ? stackTrace : stackTrace.slice(0, frames)).trimEnd()
  // An exception without a message is its class alone; one with an empty message has the colon.
  if (text === javaClass || text === `${javaClass}:`) return ''
  return text.startsWith(`${javaClass}: `) ? text.slice(javaClass.length + 2) : text
}
