/** Delegation tokens that keys of a folder sign. HBase: AuthenticationTokenSecretManager. */

import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { reasonOf } from '../../../model/error-reason.ts'
import { HBaseError } from '../../../model/errors.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import {
  decodeTokenIdentity,
  encodeTokenIdentity,
  type TokenIdentity,
} from '../../../wire/rpc/token-identifier.ts'
import { DigestMd5Server } from '../../../wire/sasl/digest-md5-server.ts'
import type { Protection, SaslServer } from '../../../wire/sasl/sasl.ts'
import { isPrincipalName } from '../guard/principal-name.ts'
import type { DelegationToken, DelegationTokens } from './delegation-tokens.ts'
import { InvalidToken } from './invalid-token.ts'
import { KeyFolder, type TokenKey } from './key-folder.ts'

export interface DelegationSettings {
  /** The folder of the keys. */
  readonly folder: string
  /** Milliseconds for which a key signs new tokens. */
  readonly keyMs: number
  /** Milliseconds for which a token counts. */
  readonly tokenMs: number
}

export interface SignedTokensParts {
  readonly logger: Logger
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
}

/** Keys that another process has made or removed are noticed after so many milliseconds. HBase's servers look as often. */
const LOOK_MS = 5000
/** Old keys are removed, and the current one is replaced, though no client asks for a token. */
const TIDY_MS_MAX = 3_600_000
/** A clock that was set back by less does not matter. */
const CLOCK_MS_MAX = 300_000

interface Keys {
  readonly clusterId: string
  /** In order of their ids: the last one signs. */
  readonly keys: readonly TokenKey[]
  readonly readMs: number
}

export class SignedTokens implements DelegationTokens {
  readonly #settings: DelegationSettings
  readonly #logger: Logger
  readonly #now: () => number
  readonly #folder: KeyFolder
  readonly #changes = new SerialQueue()
  readonly #timer: NodeJS.Timeout
  #clusterId: (() => Promise<string>) | undefined
  #keys: Keys | undefined
  #sequence = 0
  /** Keys that were logged as unreadable. */
  readonly #unreadable = new Set<number>()

  constructor(settings: DelegationSettings, { logger, now = Date.now }: SignedTokensParts) {
    this.#settings = settings
    this.#logger = logger
    this.#now = now
    this.#folder = new KeyFolder(settings.folder)
    const everyMs = Math.min(TIDY_MS_MAX, settings.keyMs)
    this.#timer = setInterval(() => void this.tidy(), everyMs).unref()
  }

  belongTo(clusterId: () => Promise<string>): void {
    this.#clusterId = clusterId
  }

  digestServer(protections: readonly Protection[]): SaslServer {
    return new DigestMd5Server({ protections, passwordOf: (name) => this.#passwordOf(name) })
  }

  userOf(authenticated: string): string {
    const { user } = identityOf(authenticated)
    if (!isPrincipalName(user)) throw new InvalidToken("Can't retrieve username from tokenIdentifier.")
    return user
  }

  async issue(user: string): Promise<DelegationToken> {
    const { clusterId, key } = await this.#signingKey()
    const issuedMs = this.#now()
    const expiresMs = issuedMs + this.#settings.tokenMs
    const identifier = encodeTokenIdentity({
      user,
      keyId: key.id,
      issuedMs,
      expiresMs,
      sequence: this.#sequence++,
    })
    return { identifier, password: signed(identifier, key), service: clusterId }
  }

  /** Replaces a key that has signed for long enough, and removes keys without tokens. A failure is logged. */
  async tidy(): Promise<void> {
    try {
      const { keys } = await this.#read(0)
      // A server that has issued no token needs no key.
      if (keys.length > 0) await this.#signingKey()
      await this.#changes.run(() => this.#removeOld())
    } catch (error) {
      this.#logger.error({ err: error }, `keys of delegation tokens cannot be replaced: ${reasonOf(error)}`)
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** The password of a token, from the text that DIGEST-MD5 has as its user's name. Rejects with InvalidToken. */
  async #passwordOf(name: string): Promise<string> {
    const { keyId, issuedMs, expiresMs, bytes } = identityOf(name)
    const now = this.#now()
    if (expiresMs < now) throw new InvalidToken('Token has expired')
    if (issuedMs > now + CLOCK_MS_MAX) throw new InvalidToken('Token was issued in the future')
    const key = await this.#keyOf(keyId)
    if (key === undefined) throw new InvalidToken(`Unknown master key for token (id=${keyId})`)
    return signed(bytes, key).toString('base64')
  }

  async #keyOf(id: number): Promise<TokenKey | undefined> {
    const known = await this.#read(LOOK_MS)
    const hasKey = known.keys.some((key) => key.id === id)
    // Another process may have made the key since.
    const { keys } = hasKey ? known : await this.#read(0)
    const at = keys.findIndex((key) => key.id === id)
    return at < 0 || this.#isOld(keys[at + 1]) ? undefined : keys[at]
  }

  /** True where the key before `next` has signed no token that still counts. */
  #isOld(next: TokenKey | undefined): boolean {
    return next !== undefined && next.madeMs + this.#settings.tokenMs < this.#now()
  }

  /** The keys, read at most so many milliseconds ago. */
  async #read(ageMsMax: number): Promise<Keys> {
    const now = this.#now()
    if (this.#keys !== undefined && Math.abs(now - this.#keys.readMs) < ageMsMax) return this.#keys
    if (this.#clusterId === undefined) throw new HBaseError('UNAVAILABLE', 'the server has not started yet')
    const clusterId = await this.#clusterId()
    try {
      this.#keys = { clusterId, keys: await this.#folder.keys(clusterId), readMs: now }
      this.#reportTroubles()
      return this.#keys
    } catch (error) {
      throw new HBaseError('IO', `the keys of delegation tokens cannot be read: ${reasonOf(error)}`, {
        cause: error,
      })
    }
  }

  /** Logs each file that cannot be read, once. */
  #reportTroubles(): void {
    for (const [key, err] of this.#folder.troubles) {
      if (this.#unreadable.has(key)) continue
      this.#unreadable.add(key)
      this.#logger.error(
        { err, key },
        `the key ${key} of delegation tokens cannot be read, and its tokens are refused: ${reasonOf(err)}`,
      )
    }
  }

  async #signingKey(): Promise<{ readonly clusterId: string; readonly key: TokenKey }> {
    const { clusterId, keys } = await this.#read(LOOK_MS)
    const key = keys.at(-1)
    if (key !== undefined && this.#isFresh(key)) return { clusterId, key }
    return this.#changes.run(() => this.#newKey())
  }

  /** A key from the future, as a clock that was wrong leaves it, would sign for longer than it should. */
  #isFresh({ madeMs }: TokenKey): boolean {
    const ageMs = this.#now() - madeMs
    return ageMs < this.#settings.keyMs && ageMs > -CLOCK_MS_MAX
  }

  async #newKey(): Promise<{ readonly clusterId: string; readonly key: TokenKey }> {
    // Another call, or another process, may have made one.
    const { clusterId, keys } = await this.#read(0)
    const last = keys.at(-1)
    if (last !== undefined && this.#isFresh(last)) return { clusterId, key: last }
    try {
      const key = await this.#folder.add(clusterId, this.#now())
      this.#keys = undefined
      this.#logger.info({ key: key.id }, 'delegation tokens are signed by a new key')
      await this.#removeOld()
      return { clusterId, key }
    } catch (error) {
      const failure = new HBaseError('IO', `no key for delegation tokens can be made: ${reasonOf(error)}`, {
        cause: error,
      })
      if (last === undefined) throw failure
      // Jobs go on with tokens of the last key, which stays until there is another one.
      this.#logger.error({ err: error, key: last.id }, failure.message)
      return { clusterId, key: last }
    }
  }

  async #removeOld(): Promise<void> {
    const { keys } = await this.#read(0)
    for (const [at, key] of keys.entries()) {
      if (!this.#isOld(keys[at + 1])) return
      await this.#folder.remove(key.id)
      this.#keys = undefined
      this.#logger.info({ key: key.id }, 'a key whose delegation tokens have all expired is removed')
    }
  }
}

/** HBase: SecretManager.createPassword, HmacSHA1. */
function signed(identifier: Buffer, { secret }: TokenKey): Buffer {
  return createHmac('sha1', secret).update(identifier).digest()
}

/** Throws InvalidToken. */
function identityOf(name: string): TokenIdentity & { readonly bytes: Buffer } {
  const bytes = Buffer.from(name, 'base64')
  // One token has one name: the audit log and a proof are of the same bytes.
  const identity = bytes.toString('base64') === name ? decodeTokenIdentity(bytes) : undefined
  if (identity === undefined) throw new InvalidToken("Can't de-serialize tokenIdentifier")
  return { ...identity, bytes }
}
