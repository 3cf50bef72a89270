/** Certificate revocation lists (CRL, RFC 5280): their issuer and expiry. OpenSSL itself checks signatures and entries. */

import { DER, derTimeMs, derValue, derValues, isTime } from './der-values.ts'
import { type DistinguishedName, distinguishedName } from './distinguished-name.ts'

export interface RevocationList {
  readonly issuer: DistinguishedName
  readonly startMs: number
  /** The expiry in milliseconds since 1970; undefined: the list does not expire. */
  readonly endMs: number | undefined
}

const BLOCK = /-----BEGIN X509 CRL-----[^-]*-----END X509 CRL-----/g

/** The lists in a PEM file, each as its PEM text. */
export function revocationBlocks(pem: string): readonly string[] {
  return pem.match(BLOCK) ?? []
}

/** Reads a list. Throws RangeError where the text is none. */
export function readRevocationList(block: string): RevocationList {
  const bytes = Buffer.from(block.replaceAll(/-----[^-]*-----/g, ''), 'base64')
  const [signed] = derValues(derValue(bytes, DER.sequence).content)
  if (signed === undefined) throw new RangeError('no list')
  const fields = derValues(signed.content)
  // The version may be missing. The algorithm is before the issuer.
  const [, issuer, start, end] = fields[0]?.tag === DER.integer ? fields.slice(1) : fields
  if (issuer === undefined || start === undefined) throw new RangeError('no issuer')
  return {
    issuer: distinguishedName(issuer.whole),
    startMs: derTimeMs(start),
    endMs: end !== undefined && isTime(end.tag) ? derTimeMs(end) : undefined,
  }
}
