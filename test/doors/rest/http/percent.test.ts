import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isWellEncoded,
  parseQuery,
  percentDecode,
  withoutUtf16Escapes,
} from '../../../../src/doors/rest/http/percent.ts'

const anyText = fc.string({ unit: 'binary' })
const anyBytes = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes))

function escaped(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

/** Each character of the text as it stands, or escaped; those that have a meaning always escaped. */
function written(text: string, isEscaped: readonly boolean[]): string {
  return Array.from(text, (character, index) =>
    isEscaped[index % isEscaped.length] || /[%+]/.test(character)
      ? escaped(Buffer.from(character))
      : character,
  ).join('')
}

const someEscaped = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 })

describe('percent decoding', () => {
  test('all of Unicode comes back, escaped or not or partly', () => {
    fc.assert(
      fc.property(anyText, someEscaped, fc.boolean(), (text, isEscaped, plusIsSpace) => {
        expect(percentDecode(written(text, isEscaped), plusIsSpace).toString()).toBe(text)
      }),
    )
  })

  test('every character of Unicode comes back by itself', () => {
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 251) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      const bytes = Buffer.from(character)
      if (!percentDecode(escaped(bytes), true).equals(bytes)) expect.fail(`escaped ${code.toString(16)}`)
      if (!/[%+]/.test(character) && !percentDecode(character, true).equals(bytes)) {
        expect.fail(`as it stands ${code.toString(16)}`)
      }
    }
  })

  test('all bytes below 0x80 are exact, and what is not UTF-8 is U+FFFD', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const decoded = percentDecode(escaped(bytes), true)
        const ascii = bytes.filter((byte) => byte < 0x80)
        expect(decoded.filter((byte) => byte < 0x80)).toEqual(ascii)
        expect(Buffer.from(decoded.toString()).equals(decoded)).toBe(true)
        if (Buffer.from(bytes.toString()).equals(bytes)) expect(decoded.equals(bytes)).toBe(true)
      }),
    )
  })

  test('a plus is a space where it is asked for', () => {
    expect(percentDecode('é+b%2B', true).toString()).toBe('é b+')
    expect(percentDecode('é+b%2B', false).toString()).toBe('é+b+')
  })

  test.each(['%', '%2', 'é%', '%zz', '%é1', '%-1', '%--', '% 1'])('"%s" is refused', (text) => {
    expect(() => percentDecode(text, true)).toThrow(expect.objectContaining({ status: 500 }))
  })
})

describe('paths', () => {
  test.each(['/t/a', '/t/%C3%a9', '/t/é', '/t/%7B', '/t/%25u00e9'])('%s is well encoded', (path) => {
    expect(isWellEncoded(path)).toBe(true)
  })
  test.each(['/t/%', '/t/%2', '/t/%zz', '/t/%00', '/t/{', '/a}/b', '/t/%u00e9', '/t/%C3%'])(
    '%s is not',
    (path) => {
      expect(isWellEncoded(path)).toBe(false)
    },
  )
  test('a sign in front of u and four digits stands for itself', () => {
    expect(withoutUtf16Escapes('/t/%u00e9%u12')).toBe('/t/%25u00e9%u12')
    expect(withoutUtf16Escapes('/t/%u0000')).toBe('/t/%u0000')
  })
})

describe('queries', () => {
  test('all of Unicode comes back, in names and values', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, value) => {
        const query = parseQuery(`a=1&${escaped(Buffer.from(name))}=${escaped(Buffer.from(value))}&z`)
        expect([...query]).toEqual([
          ['a', '1'],
          [name, value],
          ['z', ''],
        ])
      }),
    )
  })

  test('what is not UTF-8 is the same as in a path', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const value = parseQuery(`x=${escaped(bytes)}`).get('x')
        expect(value).toBe(percentDecode(escaped(bytes), false).toString())
      }),
    )
  })

  test('a sign that begins no escape stands for itself', () => {
    expect(parseQuery('x=%&y=%zz&z=%u00e9').toString()).toBe('x=%25&y=%25zz&z=%25u00e9')
  })
})
