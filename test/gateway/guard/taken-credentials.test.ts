import { expect, test } from 'vitest'
import { takenCredentials } from '../../../src/gateway/guard/taken-credentials.ts'

test('a client that shows nothing hears of the ways that are open alone', () => {
  const none = { users: undefined, tokens: undefined, certificates: false }
  expect(takenCredentials({ ...none, users: 'file' })).toBe('a user and a password')
  expect(takenCredentials({ ...none, certificates: true })).toBe(
    'a certificate of the client with one common name (CN)',
  )
  expect(takenCredentials({ ...none, users: 'file', certificates: true })).toMatch(
    /^a user and a password, or a certificate/,
  )
})
