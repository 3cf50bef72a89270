import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Refused } from '../../../../../src/gateway/identity/guard/login-errors.ts'
import { negotiateToken } from '../../../../../src/gateway/identity/guard/negotiate/negotiate-token.ts'

test('a token of any length up to the largest of Windows, padded or not', () => {
  for (const bytes of [1, 2, 3, 4, 1000, 48_000, 65_535]) {
    const token = randomBytes(bytes)
    const text = token.toString('base64')
    expect(negotiateToken(text).equals(token)).toBe(true)
    expect(negotiateToken(text.replace(/=+$/, '')).equals(token)).toBe(true)
  }
})

test.each([
  ['', /has no token/],
  ['a', /not whole base64/],
  ['YII', undefined],
  ['YI_-', /not whole base64/],
  ['YII= YII=', /not whole base64/],
  ['YII=YII=', /not whole base64/],
  ['!!!!', /not whole base64/],
  ['A'.repeat(87_400), /more than 65535 bytes/],
  [Buffer.from('NTLMSSP\0\x01\0\0\0').toString('base64'), /token of NTLM/],
  [Buffer.from('\x60\x40\x06\x06+\x06\x01\x05\x05\x02NTLMSSP\0').toString('base64'), /token of NTLM/],
])('%.30s', (text, refusal) => {
  if (refusal === undefined) expect(negotiateToken(text)).toHaveLength(2)
  else {
    expect(() => negotiateToken(text)).toThrow(refusal)
    expect(() => negotiateToken(text)).toThrow(Refused)
  }
})
