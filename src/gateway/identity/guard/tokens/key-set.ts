/** JSON Web Key Sets (RFC 7517): the keys that can check tokens, and the faults of the others. */

import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { JSONWebKeySet, JWK } from 'jose'
import { messageOf } from '../../../../model/message-of.ts'

const RSA_BITS_MIN = 2048

export interface CheckedKeySet {
  /** The keys for RS256 and ES256. */
  readonly usable: JSONWebKeySet
  /** Faults of keys for these algorithms, as sentences. Keys for other purposes are no fault. */
  readonly faults: readonly string[]
}

/** Throws an Error with the reason where the text is no key set, or none of its keys can check a token. */
export function checkedKeySet(text: string): CheckedKeySet {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown }
  if (!Array.isArray(keys)) throw new Error('it has no list "keys"')
  if (keys.length === 0) throw new Error('its list "keys" is empty')
  const faults: string[] = []
  const usable: JWK[] = []
  for (const [index, key] of keys.entries()) {
    if (!isForSignatures(key)) continue
    const fault = faultOf(key)
    if (fault === undefined) usable.push(key)
    else faults.push(`its key ${key.kid ?? index + 1} ${fault}`)
  }
  if (usable.length === 0) throw new Error(faults[0] ?? 'it has no key for RS256 or ES256')
  return { usable: { keys: usable }, faults }
}

function isForSignatures(key: unknown): key is JWK {
  if (typeof key !== 'object' || key === null) return false
  const { kty, crv, alg, use, key_ops: operations } = key as JWK
  const isMeant = use === undefined || use === 'sig'
  const mayVerify = !Array.isArray(operations) || operations.includes('verify')
  if (!isMeant || !mayVerify) return false
  if (kty === 'RSA') return alg === undefined || alg === 'RS256'
  return kty === 'EC' && crv === 'P-256' && (alg === undefined || alg === 'ES256')
}

function faultOf(key: JWK): string | undefined {
  if (key.d !== undefined) return 'is a private one: the set must have public keys alone'
  try {
    return weaknessOf(createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).asymmetricKeyDetails)
  } catch (error) {
    return `cannot be read (${messageOf(error)})`
  }
}

/** The reason why the key is too weak; undefined for a strong one, and for keys on curves. */
export function weaknessOf(details: { readonly modulusLength?: number } = {}): string | undefined {
  const { modulusLength: bits = RSA_BITS_MIN } = details
  return bits < RSA_BITS_MIN
    ? `has ${bits} bits, and a key of RSA must have ${RSA_BITS_MIN} or more`
    : undefined
}
