import { expect, test } from 'vitest'
import {
  LINEAR_REPEATED_MAX,
  LINEAR_SIZE_MAX,
  linearPattern,
} from '../../../src/filter/regex/linear-pattern.ts'
import { parsePattern } from '../../../src/filter/regex/pattern-parser.ts'

const printed = (pattern: string, flags = 0): ReturnType<typeof linearPattern> =>
  linearPattern(parsePattern(pattern, flags).root)

test.each([
  ['a.c', 0, 'a[\\x{0}-\\x{9}\\x{b}-\\x{c}\\x{e}-\\x{84}\\x{86}-\\x{2027}\\x{202a}-\\x{10ffff}]c'],
  ['(?s)^.{7}\\Q\0\u0001\\E', 0, '\\A(?:(?s:.)){7,7}\\x{0}\\x{1}'],
  ['k', 2, '[K-Kk-k]'],
  ['(a|b)*?', 0, '(?:(?:a|b))*'],
  ['[a&&b]', 0, '[^\\x{0}-\\x{10ffff}]'],
])('%j in RE2', (pattern, flags, text) => {
  expect(printed(pattern, flags)).toEqual({ text, asciiOnly: false, finalTerminator: 'none' })
})

test('an end before the final line terminator is looked for in the text without it', () => {
  expect(printed('a$')).toEqual({ text: 'a\\z', asciiOnly: false, finalTerminator: 'any' })
  expect(printed('(?:a$|b\\Z)')).toEqual({ text: '(?:a\\z|b\\z)', asciiOnly: false, finalTerminator: 'any' })
  expect(printed('(?d)a$')).toEqual({ text: 'a\\z', asciiOnly: false, finalTerminator: 'lineFeed' })
})

test('words hold for US-ASCII', () => {
  expect(printed('\\ba')).toEqual({ text: '\\ba', asciiOnly: true, finalTerminator: 'none' })
})

test.each([
  '(?=a)',
  '(?<!a)b',
  '(a)\\1',
  'a*+',
  '(?>a)',
  '\\X',
  '(?m)^a',
  '(?m)a$',
  'a$\\n',
  'a$|b\\z',
  '(a$)*',
  '\\R*',
  '(?:^|a){2}',
  '(?d)a$|(?-d)b$',
  'a{1001}',
  `(?:a|b){${LINEAR_REPEATED_MAX}}`,
  'a'.repeat(LINEAR_SIZE_MAX + 1),
])('%.20s is left to backtracking', (pattern) => {
  expect(printed(pattern)).toBeUndefined()
})
