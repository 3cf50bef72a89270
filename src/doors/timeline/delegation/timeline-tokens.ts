/**
 * Delegation tokens of the timeline: an application master has no ticket of Kerberos, and shows the token that the client of its job got. Keys lie
 * in a folder; a table has the tokens that count and the times until which they do, and no secret. YARN: TimelineV1DelegationTokenSecretManager.
 */

import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { InvalidToken } from '../../../gateway/identity/delegation/invalid-token.ts'
import { KeyFolder, type TokenKey } from '../../../gateway/identity/delegation/key-folder.ts'
import { isPrincipalName } from '../../../gateway/identity/guard/principal-name.ts'
import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import { OWN_CALL, type Principal } from '../../../store/call.ts'
import {
  decodeIdentifier,
  decodeToken,
  encodeIdentifier,
  encodeToken,
  type TokenIdentifier,
} from '../../../wire/hadoop/delegation-token.ts'
import { FAMILY, type TimelineTables, TOKENS } from '../tables/timeline-tables.ts'

export interface TimelineTokenSettings {
  /** Milliseconds for which a key signs new tokens. */
  readonly keyMs: number
  /** Milliseconds after which a token ends, however often it is renewed. */
  readonly lifeMs: number
  /** Milliseconds for which a token counts after it was made or renewed. */
  readonly renewMs: number
}

export interface TimelineTokensParts {
  readonly tables: TimelineTables
  /** The folder of the keys. */
  readonly folder: string
  readonly settings: TimelineTokenSettings
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const KIND = 'TIMELINE_DELEGATION_TOKEN'
/** The keys of timelines belong to no cluster. */
const CLUSTER = 'timeline'
const SEQUENCE_MAX = 0x7fff_ffff
/** Rows of tokens that have ended are removed after so many milliseconds. Hadoop looks as often. */
const TIDY_MS = 3_600_000
const TIME_BYTES = 8
/** A key that an operator has removed is noticed after so many milliseconds. */
const LOOK_MS = 5000

interface Checked {
  readonly identifier: TokenIdentifier
  /** Key of the token's row. */
  readonly row: Buffer
}

export class TimelineTokens {
  readonly #parts: TimelineTokensParts
  readonly #folder: KeyFolder
  readonly #changes = new SerialQueue()
  /** The keys as they were read last, for tokens that are shown again and again. */
  #keys: readonly TokenKey[] = []
  #readMs = 0
  #tidiedMs = 0

  constructor(parts: TimelineTokensParts) {
    this.#parts = parts
    this.#folder = new KeyFolder(parts.folder)
  }

  /** A new token for the user, as text for addresses. `renewer`: its short name. Rejects with the store's errors. */
  async issue({ user, realUser = '' }: Principal, renewer: string): Promise<string> {
    const { settings, now } = this.#parts
    const key = await this.#changes.run(() => this.#signingKey())
    const issuedMs = now()
    const sequence = randomInt(1, SEQUENCE_MAX)
    const maxMs = issuedMs + settings.lifeMs
    const identifier = encodeIdentifier({
      owner: user,
      renewer,
      realUser,
      issuedMs,
      maxMs,
      sequence,
      keyId: key.id,
    })
    await this.#put(rowOf(identifier), Math.min(maxMs, issuedMs + settings.renewMs), maxMs)
    await this.#changes.run(() => this.#tidy())
    return encodeToken({ identifier, password: signed(identifier, key), kind: KIND, service: '' })
  }

  /** The user of a token. Rejects with InvalidToken, and with the store's errors. */
  async userOf(text: string): Promise<Principal> {
    const { identifier } = await this.#counting(text)
    const { owner, realUser } = identifier
    return { user: owner, ...(realUser !== '' && { realUser }), method: 'TOKEN' }
  }

  /** The time at which the token then ends, in milliseconds since 1970. Rejects with InvalidToken, also for users other than the renewer. */
  async renew(text: string, user: string): Promise<number> {
    const { identifier, row } = await this.#checked(text)
    const { renewer, maxMs } = identifier
    const now = this.#parts.now()
    if (maxMs < now) throw new InvalidToken(`${user} tried to renew an expired token`)
    if (renewer === '') throw new InvalidToken(`${user} tried to renew a token without a renewer`)
    if (renewer !== user)
      throw new InvalidToken(`${user} tries to renew a token with non-matching renewer ${renewer}`)
    if ((await this.#endOf(row)) === undefined) throw new InvalidToken('Renewal request for unknown token')
    const endMs = Math.min(maxMs, now + this.#parts.settings.renewMs)
    await this.#put(row, endMs, maxMs)
    return endMs
  }

  /** `user`: the one who has logged in; undefined: the client shows the token alone. Rejects with InvalidToken where that user may not. */
  async cancel(text: string, user: string | undefined): Promise<void> {
    const { identifier, row } = user === undefined ? await this.#counting(text) : await this.#checked(text)
    const { owner, renewer } = identifier
    if (user !== undefined && user !== owner && (renewer === '' || user !== renewer))
      throw new InvalidToken(`${user} is not authorized to cancel the token`)
    if ((await this.#endOf(row)) === undefined) throw new InvalidToken('Token not found')
    await this.#remove([row])
  }

  /** A token with a right password that counts now. */
  async #counting(text: string): Promise<Checked> {
    const checked = await this.#checked(text)
    const endMs = await this.#endOf(checked.row)
    if (endMs === undefined)
      throw new InvalidToken("the token can't be found: it was cancelled, or has ended")
    if (endMs < this.#parts.now()) throw new InvalidToken('the token has expired')
    return checked
  }

  /** A token with a right password. */
  async #checked(text: string): Promise<Checked> {
    try {
      const { identifier, password, kind } = decodeToken(text)
      if (kind !== KIND)
        throw new InvalidToken(`the token has the kind ${kind.slice(0, 40)}, and not ${KIND}`)
      const decoded = decodeIdentifier(identifier)
      const key = await this.#keyOf(decoded.keyId)
      if (key === undefined) throw new InvalidToken(`Unable to find master key for keyId=${decoded.keyId}`)
      const right = signed(identifier, key)
      if (
        password.length !== right.length ||
        !timingSafeEqual(password, right) ||
        !isPrincipalName(decoded.owner)
      )
        throw new InvalidToken("the token is invalid, password doesn't match")
      return { identifier: decoded, row: rowOf(identifier) }
    } catch (error) {
      if (isHBaseError(error) && error.code === 'ILLEGAL_ARGUMENT') throw new InvalidToken(error.message)
      throw error
    }
  }

  async #keyOf(keyId: number): Promise<TokenKey | undefined> {
    const { now } = this.#parts
    const find = (): TokenKey | undefined => this.#keys.find(({ id }) => id === keyId)
    if (now() - this.#readMs < LOOK_MS) {
      const known = find()
      if (known !== undefined) return known
    }
    this.#keys = await this.#folder.keys(CLUSTER)
    this.#readMs = now()
    return find()
  }

  /** The time until which the token counts; undefined for a token that was cancelled or removed. */
  async #endOf(row: Buffer): Promise<number | undefined> {
    const [stored] = await this.#parts.tables.get(TOKENS, [row], OWN_CALL)
    return stored === undefined ? undefined : Number(stored.value.readBigInt64BE(0))
  }

  async #put(row: Buffer, endMs: number, maxMs: number): Promise<void> {
    const { tables } = this.#parts
    const value = Buffer.alloc(2 * TIME_BYTES)
    value.writeBigInt64BE(BigInt(endMs), 0)
    value.writeBigInt64BE(BigInt(maxMs), TIME_BYTES)
    await tables.create(TOKENS, [FAMILY], OWN_CALL)
    const batch = new MutationBatch(256).put(row, FAMILY, EMPTY, value)
    batch.endMutation()
    await tables.mutate(TOKENS, batch, OWN_CALL)
  }

  async #remove(rows: readonly Buffer[]): Promise<void> {
    const batch = new MutationBatch(256)
    for (const row of rows) {
      batch.deleteRow(row)
      batch.endMutation()
    }
    await this.#parts.tables.mutate(TOKENS, batch, OWN_CALL)
  }

  async #signingKey(): Promise<TokenKey> {
    const { settings, now, logger } = this.#parts
    try {
      const last = (await this.#folder.keys(CLUSTER)).at(-1)
      if (last !== undefined && now() - last.madeMs < settings.keyMs) return last
      const key = await this.#folder.add(CLUSTER, now())
      logger.info({ key: key.id }, "the timeline's delegation tokens are signed by a new key")
      return key
    } catch (cause) {
      if (isHBaseError(cause)) throw cause
      throw new HBaseError('IO', "no key for the timeline's delegation tokens can be had", { cause })
    }
  }

  /** Removes the rows of tokens that have ended, and keys that have signed none that counts. */
  async #tidy(): Promise<void> {
    const { tables, settings, now } = this.#parts
    if (now() - this.#tidiedMs < TIDY_MS) return
    this.#tidiedMs = now()
    const ended: Buffer[] = []
    for (const { key, value } of await tables.prefixed(TOKENS, EMPTY, OWN_CALL))
      if (Number(value.readBigInt64BE(TIME_BYTES)) < now()) ended.push(key)
    if (ended.length > 0) await this.#remove(ended)
    const keys = await this.#folder.keys(CLUSTER)
    for (const [at, key] of keys.entries()) {
      const next = keys[at + 1]
      if (next !== undefined && next.madeMs + settings.lifeMs < now()) await this.#folder.remove(key.id)
    }
  }
}

function rowOf(identifier: Buffer): Buffer {
  return createHash('sha256').update(identifier).digest()
}

/** Hadoop: SecretManager.createPassword, HmacSHA1. */
function signed(identifier: Buffer, { secret }: TokenKey): Buffer {
  return createHmac('sha1', secret).update(identifier).digest()
}
