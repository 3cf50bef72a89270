/** JSON Web Tokens (RFC 7519) that name a user. Accepted are HS256 with a secret, and RS256 and ES256 with public keys. */

import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import { reasonOf } from '../../../../model/error-reason.ts'
import { isHBaseError } from '../../../../model/errors.ts'
import { WatchedFiles } from '../../files/watched-files.ts'
import { Refused } from '../login-errors.ts'
import { isPrincipalName } from '../principal-name.ts'
import { RemoteKeySet } from './remote-key-set.ts'
import { readTokenKeys, type TokenKey } from './token-keys.ts'
import { isUrl, type TokenSettings } from './token-settings.ts'
import { checkTimes } from './token-times.ts'

/** Verified tokens that are remembered until they expire, so that their signature is not verified again. */
const KNOWN_MAX = 10_000
const TOKEN_BYTES_MAX = 16_384

interface Verified {
  readonly user: string
  /** The time when the token expires, in milliseconds since 1970. */
  readonly expiresMs: number
}

export interface TokensParts {
  readonly logger: Logger
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number
  readonly lookMs?: number
}

export class Tokens {
  readonly #settings: TokenSettings
  readonly #logger: Logger
  readonly #now: () => number
  readonly #files: WatchedFiles
  readonly #remote: RemoteKeySet | undefined
  readonly #known = new Map<string, Verified>()
  #keys: readonly TokenKey[]
  /** Counts changes of the keys. */
  #generation = 0
  #trouble: string | undefined

  /** Throws TokenKeysError. */
  constructor(settings: TokenSettings, { logger, now = () => Date.now(), lookMs }: TokensParts) {
    const { secrets, keys, keySet } = settings
    const isRemote = keySet !== undefined && isUrl(keySet)
    this.#settings = settings
    this.#logger = logger
    this.#now = now
    this.#keys = readTokenKeys(settings)
    const paths = [...secrets, ...keys, ...(keySet === undefined || isRemote ? [] : [keySet])]
    this.#files = new WatchedFiles(paths, () => this.#readAgain(), lookMs)
    this.#remote = isRemote ? new RemoteKeySet(keySet, { logger, changed: () => this.#changed() }) : undefined
  }

  /** The reason why the keys are older than their files or URL; undefined where they are not. */
  get trouble(): string | undefined {
    return this.#trouble ?? this.#remote?.trouble
  }

  /** The user of a token that was verified before and has not expired; undefined for other tokens. */
  known(token: string): string | undefined {
    const key = digest(token)
    const verified = this.#known.get(key)
    if (verified === undefined) return undefined
    if (this.#now() < verified.expiresMs + this.#settings.skewSeconds * 1000) return verified.user
    this.#known.delete(key)
    return undefined
  }

  /** The user of the token. Throws Refused, and UNAVAILABLE where the keys cannot be fetched now. */
  async verify(token: string): Promise<string> {
    if (token.length > TOKEN_BYTES_MAX) throw new Refused(`a token of more than ${TOKEN_BYTES_MAX} bytes`)
    const { issuer, audience, userClaim, skewSeconds } = this.#settings
    const options: JWTVerifyOptions = {
      ...(issuer !== undefined && { issuer }),
      ...(audience !== undefined && { audience }),
      clockTolerance: skewSeconds,
      currentDate: new Date(this.#now()),
      requiredClaims: ['exp', userClaim],
    }
    const generation = this.#generation
    const payload = await verified(token, this.#keysOf(token), options)
    checkTimes(payload)
    const user = payload[userClaim]
    if (typeof user !== 'string' || !isPrincipalName(user))
      throw new Refused(
        `the claim ${userClaim} of the token names no user: at most 255 bytes without control characters, and no @ in front`,
      )
    // A key that was removed meanwhile may have signed it.
    if (generation === this.#generation) this.#note(token, { user, expiresMs: payload.exp! * 1000 })
    return user
  }

  #note(token: string, verified: Verified): void {
    if (this.#known.size >= KNOWN_MAX) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(digest(token), verified)
  }

  /** The keys for the algorithm that the token states. Throws Refused where there are none. */
  #keysOf(token: string): readonly TokenKey[] {
    const { getKey } = this.#remote ?? {}
    const all: readonly TokenKey[] =
      getKey === undefined ? this.#keys : [...this.#keys, { algorithms: ['RS256', 'ES256'], key: getKey }]
    const algorithm = algorithmOf(token)
    const fitting = all.filter(({ algorithms }) => (algorithms as readonly string[]).includes(algorithm))
    if (fitting.length > 0) return fitting
    const taken = new Set(all.flatMap(({ algorithms }) => algorithms))
    throw new Refused(`the token is refused: its algorithm (alg) is not taken here: ${[...taken].join(', ')}`)
  }

  /** Reads the files again if any has changed. */
  look(): void {
    this.#files.look()
  }

  /** Reads the files and fetches the key set again. */
  reload(): void {
    this.#readAgain()
    void this.#remote?.fetch()
  }

  #readAgain(): void {
    try {
      this.#keys = readTokenKeys(this.#settings)
    } catch (error) {
      this.#trouble = `the keys of tokens stay as they were, and removed ones still count: ${reasonOf(error)}`
      this.#logger.error({ err: error }, this.#trouble)
      return
    }
    this.#trouble = undefined
    this.#changed()
    this.#logger.info({ keys: this.#keys.length }, 'keys of tokens read again')
  }

  #changed(): void {
    this.#generation++
    this.#known.clear()
  }

  close(): void {
    this.#files.close()
    this.#remote?.close()
  }
}

function algorithmOf(token: string): string {
  try {
    return String(decodeProtectedHeader(token).alg)
  } catch (error) {
    throw new Refused(`the token is refused: ${reasonOf(error)}`)
  }
}

/** The claims of a token that one of the keys has signed. */
async function verified(
  token: string,
  keys: readonly TokenKey[],
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let failure: unknown
  for (const key of keys) {
    try {
      return await verifiedBy(token, key, options)
    } catch (error) {
      // A key that cannot be fetched now may have signed it.
      if (!isHBaseError(failure)) failure = error
      // The signature is right, but the claims are refused: no other key can change that.
      if (!isOfTheKey(error)) break
    }
  }
  if (isHBaseError(failure)) throw failure
  throw new Refused(`the token is refused: ${refusalOf(failure)}`)
}

async function verifiedBy(
  token: string,
  { key, algorithms }: TokenKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const all = { ...options, algorithms: [...algorithms] }
  try {
    // jwtVerify has two signatures: with a key, and with a function that finds one.
    return (typeof key === 'function' ? await jwtVerify(token, key, all) : await jwtVerify(token, key, all))
      .payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const candidate of error) {
      try {
        return (await jwtVerify(token, candidate, all)).payload
      } catch (refused) {
        if (!isOfTheKey(refused)) throw refused
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function isOfTheKey(error: unknown): boolean {
  return (
    isHBaseError(error) ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey
  )
}

/** The message alone: the cause of a refused claim contains the whole token. */
function refusalOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

/** A digest, so that memory holds no token that could be used. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
