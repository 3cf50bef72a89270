/** The lines of HTTP doors in the access log. */

import type { ServerResponse } from 'node:http'
import { joinedTrace } from '../../model/trace-context.ts'
import type { Principal } from '../../store/call.ts'
import { withoutSecretParameters } from '../../wire/hadoop/secret-parameters.ts'
import { ConnectionOrigin } from '../connections/connection-origin.ts'
import type { HttpRequest } from '../connections/http-request.ts'
import { forwardedAddress } from '../identity/proxies/request-origin.ts'
import { exceptionOf, type RequestLog, shownBytes } from '../observing/logs/access-log.ts'

interface Moved {
  readonly read: number
  readonly written: number
}

const NOTHING: Moved = { read: 0, written: 0 }

/** Bytes that were read and written on each connection before its present request. */
const movedBefore: WeakMap<ConnectionOrigin, Moved> = new WeakMap()

/** A request. Its line is written once its answer is sent, or the client is gone. */
export class HttpAccess {
  /** The resource, in words for people. */
  call = 'other'
  table: string | undefined
  /** The user that the client has logged in as. */
  principal: Principal | undefined
  /** The error of the request; undefined where it succeeded. */
  error: unknown
  /** The trace for the calls of the request; undefined where it is not traced. */
  readonly trace: string | undefined

  constructor(log: RequestLog, door: string, incoming: HttpRequest, outgoing: ServerResponse) {
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
        asked: log.showsRows && url !== undefined ? askedOf(door, url) : undefined,
      }
      log.write(access, traced)
    })
  }
}

/** REST has no tokens in its queries: its parameter `token` is the place where a scan goes on. */
function askedOf(door: string, url: string): string {
  const shown = door === 'rest' ? url : withoutSecretParameters(url, '(hidden)')
  return shownBytes(Buffer.from(shown), 'utf8')
}

/** The trace that a client of HTTP has sent, for `Call.trace`. */
export function httpTrace({ headers }: HttpRequest): string | undefined {
  const { traceparent, tracestate } = headers
  if (typeof traceparent !== 'string') return undefined
  return joinedTrace(traceparent, typeof tracestate === 'string' ? tracestate : undefined)
}
