/** Open connections of passed users, bounded in number: the one that has been idle longest makes room for another. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { Time } from '../retry/time.ts'
import type { RpcConnection } from '../rpc/rpc-connection.ts'

interface UserConnection {
  readonly connection: RpcConnection
  /** In the time of Time.now. */
  usedAt: number
}

/** Milliseconds for which a connection counts as busy after its use: the caller may be about to send its call. */
const IDLE_MS_MIN = 1_000

export class UserConnections {
  readonly #time: Time
  readonly #max: number
  /** The connections by user, then by service and server. */
  readonly #open = new Map<string, Map<string, UserConnection>>()
  #size = 0
  /** The number of connections that are being opened. */
  #reserved = 0

  constructor(time: Time, max: number) {
    this.#time = time
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /** The user's open connection to that service and server; undefined where there is none. */
  opened(user: string, key: string): RpcConnection | undefined {
    const found = this.#open.get(user)?.get(key)
    if (found === undefined || found.connection.closedBy !== undefined) return undefined
    found.usedAt = this.#time.now()
    return found.connection
  }

  /** Makes room for a connection that is about to be opened, until `release`. Throws OVERLOADED where none is idle. */
  reserve(): void {
    if (this.#size + this.#reserved >= this.#max) this.#closeIdlest()
    this.#reserved++
  }

  release(): void {
    this.#reserved--
  }

  keep(user: string, key: string, connection: RpcConnection): void {
    let ofUser = this.#open.get(user)
    if (ofUser === undefined) {
      ofUser = new Map()
      this.#open.set(user, ofUser)
    }
    ofUser.set(key, { connection, usedAt: this.#time.now() })
    this.#size++
    connection.onClose(() => this.#forget(user, key))
  }

  close(): void {
    for (const ofUser of this.#open.values()) for (const { connection } of ofUser.values()) connection.close()
  }

  #forget(user: string, key: string): void {
    const ofUser = this.#open.get(user)
    if (ofUser?.delete(key) !== true) return
    this.#size--
    if (ofUser.size === 0) this.#open.delete(user)
  }

  #closeIdlest(): void {
    let idlest: UserConnection | undefined
    for (const ofUser of this.#open.values())
      for (const each of ofUser.values())
        if (each.connection.pending === 0 && (idlest === undefined || each.usedAt < idlest.usedAt))
          idlest = each
    if (idlest === undefined || this.#time.now() - idlest.usedAt < IDLE_MS_MIN)
      throw new HBaseError(
        'OVERLOADED',
        `All ${this.#max} connections of users to the cluster are busy: --cluster-user-connections-max`,
      )
    idlest.connection.close()
  }
}
