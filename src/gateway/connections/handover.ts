/**
 * Shares out connections between this thread, which accepts all of them, and others, which are given sockets that have not been read yet. This
 * thread counts every connection, wherever it is served, so that limits hold for the server as a whole.
 */

import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { clientNetwork } from './client-network.ts'
import { onceClosed } from './closed-connection.ts'
import { ConnectionOrigin } from './connection-origin.ts'

/** A thread that takes connections. */
export interface TakingThread {
  /** Throws where the connection cannot move there: then it is as it was. `id`: names the connection in `Handover.closed`. */
  take(door: string, id: number, socket: Socket): void
}

/**
 * This thread serves the first connection of an address itself, for a client alone would gain nothing from a thread. It does so until it has that
 * many connections more than the idlest thread: many clients with one connection each are shared out, too.
 */
const FIRSTS_MAX = 8

interface Lane {
  readonly thread: TakingThread
  connections: number
}

interface Handed {
  readonly door: string
  readonly address: string
  readonly lane: Lane
}

export class Handover {
  readonly #logger: Logger
  #lanes: readonly Lane[] = []
  /** Connections that this thread serves. */
  #own = 0
  readonly #handed = new Map<number, Handed>()
  readonly #byDoor = new Map<string, number>()
  /** Open connections of each client, here and there. */
  readonly #byAddress = new Map<string, number>()
  #last = 0
  #hasFailed = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** From now on the threads take connections. */
  begin(threads: readonly TakingThread[]): void {
    this.#lanes = threads.map((thread) => ({ thread, connections: 0 }))
  }

  /** No thread takes connections any more. */
  end(): void {
    this.#lanes = []
  }

  /** Connections of the door that threads serve. */
  open(door: string): number {
    return this.#byDoor.get(door) ?? 0
  }

  /** True where a thread has taken the connection. `socket`: accepted, and not read yet. */
  take(door: string, socket: Socket): boolean {
    const address = addressOf(socket)
    const lane = address === undefined ? undefined : this.#laneFor(address)
    if (address === undefined || lane === undefined) return false
    const id = ++this.#last
    try {
      lane.thread.take(door, id, socket)
    } catch (error) {
      this.#logger[this.#hasFailed ? 'debug' : 'warn'](
        { err: error, door },
        'a connection could not move to a thread: the main thread serves it, and any other that cannot move',
      )
      this.#hasFailed = true
      return false
    }
    lane.connections++
    this.#handed.set(id, { door, address, lane })
    add(this.#byDoor, door, 1)
    add(this.#byAddress, address, 1)
    return true
  }

  /** Counts a connection that this thread serves, until it is closed. `accepted`: as its server accepted it. */
  keep(accepted: Socket): void {
    const address = addressOf(accepted)
    this.#own++
    if (address !== undefined) add(this.#byAddress, address, 1)
    onceClosed(accepted, () => {
      this.#own--
      if (address !== undefined) add(this.#byAddress, address, -1)
    })
  }

  /** A thread reports that a connection is closed. */
  closed(id: number): void {
    const { door, address, lane } = this.#handed.get(id)!
    this.#handed.delete(id)
    lane.connections--
    add(this.#byDoor, door, -1)
    add(this.#byAddress, address, -1)
  }

  /** Undefined where this thread serves the next connection of the address. */
  #laneFor(address: string): Lane | undefined {
    const [first] = this.#lanes
    if (first === undefined) return undefined
    const idlest = this.#lanes.reduce((least, lane) => (lane.connections < least.connections ? lane : least))
    if (!this.#byAddress.has(address)) return this.#own < idlest.connections + FIRSTS_MAX ? undefined : idlest
    return this.#own < idlest.connections ? undefined : idlest
  }
}

/** Undefined where the client has gone. */
function addressOf(socket: Socket): string | undefined {
  const { address } = ConnectionOrigin.of(socket)
  return address === undefined ? undefined : clientNetwork(address)
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
