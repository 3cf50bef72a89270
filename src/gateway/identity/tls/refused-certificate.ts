/** Describes clients' certificates that a door refuses, for its log and the audit log. */

import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/** Characters of a name that are logged. A certificate may have a name of any length. */
const NAME_LENGTH_MAX = 200

export interface RefusedCertificate {
  /** Node's code of the error: `UNABLE_TO_GET_ISSUER_CERT_LOCALLY`. */
  readonly code: string
  /** The subject of the certificate; undefined where the client has sent none. */
  readonly subject?: string | undefined
  readonly issuer?: string | undefined
  /** The user that the certificate names (its CN). It is not proven that this user is the client. */
  readonly claimedUser?: string | undefined
}

/** Undefined where a certificate is not the reason for the end of the connection. Node has no code of its own for a missing certificate. */
export function refusedCertificate(
  { authorizationError }: TLSSocket,
  error: NodeJS.ErrnoException,
  certificate: X509Certificate | undefined,
): RefusedCertificate | undefined {
  if (certificate === undefined) return error.code === MISSING ? { code: 'CERTIFICATE_MISSING' } : undefined
  // Node's types say that it is an Error. In fact it is the code, or null.
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

/** The name in one line of printable characters. X509Certificate puts each part on a line of its own. */
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
