import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonValue, parseJson } from '../../../src/wire/text/json-value.ts'
import { toDepth } from './decode-limits.ts'

function plain(value: JsonValue): unknown {
  switch (value.kind) {
    case 'null':
      return null
    case 'number':
      return Number(value.value)
    case 'array':
      return value.value.map(plain)
    case 'object':
      return Object.fromEntries([...value.value].map(([key, member]) => [key, plain(member)]))
    case 'boolean':
    case 'string':
      return value.value
  }
}

describe('JSON', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom('', ' ', '\n\t\r '), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), undefined, space)
        const read = plain(parseJson(Buffer.from(`${space}${spaced}${space}`), toDepth(20)))
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  test('is refused where JSON.parse refuses it', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '01',
      '1.',
      'true',
      'nul',
      '\\',
      ' ',
      "'",
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        let isValid = true
        try {
          JSON.parse(text)
        } catch {
          isValid = false
        }
        const read = (): unknown => parseJson(Buffer.from(text), toDepth(20))
        if (isValid) read()
        else expect(read).toThrow(expect.objectContaining({ code: 'CORRUPTION' }))
      }),
      { numRuns: 2000 },
    )
  })

  test('knows all escapes', () => {
    const text = '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00"'
    expect(plain(parseJson(Buffer.from(text), toDepth(1)))).toBe(JSON.parse(text))
    for (const bad of ['"\\x"', '"\\u12g4"', '"\\u12', '"\n"', '"\\"']) {
      expect(() => parseJson(Buffer.from(bad), toDepth(1))).toThrow(/malformed JSON at byte \d+/)
    }
  })

  test('keeps numbers as their digits', () => {
    expect(parseJson(Buffer.from('9007199254740993'), toDepth(1))).toEqual({
      kind: 'number',
      value: '9007199254740993',
    })
  })

  test('may not be nested too deep', () => {
    expect(() => parseJson(Buffer.from('['.repeat(1_000_000)), toDepth(64))).toThrow(/too deep/)
  })
})
