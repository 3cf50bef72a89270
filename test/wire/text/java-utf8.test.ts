import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeJavaUtf8 } from '../../../src/wire/text/java-utf8.ts'

test('text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeJavaUtf8(Buffer.from(text))).toBe(text)
    }),
  )
})

test('a surrogate is one U+FFFD, whole or not, and takes no other byte along', () => {
  const surrogate = fc.tuple(
    fc.integer({ min: 0xa0, max: 0xbf }),
    fc.option(fc.integer({ min: 0x80, max: 0xbf })),
  )
  fc.assert(
    fc.property(fc.string(), surrogate, fc.string(), (before, [second, third], after) => {
      const bytes = [0xed, second, ...(third === null ? [] : [third])]
      const all = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
      expect(decodeJavaUtf8(all)).toBe(`${before}\ufffd${after}`)
    }),
  )
})

test('a part of a buffer is decoded by itself', () => {
  expect(decodeJavaUtf8(Buffer.from('é-Ł-é'), 3, 5)).toBe('Ł')
})
