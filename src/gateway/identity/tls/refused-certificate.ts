/** Clients' certificates that a door refuses, in words for its log and the audit log. */

import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/** A name of a certificate may be as long as its maker likes. */
const NAME_LENGTH_MAX = 200

export interface RefusedCertificate {
  /** Node's: `UNABLE_TO_GET_ISSUER_CERT_LOCALLY`. */
  readonly code: string
  /** Undefined where the client has shown none. */
  readonly subject?: string | undefined
  readonly issuer?: string | undefined
  /** The user that the certificate names (its CN). Nothing proves that he has sent it. */
  readonly claimedUser?: string | undefined
}

/** Undefined where the connection has not ended because of a certificate. `missing`: Node has no code of its own for it. */
export function refusedCertificate(
  { authorizationError }: TLSSocket,
  error: NodeJS.ErrnoException,
  certificate: X509Certificate | undefined,
): RefusedCertificate | undefined {
  if (certificate === undefined) return error.code === MISSING ? { code: 'CERTIFICATE_MISSING' } : undefined
  // Node's types promise an error; it is the code, or null.
  const code = authorizationError as Error | string | null | undefined
  return code === undefined || code === null ? undefined : certificateRefused(String(code), certificate)
}

export function certificateRefused(code: string, certificate: X509Certificate): RefusedCertificate {
  const { subject, issuer } = certificate
  const { CN: name } = certificate.toLegacyObject().subject as { readonly CN?: string | string[] }
  return {
    code,
    subject: printable(subject),
    issuer: printable(issuer),
    ...(typeof name === 'string' && { claimedUser: printable(name) }),
  }
}

const MISSING = 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE'

/** X509Certificate puts each part of a name on a line of its own. */
function printable(name: string): string {
  const line = name.split('\n').join(', ')
  const shown = line.replaceAll(/[^\x20-\x7e\u00a0-\u{10ffff}]/gu, '?')
  return shown.length <= NAME_LENGTH_MAX ? shown : `${shown.slice(0, NAME_LENGTH_MAX)}...`
}

export function refusalText({ code, subject, issuer }: RefusedCertificate): string {
  return subject === undefined
    ? 'the client has shown no certificate'
    : `the client's certificate is refused: ${code} (subject ${subject}; issuer ${issuer})`
}
