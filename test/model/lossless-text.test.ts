import fc from 'fast-check'
import { expect, test } from 'vitest'
import { losslessBytes, losslessText } from '../../src/model/lossless-text.ts'
import { testRuns } from '../harness/test-runs.ts'

/** Bytes that are UTF-8 in parts, among them characters that stand for bytes. */
const pieces = fc.oneof(
  fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('name', 'ä', '€', '\ufffd', '\u{1f600}', '\u{10fe00}', '\u{10ff00}', '\u{10ff41}')
    .map((text) => Buffer.from(text)),
)

test('any bytes come back from their text', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      const bytes = Buffer.concat(parts)
      const text = losslessText(bytes)
      expect(losslessBytes(text)).toEqual(bytes)
      // Files and protocols that keep the text as UTF-8 keep it whole.
      expect(Buffer.from(text).toString()).toBe(text)
    }),
    { numRuns: testRuns(300) },
  )
})

test('UTF-8 is itself', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(losslessText(Buffer.from(text))).toBe(Buffer.from(text).toString())
    }),
    { numRuns: testRuns(100) },
  )
  expect(losslessText(Buffer.from('ä\ufffd'))).toBe('ä\ufffd')
  expect(losslessText(Buffer.of(0x61, 0xff))).toBe('a\u{10ffff}')
})
