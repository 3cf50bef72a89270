/** JSON Web Tokens (RFC 7519) that name a user: HS256 by a secret, RS256 and ES256 by public keys, and nothing else. */

import { createHash, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { reasonOf } from '../../model/error-reason.ts'
import { GuardFileError } from './guard-file-error.ts'
import { isPrincipalName } from './principal-name.ts'
import { Refused } from './refused.ts'
import type { TokenSettings } from './token-settings.ts'

/** Tokens that were verified, and need no signature verified again before they expire. */
const KNOWN_MAX = 10_000
const TOKEN_BYTES_MAX = 16_384
const SECRET_BYTES_MIN = 32

export class TokenKeysError extends GuardFileError {
  constructor(message: string, options?: ErrorOptions) {
    super('the keys of tokens', message, options)
  }
}

interface Verified {
  readonly user: string
  /** Milliseconds since 1970. */
  readonly expiresMs: number
}

type Verify = (token: string, options: JWTVerifyOptions) => Promise<{ readonly payload: JWTPayload }>

export class Tokens {
  readonly #settings: TokenSettings
  readonly #now: () => number
  /** A key for HMAC and one for signatures are never tried with each other's algorithms. */
  readonly #ways: readonly Verify[]
  readonly #known = new Map<string, Verified>()

  /** `now`: milliseconds since 1970. Throws TokenKeysError. */
  constructor(settings: TokenSettings, now: () => number = () => Date.now()) {
    this.#settings = settings
    this.#now = now
    this.#ways = [...secretWays(settings), ...keyWays(settings), ...keySetWays(settings)]
  }

  /** The user of a token that has been verified before and has not expired. */
  known(token: string): string | undefined {
    const key = digest(token)
    const verified = this.#known.get(key)
    if (verified === undefined) return undefined
    if (this.#now() < verified.expiresMs + this.#settings.skewSeconds * 1000) return verified.user
    this.#known.delete(key)
    return undefined
  }

  /** Throws Refused. */
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
    const { payload } = await this.#verified(token, options)
    const user = payload[userClaim]
    if (typeof user !== 'string' || !isPrincipalName(user))
      throw new Refused(
        `the claim ${userClaim} of the token names no user: at most 255 bytes without control characters, and no @ in front`,
      )
    const expiresMs = payload.exp! * 1000
    if (this.#known.size >= KNOWN_MAX) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(digest(token), { user, expiresMs })
    return user
  }

  async #verified(token: string, options: JWTVerifyOptions): Promise<{ readonly payload: JWTPayload }> {
    let failure: unknown = new Refused('tokens are not taken here')
    for (const way of this.#ways) {
      try {
        return await way(token, options)
      } catch (error) {
        failure = error
        // The signature is right, and what it signs is refused: no other key makes that better.
        if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) break
      }
    }
    throw failure instanceof Refused ? failure : new Refused(`the token is refused: ${refusalOf(failure)}`)
  }
}

/** Without the cause: of a refused claim it is all that the token says. */
function refusalOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

function secretWays({ secret }: TokenSettings): Verify[] {
  if (secret === undefined) return []
  const bytes = read(secret)
  // An editor's line end at the end is no part of it.
  const end = bytes.at(-1) === 0x0a ? bytes.length - 1 : bytes.length
  if (end < SECRET_BYTES_MIN)
    throw new TokenKeysError(
      `${secret} has ${end} bytes, and a secret of HS256 has ${SECRET_BYTES_MIN} or more`,
    )
  const key = createSecretKey(bytes.subarray(0, end))
  return [(token, options) => jwtVerify(token, key, { ...options, algorithms: ['HS256'] })]
}

function keyWays({ key: path }: TokenSettings): Verify[] {
  if (path === undefined) return []
  const key = parsed(path, 'holds no public key in PEM', (bytes) => createPublicKey(bytes))
  const algorithms = [algorithmOf(key, path)]
  return [(token, options) => jwtVerify(token, key, { ...options, algorithms })]
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, path: string): string {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
  throw new TokenKeysError(`${path} holds no key of RSA or of the curve P-256`)
}

function keySetWays({ keySet }: TokenSettings): Verify[] {
  if (keySet === undefined) return []
  const getKey: JWTVerifyGetKey = /^https?:/.test(keySet)
    ? createRemoteJWKSet(new URL(keySet))
    : createLocalJWKSet(
        parsed(
          keySet,
          'holds no JSON Web Key Set',
          (bytes) => JSON.parse(bytes.toString('utf8')) as JSONWebKeySet,
        ),
      )
  return [(token, options) => jwtVerify(token, getKey, { ...options, algorithms: ['RS256', 'ES256'] })]
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new TokenKeysError(`${path} cannot be read (${reasonOf(error)})`, { cause: error })
  }
}

function parsed<T>(path: string, fault: string, parse: (bytes: Buffer) => T): T {
  const bytes = read(path)
  try {
    return parse(bytes)
  } catch (error) {
    throw new TokenKeysError(`${path} ${fault} (${reasonOf(error)})`, { cause: error })
  }
}

/** So that memory holds no token that somebody could use. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
