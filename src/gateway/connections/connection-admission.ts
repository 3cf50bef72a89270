/**
 * Decides which connections a door takes. Each door has a limit of its own, so that no door uses up the connections of another. Beyond
 * a part of the files that the process may open, no door takes any connection: the store needs the rest, and a log without a file
 * descriptor would end all writes.
 */

import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { HBaseError } from '../../model/errors.ts'
import { ConnectionOrigin } from './connection-origin.ts'

/** A refusal after this time without one begins another incident. */
const QUIET_MS = 10_000
/** Refused clients that may get an answer at the same time: each holds a descriptor until it has it. */
const ANSWERED_MAX = 16

export interface AdmissionParts {
  /** The name of the door, for the log. */
  readonly door: string
  readonly connectionsMax: number
  /** The lowest file descriptor that is kept for the store; undefined: no limit. */
  readonly descriptorsMax?: number | undefined
  readonly logger: Logger
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number
}

export class ConnectionAdmission {
  /** Connections that were refused so far. */
  refused = 0
  readonly #parts: AdmissionParts
  readonly #now: () => number
  /** Refused clients that are getting an answer. */
  #answered = 0
  /** Refusals of the present incident; 0: there is none. */
  #ofIncident = 0
  #lastRefusalMs = 0

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
  }

  /** The reason why a new connection is refused; undefined where the door takes it. `open`: the door's open connections. */
  refusal(socket: Socket, open: number): HBaseError | undefined {
    const reason = this.#reason(socket, open)
    // Noted now: the client may be gone when a log needs its address.
    ConnectionOrigin.of(socket)
    if (reason === undefined) this.#took()
    else this.#refuse(socket, reason)
    return reason === undefined ? undefined : new HBaseError('OVERLOADED', reason)
  }

  /** True where the door takes a new connection. It refuses none: `refusal` does, for the same arguments. */
  admits(socket: Socket, open: number): boolean {
    if (this.#reason(socket, open) !== undefined) return false
    this.#took()
    return true
  }

  /**
   * True where the refused client may get an answer with the reason. Too many at a time get none, since each holds a descriptor until its
   * connection is closed.
   */
  mayAnswer(socket: Socket): boolean {
    if (this.#answered >= ANSWERED_MAX) return false
    this.#answered++
    socket.once('close', () => this.#answered--)
    return true
  }

  #reason(socket: Socket, open: number): string | undefined {
    const { connectionsMax, descriptorsMax = Number.POSITIVE_INFINITY } = this.#parts
    if (open >= connectionsMax)
      return `the door takes no more than ${connectionsMax} connections: close some, or raise --connections-max`
    const descriptor = descriptorOf(socket)
    if (descriptor < descriptorsMax) return undefined
    return `the process has ${descriptor} files and connections open, and the rest of its limit is for the files of the store: close some, or raise the limit before the start (ulimit -n)`
  }

  #refuse(socket: Socket, reason: string): void {
    const { door, logger } = this.#parts
    const now = this.#now()
    if (now - this.#lastRefusalMs >= QUIET_MS) this.#endIncident()
    this.refused++
    this.#lastRefusalMs = now
    if (this.#ofIncident++ > 0) return
    logger.warn(
      { door, remote: ConnectionOrigin.of(socket).address },
      `refused a connection, and will refuse more: ${reason}`,
    )
  }

  #took(): void {
    if (this.#ofIncident > 0 && this.#now() - this.#lastRefusalMs >= QUIET_MS) this.#endIncident()
  }

  #endIncident(): void {
    if (this.#ofIncident === 0) return
    const { door, logger } = this.#parts
    logger.info({ door, refused: this.#ofIncident }, 'takes connections again')
    this.#ofIncident = 0
  }
}

/** The file descriptor; -1 where Node does not expose it. The system gives the lowest free number: at least that many are in use. */
function descriptorOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly fd?: number } | null }
  return handle?.fd ?? -1
}
