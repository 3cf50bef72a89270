import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUrlBase64 } from '../../../src/wire/rest/url-base64.ts'

test('what was written is read, with and without padding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64url')
      expect(readUrlBase64(text)).toEqual(Buffer.from(bytes))
      expect(readUrlBase64(text.padEnd(Math.ceil(text.length / 4) * 4, '='))).toEqual(Buffer.from(bytes))
    }),
  )
})

test.each(['!!', 'Y', 'YWI==', 'YQ=', 'Y===', 'YW+/', 'Y WI', 'YWI=\n', '=', 'YQ%3D%3D', 'YQ==YQ=='])(
  '%s is none',
  (text) => {
    expect(() => readUrlBase64(text)).toThrow('is not base64')
  },
)
