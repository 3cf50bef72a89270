import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonAsUtf8, xmlText } from '../../../src/wire/text/unicode.ts'

const MARK = '\ufeff'

function utf32(text: string, isLittle: boolean): Buffer {
  const points = Array.from(text, (character) => character.codePointAt(0)!)
  const bytes = Buffer.alloc(points.length * 4)
  for (const [index, point] of points.entries()) {
    if (isLittle) bytes.writeUInt32LE(point, index * 4)
    else bytes.writeUInt32BE(point, index * 4)
  }
  return bytes
}

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-16LE': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16BE': (text) => Buffer.from(text, 'utf16le').swap16(),
  'UTF-32LE': (text) => utf32(text, true),
  'UTF-32BE': (text) => utf32(text, false),
}

/** Texts without halves of surrogate pairs, which no encoding keeps. */
const content = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text).toString())

describe.each(Object.entries(ENCODERS))('%s', (name, encode) => {
  test('JSON is read with and without a mark', () => {
    fc.assert(
      fc.property(content, fc.boolean(), (text, isMarked) => {
        const json = JSON.stringify({ text })
        expect(jsonAsUtf8(encode((isMarked ? MARK : '') + json)).toString()).toBe(json)
      }),
    )
  })

  test('XML is read where it is marked or declared', () => {
    const text = '<?xml version="1.0"?><a b="\u00e9\u20ac\u{1f600}"/>'
    expect(xmlText(encode(text))).toBe(text)
    // Xerces takes the mark of UTF-32 for one of UTF-16, or for none.
    expect(xmlText(encode(MARK + text)) === text).toBe(!name.startsWith('UTF-32'))
  })
})

test('JSON that is UTF-8 is not copied', () => {
  const body = Buffer.from('{"a":"\u00e9"}')
  expect(jsonAsUtf8(body)).toBe(body)
})

test.each([
  ['ISO-8859-1', Buffer.of(0xe9), '\u00e9'],
  ['US-ASCII', Buffer.from('x'), 'x'],
  ['utf-8', Buffer.from('\u00e9'), '\u00e9'],
  ['utf-8', Buffer.of(0xe9), undefined],
  ['UTF-16', Buffer.from('x'), undefined],
  ['none-such', Buffer.from('x'), undefined],
])('XML that declares %s', (encoding, bytes, expected) => {
  const declaration = `<?xml version='1.0' encoding='${encoding}'?>`
  const found = xmlText(Buffer.concat([Buffer.from(declaration), bytes]))
  expect(found).toBe(expected === undefined ? undefined : declaration + expected)
})

test('any bytes are text or not, and nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
      const bytes = Buffer.from(array)
      expect(Buffer.isBuffer(jsonAsUtf8(bytes))).toBe(true)
      expect(['string', 'undefined']).toContain(typeof xmlText(bytes))
    }),
    { numRuns: 2000 },
  )
})
