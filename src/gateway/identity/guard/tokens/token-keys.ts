/** The keys by which tokens are checked, from files: secrets, public keys, a key set. */

import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import { reasonOf } from '../../../../model/error-reason.ts'
import { GuardFileError } from '../../files/guard-file-error.ts'
import { checkedKeySet, weaknessOf } from './key-set.ts'
import { isUrl, type TokenSettings } from './token-settings.ts'

const SECRET_BYTES_MIN = 32
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d]

/** A file with keys of tokens cannot be used. */
export class TokenKeysError extends GuardFileError {
  constructor(message: string, options?: ErrorOptions) {
    super('the keys of tokens', message, options)
  }
}

export type TokenAlgorithm = 'HS256' | 'RS256' | 'ES256'

/** A key or a set of keys, with its algorithms. A secret is never tried as a public key, nor the reverse. */
export interface TokenKey {
  readonly algorithms: readonly TokenAlgorithm[]
  readonly key: KeyObject | JWTVerifyGetKey
}

/** Reads the keys from files. A set behind a URL is not among them. Throws TokenKeysError. */
export function readTokenKeys({ secrets, keys, keySet }: TokenSettings): TokenKey[] {
  return [
    ...secrets.map(secretKey),
    ...keys.map(publicKey),
    ...(keySet === undefined || isUrl(keySet) ? [] : [keySetKey(keySet)]),
  ]
}

function secretKey(path: string): TokenKey {
  const bytes = read(path)
  const end = lengthWithoutLineEnd(bytes)
  if (end < SECRET_BYTES_MIN)
    throw new TokenKeysError(
      `${path} has ${end} bytes, and a secret of HS256 has ${SECRET_BYTES_MIN} or more`,
    )
  return { algorithms: ['HS256'], key: createSecretKey(bytes.subarray(0, end)) }
}

/** The length of a secret without the line end that an editor may append. */
function lengthWithoutLineEnd(bytes: Buffer): number {
  if (bytes.at(-1) !== LINE_FEED) return bytes.length
  return bytes.at(-2) === CARRIAGE_RETURN ? bytes.length - 2 : bytes.length - 1
}

function publicKey(path: string): TokenKey {
  const bytes = read(path)
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(bytes.toString('latin1')))
    throw new TokenKeysError(
      `${path} holds a private key, which the server must not have: give it the public one (openssl pkey -pubout)`,
    )
  const key = parsed(path, 'holds no public key in PEM', () => createPublicKey(bytes))
  const algorithm = algorithmOf(key, path)
  const weakness = weaknessOf(key.asymmetricKeyDetails)
  if (weakness !== undefined) throw new TokenKeysError(`${path} ${weakness}`)
  return { algorithms: [algorithm], key }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, path: string): TokenAlgorithm {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
  throw new TokenKeysError(`${path} holds no key of RSA or of the curve P-256`)
}

function keySetKey(path: string): TokenKey {
  const bytes = read(path)
  const { usable, faults } = parsed(path, 'holds no JSON Web Key Set that can be used', () =>
    checkedKeySet(bytes.toString('utf8')),
  )
  if (faults.length > 0) throw new TokenKeysError(`${path}: ${faults.join('; ')}`)
  return { algorithms: ['RS256', 'ES256'], key: createLocalJWKSet(usable) }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new TokenKeysError(`${path} cannot be read (${reasonOf(error)})`, { cause: error })
  }
}

function parsed<T>(path: string, fault: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new TokenKeysError(`${path} ${fault} (${reasonOf(error)})`, { cause: error })
  }
}
