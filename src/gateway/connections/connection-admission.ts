/**
 * Which connections a door takes. A door has a number of its own, so that no door takes the connections of another; and
 * beyond a part of the files that the process may open, no door takes any, so that the store can open the files that it
 * needs: a log without a descriptor would end all writes.
 */

import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { HBaseError } from '../../model/errors.ts'
import { ConnectionOrigin } from './connection-origin.ts'

/** A refusal after so long without one begins another incident. */
const QUIET_MS = 10_000
/** Each holds a descriptor while it is told. */
const REPORTED_MAX = 16

export interface AdmissionParts {
  /** Of the door: a noun for the log. */
  readonly door: string
  readonly connectionsMax: number
  /** Undefined: no limit. */
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
  #told = 0
  /** Refusals of the incident that goes on; 0: none does. */
  #ofIncident = 0
  #lastRefusalMs = 0

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
  }

  /** Why a new connection is refused; undefined where the door takes it. `open`: those that the door has. */
  refusal(socket: Socket, open: number): HBaseError | undefined {
    const reason = this.#reason(socket, open)
    // A client may have gone by the time that somebody asks for its address.
    ConnectionOrigin.of(socket)
    if (reason === undefined) this.#took()
    else this.#refuse(socket, reason)
    return reason === undefined ? undefined : new HBaseError('OVERLOADED', reason)
  }

  /**
   * True where the refused client may be told why, which `done` ends. Clients beyond those that are being told are told
   * nothing, since each of them holds a descriptor.
   */
  mayTell(socket: Socket): boolean {
    if (this.#told >= REPORTED_MAX) return false
    this.#told++
    socket.once('close', () => this.#told--)
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

/** The system gives the lowest free number, so that at least as many descriptors are in use. -1 where Node does not tell. */
function descriptorOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly fd?: number } | null }
  return handle?.fd ?? -1
}
