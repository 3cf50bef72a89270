import { expect, test } from 'vitest'
import { takenCredentials } from '../../../../src/gateway/identity/guard/taken-credentials.ts'

test('a client that shows nothing hears of the ways that are open alone', () => {
  const none = { users: undefined, tokens: undefined, certificates: false }
  expect(takenCredentials({ ...none, users: 'file' })).toBe('show a user and a password')
  expect(takenCredentials({ ...none, certificates: true })).toBe(
    'show a certificate of the client with one common name (CN)',
  )
  expect(takenCredentials({ ...none, users: 'file', certificates: true })).toMatch(
    /^show a user and a password, or a certificate/,
  )
})

test('each protocol hears of the ways that it has', () => {
  const none = { users: undefined, tokens: undefined, certificates: false }
  const tokens = { secrets: ['file'], keys: [], userClaim: 'sub', skewSeconds: 60 }
  expect(takenCredentials({ ...none, tokens }, 'thrift')).toBe('show a token (Bearer over HTTP)')
  expect(takenCredentials({ ...none, tokens }, 'rpc')).toMatch(
    /takes tokens alone, .*use REST, or Thrift over HTTP/,
  )
  expect(takenCredentials({ ...none, users: 'file', tokens }, 'rpc')).toBe(
    'show a user and a password (SASL PLAIN)',
  )
})
