import type { Socket } from 'node:net'
import { onceClosed } from './closed-connection.ts'

/** The connections that another thread has accepted for the doors of this one: its doors have no ports of their own. */
export class Incoming {
  readonly #ports: Readonly<Record<string, number>>
  readonly #closed: (id: number) => void
  readonly #doors = new Map<string, (socket: Socket) => void>()

  /** `ports`: of the doors, in the other thread. `closed`: called once the connection `id` is closed. */
  constructor(ports: Readonly<Record<string, number>>, closed: (id: number) => void) {
    this.#ports = ports
    this.#closed = closed
  }

  /** Begins to give the door its connections. Returns the door's port. */
  open(door: string, accept: (socket: Socket) => void): number {
    this.#doors.set(door, accept)
    return this.#ports[door] ?? 0
  }

  /** Further connections of the door are ended at once. */
  close(door: string): void {
    this.#doors.delete(door)
  }

  /** A connection has come. */
  take(door: string, id: number, socket: Socket): void {
    const accept = this.#doors.get(door)
    if (accept === undefined) socket.destroy()
    else accept(socket)
    onceClosed(socket, () => this.#closed(id))
  }
}
