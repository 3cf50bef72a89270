/** First bytes and their dialect: a login by SASL begins like a frame of 16 MB, and both are recognised from as few bytes as have come. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectDialect } from '../../../../src/doors/thrift/transport/dialect.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { saslBytes } from './gssapi-client.ts'
import { callBytes } from './raw-client.ts'

const FIRST = 0x01000000
const LAST = 0x01ffffff
/** Lengths of frames that begin with the byte 0x01, with those that look most like a login. */
const lengths = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  fc.integer({ min: FIRST, max: FIRST + 300 }),
  fc.constantFrom(FIRST, FIRST + 5, FIRST + 6, FIRST + 0xff, LAST),
)

function behind(length: number, message: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(length)
  return Buffer.concat([bytes, message])
}

/** The dialects of all beginnings, without those that need more bytes. */
function found(bytes: Buffer): unknown[] {
  const all = Array.from({ length: bytes.length }, (_, length) =>
    detectDialect(bytes.subarray(0, length + 1)),
  )
  return all.filter((dialect) => dialect !== 'more')
}

const calls = [
  ['binary', callBytes('binary', 'add', { left: 1n, right: 2n })],
  ['compact', callBytes('compact', 'add', { left: 1n, right: 2n })],
  ['binary', Buffer.concat([behind(3, Buffer.from('add')), Buffer.from([1, 0, 0, 0, 1, 0])])],
] as const

describe.each(calls)('a frame of 16 to 32 MB with a call in %s', (protocol, call) => {
  test('is a frame, however few of its bytes have come', () => {
    fc.assert(
      fc.property(lengths, (length) => {
        const dialects = found(behind(length, call))
        expect(dialects.length).toBeGreaterThan(0)
        for (const dialect of dialects) expect(dialect).toEqual({ transport: 'framed', protocol })
      }),
      { numRuns: testRuns(300) },
    )
  })
})

test('a login is one, whatever the name of its mechanism and however few bytes have come', () => {
  const names = fc.oneof(
    fc.constantFrom('GSSAPI', 'PLAIN', 'DIGEST-MD5', 'A', 'x'.repeat(20)),
    fc.stringMatching(/^[A-Z0-9_-]{1,20}$/),
  )
  fc.assert(
    fc.property(names, fc.uint8Array({ maxLength: 20 }), (name, rest) => {
      const dialects = found(Buffer.concat([saslBytes(1, name), rest]))
      expect(dialects.length).toBeGreaterThan(0)
      for (const dialect of dialects) expect(dialect).toEqual({ transport: 'sasl' })
    }),
    { numRuns: testRuns(300) },
  )
})

test('four bytes show neither', () => {
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 4 }), (length, bytes) => {
      expect(detectDialect(behind(length, Buffer.alloc(0)).subarray(0, bytes))).toBe('more')
    }),
    { numRuns: testRuns(300) },
  )
})
