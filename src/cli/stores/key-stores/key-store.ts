/** The contents of a key store, in the order of its file. */

import { type KeyObject, X509Certificate } from 'node:crypto'
import type { ClientIdentity } from '../../../model/client-identity.ts'

export interface KeyStore {
  readonly keys: readonly KeyObject[]
  /** The certificates of the keys, with their chains, and those of trusted authorities. */
  readonly certificates: readonly X509Certificate[]
}

/**
 * The authorities in PEM: all certificates but those that another authority has issued for the store's own keys. Empty where there are
 * none.
 */
export function authoritiesOf({ keys, certificates }: KeyStore): string {
  const isOwn = (one: X509Certificate): boolean => keys.some((key) => one.checkPrivateKey(key))
  return certificates
    .filter((one) => !isOwn(one) || one.checkIssued(one))
    .map(String)
    .join('')
}

/** The first key that has a certificate, with its chain; undefined where there is none. */
export function identityOf({ keys, certificates }: KeyStore): ClientIdentity | undefined {
  for (const key of keys) {
    const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key))
    if (leaf === undefined) continue
    const certificate = chainOf(leaf, certificates).map(String).join('')
    return { certificate, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
  }
  return undefined
}

function chainOf(leaf: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf]
  const issuerOf = (one: X509Certificate): X509Certificate | undefined =>
    certificates.find((other) => !chain.includes(other) && one.checkIssued(other))
  for (let next = issuerOf(leaf); next !== undefined; next = issuerOf(next)) chain.push(next)
  return chain
}
