/** The header `Authorization: Negotiate BASE64` of HTTP clients with Kerberos tickets (RFC 4559). */

import { Refused } from '../login-errors.ts'

/**
 * Most bytes of a token: the largest that Windows makes (MaxTokenSize), for users of many groups. `--header-bytes-max` mostly bounds it
 * before.
 */
const TOKEN_BYTES_MAX = 65_535

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
/** The bytes that begin each message of NTLM, also within a message of SPNEGO. */
const NTLM: Buffer = Buffer.from('NTLMSSP\0', 'latin1')

/** The bytes of the token. `text`: the header's value behind the scheme. Throws Refused for text that is no token, and for one of NTLM. */
export function negotiateToken(text: string): Buffer {
  if (text === '') throw new Refused('the header Authorization: Negotiate has no token')
  if (text.length > (TOKEN_BYTES_MAX / 3) * 4 + 4)
    throw new Refused(
      `the token of the header Authorization: Negotiate has more than ${TOKEN_BYTES_MAX} bytes`,
    )
  if (!BASE64.test(text))
    throw new Refused('the token of the header Authorization: Negotiate is not whole base64')
  const token = Buffer.from(text, 'base64')
  if (token.includes(NTLM))
    throw new Refused(
      'the client has sent a token of NTLM, and this server takes tickets of Kerberos alone: the client needs a ticket for it (kinit), and its host name must be that of the service principal',
    )
  return token
}
