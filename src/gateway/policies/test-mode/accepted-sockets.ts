import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Call } from '../../../store/call.ts'
import { ConnectionOrigin } from '../../connections/connection-origin.ts'
import { presentSocket } from '../../connections/direct-reading.ts'

/** Connections that this process has accepted, by `Call.client`, so that test mode can cut them off. */
export class AcceptedSockets {
  readonly #sockets = new Map<string, Socket>()
  readonly #listener = (message: unknown): void => {
    const socket = presentSocket((message as { readonly socket: Socket }).socket)
    const { name } = ConnectionOrigin.of(socket)
    if (name === undefined) return
    this.#sockets.set(name, socket)
    socket.once('close', () => {
      if (this.#sockets.get(name) === socket) this.#sockets.delete(name)
    })
  }

  constructor() {
    channel('net.server.socket').subscribe(this.#listener)
  }

  /** Resets the connection of the call, as if the server had been killed. */
  cut({ client }: Call): void {
    if (client !== undefined) this.#sockets.get(client)?.resetAndDestroy()
  }

  close(): void {
    channel('net.server.socket').unsubscribe(this.#listener)
    this.#sockets.clear()
  }
}
