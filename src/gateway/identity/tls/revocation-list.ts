/** A list of revoked certificates (CRL, RFC 5280): whose it is and how long it counts. OpenSSL looks at its signature and its entries. */

import { DER, derTimeMs, derValue, derValues, isTime } from './der-values.ts'
import { type DistinguishedName, distinguishedName } from './distinguished-name.ts'

export interface RevocationList {
  readonly issuer: DistinguishedName
  readonly startMs: number
  /** Undefined: the list counts for ever. */
  readonly endMs: number | undefined
}

const BLOCK = /-----BEGIN X509 CRL-----[^-]*-----END X509 CRL-----/g

/** The lists of a PEM file, each with its lines. */
export function revocationBlocks(pem: string): readonly string[] {
  return pem.match(BLOCK) ?? []
}

/** Throws RangeError where it is no list. */
export function readRevocationList(block: string): RevocationList {
  const bytes = Buffer.from(block.replaceAll(/-----[^-]*-----/g, ''), 'base64')
  const [signed] = derValues(derValue(bytes, DER.sequence).content)
  if (signed === undefined) throw new RangeError('no list')
  const fields = derValues(signed.content)
  // The version may be left out; an algorithm stands before the issuer.
  const [, issuer, start, end] = fields[0]?.tag === DER.integer ? fields.slice(1) : fields
  if (issuer === undefined || start === undefined) throw new RangeError('no issuer')
  return {
    issuer: distinguishedName(issuer.whole),
    startMs: derTimeMs(start),
    endMs: end !== undefined && isTime(end.tag) ? derTimeMs(end) : undefined,
  }
}
