/** Headers of clients with tickets of Kerberos: Authorization: Negotiate, and the cookie that stands for a login. */

import {
  CookieSigner,
  cookieOf,
  cookieText,
  readCookieText,
} from '../../src/gateway/identity/guard/negotiate/auth-cookie.ts'
import { negotiateToken } from '../../src/gateway/identity/guard/negotiate/negotiate-token.ts'
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
    const value = cookieOf(input.toString('latin1'))
    // The text of a cookie is read only behind its signature. Here it is read all the same.
    return value && [SIGNER.verified(value), readCookieText(value)]
  },
}
