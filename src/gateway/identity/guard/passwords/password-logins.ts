/** Logins by the password file. Many requests have the same password, which is hashed once for all of them. */

import { createHmac, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Principal } from '../../../../store/call.ts'
import { clientNetwork } from '../../../connections/client-network.ts'
import { Refused } from '../login-errors.ts'
import type { LoginPlace } from '../login-place.ts'
import type { Verified } from '../shown-headers.ts'
import { Attempts } from './attempts.ts'
import { LoginTurns } from './login-turns.ts'
import { isPassword, isSamePassword, NO_PASSWORD, type StoredPassword } from './passwords.ts'
import { type Users, UsersFile } from './users-file.ts'

/** Time for which a right password is not hashed again. */
const VERIFIED_MS = 300_000
const VERIFIED_MAX = 10_000
const NAME_MAX = 255
const PASSWORD_MAX = 1024
const WRONG = 'the user or the password is wrong'

export interface PasswordLoginParts {
  readonly logger: Logger
  /** Milliseconds since any fixed moment. */
  readonly now: () => number
  /** Called when the users or passwords have changed. */
  readonly changed: () => void
  readonly succeeded: (user: string, place: LoginPlace) => void
  /** Called for a refused login. `user`: undefined for an unknown name, which may be a misplaced password and must not be logged. */
  readonly failed: (user: string | undefined, place: LoginPlace, error: unknown) => void
}

interface VerifiedPassword extends Verified {
  readonly stored: StoredPassword
}

interface Shown {
  readonly place: LoginPlace
  /** The network for which failures count. */
  readonly network: string
  /** The keyed hash of name and password. */
  readonly key: string
}

export class PasswordLogins {
  readonly #parts: PasswordLoginParts
  readonly #users: UsersFile
  readonly #attempts: Attempts
  /** Right passwords by a keyed hash of name and password. The key is in this object alone. */
  readonly #verified = new Map<string, VerifiedPassword>()
  /** Waiting and running checks, by the same hash and the client's address. */
  readonly #checks = new Map<string, Promise<Principal>>()
  /** Connections with one login for all their requests, and the stored password that it matched. */
  readonly #connections = new Map<Socket, { readonly user: string; readonly stored: StoredPassword }>()
  readonly #secret = randomBytes(32)
  /** One at a time: a hash takes one of the four threads that also write the log of the store. */
  readonly #turns = new LoginTurns()

  /** Throws UsersFileError. */
  constructor(path: string, parts: PasswordLoginParts) {
    this.#parts = parts
    this.#attempts = new Attempts(parts.now)
    this.#users = new UsersFile(path, parts.logger, () => this.#reloaded())
  }

  get users(): Users {
    return this.#users.all
  }

  /** The user: at once where the password is known to be right; `note` then gets the time until which it is. Throws or rejects like Guard.ofHttp. */
  principalOf(
    name: string,
    password: string,
    place: LoginPlace,
    note?: (verified: Verified) => void,
  ): Principal | Promise<Principal> {
    if (name.length > NAME_MAX || password.length > PASSWORD_MAX) throw new Refused(WRONG)
    const key = this.#keyOf(name, password)
    const verified = this.#verified.get(key)
    if (verified !== undefined && this.#parts.now() < verified.untilMs) {
      note?.(verified)
      return verified.principal
    }
    const check = `${key} ${place.address}`
    const running = this.#checks.get(check)
    if (running !== undefined) return running
    const network = clientNetwork(place.address)
    const checked = (): Promise<Principal> => this.#check(name, password, { place, network, key })
    // A client that has to wait is refused without a hash, and so without a turn.
    const isHeld = this.#attempts.waitMs(name, network) > 0
    const work = isHeld ? checked() : this.#turns.run(network, checked)
    this.#checks.set(check, work)
    const done = (): void => void this.#checks.delete(check)
    work.then(done, done)
    return work
  }

  /** Ends the connection, whose client has just logged in, once the user has another password or is removed. */
  endWithUser(socket: Socket, user: string): void {
    const stored = this.#users.get(user)
    if (socket.destroyed) return
    if (stored === undefined) {
      socket.destroy()
      return
    }
    this.#connections.set(socket, { user, stored })
    socket.once('close', () => this.#connections.delete(socket))
  }

  #keyOf(name: string, password: string): string {
    return createHmac('sha256', this.#secret).update(`${name.length}:${name}${password}`).digest('base64')
  }

  async #check(name: string, password: string, { place, network, key }: Shown): Promise<Principal> {
    const { now, succeeded, failed } = this.#parts
    const stored = this.#users.get(name)
    try {
      this.#attempts.check(name, network)
      const isRight = await isPassword(password, stored ?? NO_PASSWORD)
      if (!isRight || stored === undefined || !this.#isStill(name, stored)) {
        this.#attempts.failed(name, network)
        throw new Refused(WRONG)
      }
      this.#attempts.succeeded(name, network)
      succeeded(name, place)
    } catch (error) {
      failed(stored === undefined ? undefined : name, place, error)
      throw error
    }
    const principal = { user: name, method: 'PASSWORD' } as const
    if (this.#verified.size >= VERIFIED_MAX) this.#verified.delete(this.#verified.keys().next().value!)
    this.#verified.set(key, { principal, stored, untilMs: now() + VERIFIED_MS })
    return principal
  }

  #isStill(name: string, stored: StoredPassword): boolean {
    const now = this.#users.get(name)
    return now !== undefined && isSamePassword(now, stored)
  }

  #reloaded(): void {
    for (const [key, { principal, stored }] of this.#verified)
      if (!this.#isStill(principal.user, stored)) this.#verified.delete(key)
    for (const [socket, { user, stored }] of this.#connections)
      if (!this.#isStill(user, stored)) socket.destroy()
    this.#parts.changed()
  }

  /** See UsersFile. */
  get trouble(): string | undefined {
    return this.#users.trouble
  }

  /** Reads the users again. */
  reload(): void {
    this.#users.reload()
  }

  close(): void {
    this.#users.close()
  }
}
