/** A connection that sends nothing: the main thread of a server with threads serves the first one of an address, and hands on later ones. */

import type { Socket } from 'node:net'
import type { ChildServer } from './child-server.ts'
import { openSocket } from './load-connection.ts'
import { statedThreads } from './server-node.ts'

/** The server closes a connection without bytes after its `--headers-ms`. */
const PAUSE_MS = 100

/** Where TIDEGATE_THREADS states threads, takes the place of the main thread's first connection: clients of few connections meet threads. */
export async function mainKeptBusy(server: ChildServer, door: string): Promise<IdleConnection | undefined> {
  return statedThreads() === 0 ? undefined : await IdleConnection.open(server.port(door))
}

export class IdleConnection {
  readonly #port: number
  #socket: Socket | undefined
  #isClosed = false

  private constructor(port: number) {
    this.#port = port
  }

  /** It is opened anew where the server closes it, until the server has gone. */
  static async open(port: number): Promise<IdleConnection> {
    const connection = new IdleConnection(port)
    await connection.#connect()
    return connection
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.destroy()
  }

  async #connect(): Promise<void> {
    const socket = await openSocket(this.#port)
    socket.unref().on('error', () => undefined)
    // Bytes of a farewell are read, so that the end is seen.
    socket.resume()
    socket.once('close', () => {
      if (!this.#isClosed) setTimeout(() => void this.#connect().catch(() => undefined), PAUSE_MS).unref()
    })
    this.#socket = socket
    if (this.#isClosed) socket.destroy()
  }
}
