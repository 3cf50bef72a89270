/** Logins over HTTP that begin with a ticket of Kerberos: Authorization: Negotiate, the cookie that stands for a login, and Hadoop's delegation tokens. */

import {
  CookieSigner,
  cookiesOf,
  cookieText,
  readCookieText,
} from '../../src/gateway/identity/guard/negotiate/auth-cookie.ts'
import { negotiateToken } from '../../src/gateway/identity/guard/negotiate/negotiate-token.ts'
import {
  decodeIdentifier,
  decodeToken,
  encodeIdentifier,
  encodeToken,
} from '../../src/wire/hadoop/delegation-token.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'

const SIGNER = new CookieSigner(Buffer.from('secret'))
const TEXT = cookieText({
  user: 'alice',
  principal: 'alice/admin@EXAMPLE.ORG',
  type: 'kerberos',
  expiresMs: 1_700_000_000_000,
})!

export const negotiateHeader: FuzzTarget = {
  name: 'negotiate-header',
  seeds: () => ['YIIB', 'TlRMTVNTUAABAAAA', 'YIICcgYGKwYBBQUCoIICZjCCAmKg'].map((text) => Buffer.from(text)),
  run: (input) => negotiateToken(input.toString('latin1')),
}

export const authCookie: FuzzTarget = {
  name: 'auth-cookie',
  seeds: () => [
    Buffer.from(`hadoop.auth="${SIGNER.signed(TEXT)}"`),
    Buffer.from(`other=1; hadoop.auth=${TEXT}&i=1600000000000&s=none; x="y"`),
  ],
  run: (input) => {
    // The text of a cookie is read only behind its signature. Here it is read all the same.
    return cookiesOf(input.toString('latin1')).map((value) => [SIGNER.verified(value), readCookieText(value)])
  },
}

const IDENTIFIER = encodeIdentifier({
  owner: 'alice',
  renewer: 'yarn',
  realUser: 'oozie',
  issuedMs: 1_700_000_000_000,
  maxMs: 1_700_604_800_000,
  sequence: 4711,
  keyId: 1,
})

/** The bytes that the base64 of a token has. */
export const hadoopToken: FuzzTarget = {
  name: 'hadoop-token',
  seeds: () => [
    Buffer.from(
      encodeToken({
        identifier: IDENTIFIER,
        password: Buffer.alloc(20),
        kind: 'TIMELINE_DELEGATION_TOKEN',
        service: '',
      }),
      'base64url',
    ),
  ],
  run: (input) => {
    const token = decodeToken(input.subarray(0, 6000).toString('base64url'))
    return [token, decodeIdentifier(token.identifier)]
  },
}
