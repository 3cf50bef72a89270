/** The lines that a door of HTTP writes to the access log. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { joinedTrace } from '../../model/trace-context.ts'
import type { Principal } from '../../store/call.ts'
import { ConnectionOrigin } from '../connections/connection-origin.ts'
import { forwardedAddress } from '../identity/proxies/request-origin.ts'
import { exceptionOf, type RequestLog, shownBytes } from '../observing/logs/access-log.ts'

interface Moved {
  readonly read: number
  readonly written: number
}

const NOTHING: Moved = { read: 0, written: 0 }

/** What moved on each connection before its present request. */
const movedBefore: WeakMap<ConnectionOrigin, Moved> = new WeakMap()

/** A request whose line is written once its answer has gone out, or its client. */
export class HttpAccess {
  /** The resource, for people. */
  call = 'other'
  table: string | undefined
  /** Who the client has shown to be. */
  principal: Principal | undefined
  /** What the request failed with. */
  error: unknown
  /** For the calls of the request; undefined: it is not traced. */
  readonly trace: string | undefined

  constructor(log: RequestLog, door: string, incoming: IncomingMessage, outgoing: ServerResponse) {
    const since = performance.now()
    const { socket, method = '', url } = incoming
    const connection = ConnectionOrigin.of(socket)
    const client = forwardedAddress(incoming) ?? connection.name
    const traced = log.begin?.(httpTrace(incoming))
    this.trace = traced?.trace
    outgoing.once('close', () => {
      const before = movedBefore.get(connection) ?? NOTHING
      const now = { read: socket.bytesRead, written: socket.bytesWritten }
      movedBefore.set(connection, now)
      const isWhole = outgoing.writableFinished
      const access = {
        door,
        client,
        principal: this.principal?.user,
        method,
        call: this.call,
        table: this.table,
        status: outgoing.headersSent ? outgoing.statusCode : undefined,
        exception: this.error === undefined ? (isWhole ? undefined : 'CALLER_GONE') : exceptionOf(this.error),
        bytesIn: now.read - before.read,
        bytesOut: now.written - before.written,
        ms: Math.round((performance.now() - since) * 1000) / 1000,
        asked: log.showsRows && url !== undefined ? shownBytes(Buffer.from(url), 'utf8') : undefined,
      }
      log.write(access, traced)
    })
  }
}

/** The trace that a client of HTTP has sent, for `Call.trace`. */
export function httpTrace({ headers }: IncomingMessage): string | undefined {
  const { traceparent, tracestate } = headers
  if (typeof traceparent !== 'string') return undefined
  return joinedTrace(traceparent, typeof tracestate === 'string' ? tracestate : undefined)
}
