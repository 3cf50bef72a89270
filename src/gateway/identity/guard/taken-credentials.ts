import type { GuardSettings } from './guard.ts'
import type { KerberosLogins, KerberosPlace } from './kerberos-logins.ts'

/** Protocols with different ways to log in. `thrift`: over a socket. */
export type LoginWay = 'http' | 'thrift' | 'rpc'

const PASSWORD: Readonly<Record<LoginWay, string>> = {
  http: 'a user and a password',
  thrift: 'a user and a password (SASL PLAIN, or Basic over HTTP)',
  rpc: 'a user and a password (SASL PLAIN)',
}
const TOKEN: Readonly<Record<LoginWay, string | undefined>> = {
  http: 'a token',
  thrift: 'a token (Bearer over HTTP)',
  rpc: undefined,
}
const KERBEROS_PLACES: Readonly<Record<LoginWay, readonly KerberosPlace[]>> = {
  http: ['rest', 'web', 'timeline'],
  thrift: ['thrift', 'thrift-http'],
  rpc: ['rpc'],
}
const TICKET: Readonly<Record<LoginWay, string>> = {
  http: 'a ticket of Kerberos (SPNEGO: curl --negotiate -u :)',
  thrift: 'a ticket of Kerberos (SASL GSSAPI, or SPNEGO over HTTP)',
  rpc: 'a ticket of Kerberos',
}

/** Advice for a client without a login: the ways to log in that this server accepts. */
export function takenCredentials(
  { users, tokens, certificates }: GuardSettings,
  way: LoginWay = 'http',
  kerberos?: KerberosLogins,
): string {
  const ways = [
    users !== undefined && PASSWORD[way],
    tokens !== undefined && TOKEN[way],
    KERBEROS_PLACES[way].some((place) => kerberos?.serviceAt(place) !== undefined) && TICKET[way],
    certificates && 'a certificate of the client with one common name (CN)',
  ].filter((text) => typeof text === 'string')
  if (ways.length > 0) return `show ${ways.join(', or ')}`
  const taken = [tokens && 'tokens', kerberos && 'Kerberos over HTTP'].filter((text) => text !== undefined)
  return `this server takes ${taken.join(' and ')} alone, for which native RPC has no way: use REST, or Thrift over HTTP`
}
