import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toStringBinary } from '../../../src/model/bytes.ts'
import { escapedText, unescapedText } from '../../../src/wire/text/escaped-text.ts'

describe('bytes as text', () => {
  test.each([
    ['readable', 'readable'],
    ['Zürich, 東京, 🦆', 'Zürich, 東京, 🦆'],
    ['"quotes" and spaces', '"quotes" and spaces'],
    ['C:\\temp', 'C:\\x5Ctemp'],
    ['\\x41', '\\x5Cx41'],
    ['\0\t\n\x7f', '\\x00\\x09\\x0A\\x7F'],
    ['\u0080\u00ad\u200b\u202e\u2066\ufeff\ufffd', /^(?:\\x[\dA-F]{2})+$/],
    ['\u{1fffe}', '\\xF0\\x9F\\xBF\\xBE'],
    ['\u00a0\ue000\u200d', '\u00a0\ue000\u200d'],
  ])('%j', (text, shown) => {
    expect(escapedText(Buffer.from(text))).toMatch(shown)
    if (typeof shown === 'string') expect(escapedText(Buffer.from(text))).toBe(shown)
    expect(unescapedText(escapedText(Buffer.from(text))).toString()).toBe(text)
  })

  test.each([
    ['a lone byte of a longer character', [0x41, 0xc3], 'A\\xC3'],
    ['a character in too many bytes', [0xc0, 0xaf], '\\xC0\\xAF'],
    ['a character in too many bytes, longer', [0xe0, 0x80, 0xaf], '\\xE0\\x80\\xAF'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\\xED\\xA0\\x80'],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '\\xF4\\x90\\x80\\x80'],
    ['a byte that no UTF-8 has', [0xff, 0x42], '\\xFFB'],
    ['a cut character before a whole one', [0xe6, 0x9d, 0xc3, 0xbc], '\\xE6\\x9Dü'],
  ])('%s', (_, bytes, text) => {
    expect(escapedText(Buffer.from(bytes))).toBe(text)
  })

  test('every byte, and ASCII just as HBase prints it', () => {
    const ascii = Buffer.from(Array.from({ length: 128 }, (_, i) => i))
    expect(escapedText(ascii)).toBe(toStringBinary(ascii))
    for (let byte = 0; byte < 256; byte++) {
      expect(unescapedText(escapedText(Buffer.of(byte)))).toEqual(Buffer.of(byte))
    }
  })

  test('every character of Unicode', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const bytes = Buffer.from(String.fromCodePoint(point))
      const text = escapedText(bytes)
      if (!unescapedText(text).equals(bytes)) expect.fail(`U+${point.toString(16)}: ${text}`)
    }
  })

  test('any bytes, and each has one text', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text)),
      fc.string({ unit: fc.constantFrom('\\', 'x', '4', 'F', 'é') }).map((text) => Buffer.from(text)),
    )
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const text = escapedText(a)
        expect(unescapedText(text)).toEqual(a)
        expect(text === escapedText(b)).toBe(a.equals(b))
        expect(Buffer.from(text).includes(0xfffd)).toBe(false)
      }),
    )
  })

  test.each(['\\', 'a\\', '\\n', '\\x', '\\x4', '\\xG0', '\\X41', 'a\\\\b'])('%s is no text', (text) => {
    expect(() => unescapedText(text)).toThrow(/a backslash begins a byte/)
  })

  test('hexadecimal digits may be small', () => {
    expect(unescapedText('\\xfF\\x0a')).toEqual(Buffer.of(0xff, 0x0a))
  })
})
