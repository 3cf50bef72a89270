import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import { onceClosed } from './closed-connection.ts'
import type { Handover } from './handover.ts'
import type { Incoming } from './incoming.ts'

export interface DoorServerParts {
  /** The name of the door. */
  readonly door: string
  /** Listens at the port, and passes new connections on to `accepted`; undefined: a server of this one's own. */
  readonly netServer?: Server | undefined
  readonly logger: Logger
  /** Threads that take some of the connections; undefined: there are none. */
  readonly handover?: Handover | undefined
  /** Brings the connections that another thread accepts; undefined: this server listens itself. */
  readonly incoming?: Incoming | undefined
  /** True where the door takes one more connection. One that it does not take is accepted by this thread, and refused there. */
  readonly admits: (socket: Socket) => boolean
  /** Serves the connection, or refuses it. */
  readonly accept: (socket: Socket) => void
}

/** The place where the connections of a door come from: its port, or the thread that has the port. */
export class DoorServer {
  /** Listens at the port. In a thread without one it does nothing. */
  readonly server: Server
  readonly #parts: DoorServerParts
  /** The connections that came from another thread. A server counts its own. */
  readonly #brought = new Set<Socket>()
  #allClosed: (() => void) | undefined

  constructor(parts: DoorServerParts) {
    this.#parts = parts
    this.server = parts.netServer ?? createServer({ allowHalfOpen: true, noDelay: true }, this.accepted)
    // The socket of a connection that moves has not been read: its bytes would stay in this thread.
    if (parts.handover !== undefined) Object.assign(this.server, { pauseOnConnect: true })
  }

  /** Serves a connection that the server has just accepted, or hands it to a thread. */
  readonly accepted = (socket: Socket): void => {
    const { handover, admits, accept, door } = this.#parts
    if (handover === undefined) {
      accept(socket)
      return
    }
    if (admits(socket) && handover.take(door, socket)) return
    // As Node leaves it without `pauseOnConnect`: it is read once it has a listener.
    Object.assign(socket, { readableFlowing: null })
    accept(socket)
    handover.keep(socket)
  }

  /** Begins to take connections. Resolves to the port; rejects with the error of the system where the address cannot be bound. */
  listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
    const { incoming, door, logger } = this.#parts
    if (incoming !== undefined) return Promise.resolve(incoming.open(door, (socket) => this.#bring(socket)))
    const { server } = this
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, () => {
        server.off('error', reject)
        server.on('error', (err) => logger.error({ err, door }, 'the port of a door failed'))
        resolve((server.address() as AddressInfo).port)
      })
    })
  }

  /** Takes no more connections. Resolves once all are closed. */
  async close(): Promise<void> {
    const { incoming, door } = this.#parts
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    incoming?.close(door)
    await closed
    if (this.#brought.size > 0) await new Promise<void>((resolve) => (this.#allClosed = resolve))
  }

  #bring(accepted: Socket): void {
    this.#parts.accept(accepted)
    this.#brought.add(accepted)
    onceClosed(accepted, () => {
      this.#brought.delete(accepted)
      if (this.#brought.size === 0) this.#allClosed?.()
    })
  }
}
