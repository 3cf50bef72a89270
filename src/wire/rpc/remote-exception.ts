/** A Java exception in a server's answer. */

import type { ExceptionResponse } from './gen/rpc_pb.ts'

export interface RemoteExceptionDetail {
  readonly javaClass: string
  /** The output of Throwable.printStackTrace, or only its first line. */
  readonly stackTrace: string
  readonly doNotRetry?: boolean
  readonly serverOverloaded?: boolean
  /** In a RegionMovedException, the region's new server. */
  readonly host?: string | undefined
  readonly port?: number | undefined
}

export class RemoteException extends Error {
  override readonly name = 'RemoteException'
  readonly javaClass: string
  /** The server says that the same call can never succeed. */
  readonly doNotRetry: boolean
  /** The server asks for a longer pause before the next attempt. */
  readonly serverOverloaded: boolean
  readonly host: string | undefined
  readonly port: number | undefined
  /** The server's stack trace, for logs. */
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

  /** From the pair in a ResultOrException or RegionActionResult: the class, and the stack trace as UTF-8. */
  static ofPair(javaClass: string, stackTrace: Buffer): RemoteException {
    return new RemoteException({ javaClass, stackTrace: stackTrace.toString('utf8') })
  }
}

/** The exception's message: the text before the stack frames, without the class in front. Java: Throwable.getMessage. */
function throwableMessage(javaClass: string, stackTrace: string): string {
  const frames = stackTrace.search(/\r?\n(?:\tat |Caused by: |\t\.\.\. )/)
  const text = (frames < 0 ? stackTrace : stackTrace.slice(0, frames)).trimEnd()
  // Without a message the class stands alone; with an empty one a colon follows it.
  if (text === javaClass || text === `${javaClass}:`) return ''
  return text.startsWith(`${javaClass}: `) ? text.slice(javaClass.length + 2) : text
}
