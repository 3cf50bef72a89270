import { expect, test } from 'vitest'
import type { KerberosPlace } from '../../../../src/gateway/identity/guard/kerberos-logins.ts'
import { takenCredentials } from '../../../../src/gateway/identity/guard/taken-credentials.ts'

test('a client that shows nothing hears of the ways that are open alone', () => {
  const none = { users: undefined, tokens: undefined, certificates: false }
  expect(takenCredentials({ ...none, users: 'file' }, 'rest')).toBe('show a user and a password')
  expect(takenCredentials({ ...none, certificates: true }, 'rest')).toBe(
    'show a certificate of the client with one common name (CN)',
  )
  expect(takenCredentials({ ...none, users: 'file', certificates: true }, 'web')).toMatch(
    /^show a user and a password, or a certificate/,
  )
})

test('each protocol hears of the ways that it has', () => {
  const none = { users: undefined, tokens: undefined, certificates: false }
  const tokens = { secrets: ['file'], keys: [], userClaim: 'sub', skewSeconds: 60 }
  expect(takenCredentials({ ...none, tokens }, 'thrift')).toBe('show a token (Bearer over HTTP)')
  expect(takenCredentials({ ...none, tokens }, 'rpc')).toBe(
    'this server takes no login at native RPC: it takes tokens over HTTP alone',
  )
  expect(takenCredentials({ ...none, users: 'file', tokens }, 'rpc')).toBe(
    'show a user and a password (SASL PLAIN)',
  )
})

test.each<[KerberosPlace, readonly KerberosPlace[], string]>([
  ['rest', ['rest', 'rpc'], 'show a ticket of Kerberos (SPNEGO: curl --negotiate -u :)'],
  ['thrift', ['thrift', 'thrift-http'], 'show a ticket of Kerberos (SASL GSSAPI, or SPNEGO over HTTP)'],
  ['thrift', ['thrift'], 'show a ticket of Kerberos (SASL GSSAPI)'],
  ['thrift', ['rest', 'thrift-http'], 'show a ticket of Kerberos (SPNEGO over HTTP)'],
  ['rpc', ['rpc'], 'show a ticket of Kerberos'],
  [
    'thrift-http',
    ['rest', 'thrift'],
    'this server takes no login at Thrift over HTTP: it takes tickets of Kerberos at REST, sockets of Thrift alone',
  ],
  [
    'rpc',
    ['web'],
    'this server takes no login at native RPC: it takes tickets of Kerberos at the web pages alone',
  ],
])('a client at %s, where tickets count at %s', (at, places, advice) => {
  const service = {
    saslServer: () => expect.unreachable(),
    negotiate: () => expect.unreachable(),
    close: () => undefined,
  }
  const kerberos = { serviceAt: (place: KerberosPlace) => (places.includes(place) ? service : undefined) }
  expect(takenCredentials({ users: undefined, tokens: undefined, certificates: false }, at, kerberos)).toBe(
    advice,
  )
})
