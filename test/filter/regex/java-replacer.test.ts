import { expect, test } from 'vitest'
import { JavaReplacer } from '../../../src/filter/regex/java-replacer.ts'

/** The answers of java.util.regex.Matcher of OpenJDK 17. */
test.each([
  ['a*', 'baaac', 'x', true, 'xbxxcx'],
  ['a*', 'baaac', 'x', false, 'xbaaac'],
  ['(a)(b)?', 'ab a', '[$2$1]', true, '[ba] [a]'],
  ['(?<n>a)', 'banana', '<${n}>', true, 'b<a>n<a>n<a>'],
  ['a', 'banana', '\\$1\\\\', false, 'b$1\\nana'],
  ['(a)', 'xa', '$12', false, 'xa2'],
  ['^a', 'aa', 'x', true, 'xa'],
  ['', 'ab', '-', true, '-a-b-'],
  ['\\b', 'a b', '|', true, '|a| |b|'],
  ['(?<=a)n', 'banana', 'N', true, 'baNaNa'],
  ['.', '😀a', '<$0>', true, '<😀><a>'],
  ['b', 'xyz', '$', true, 'xyz'],
])('%s in %s by %s (all: %j)', (pattern, text, replacement, all, expected) => {
  expect(new JavaReplacer(pattern).replace(text, replacement, all)).toBe(expected)
})

test.each([
  ['$', 'group index is missing'],
  ['\\', 'character to be escaped is missing'],
  ['$x', 'Illegal group reference'],
  ['${m}', 'No group with name {m}'],
  ['${', 'missing its name'],
  ['$1', 'No group 1'],
])('the replacement %s is refused where something matches', (replacement, message) => {
  expect(() => new JavaReplacer('a').replace('a', replacement, true)).toThrow(
    expect.objectContaining({ code: 'ILLEGAL_ARGUMENT', message: expect.stringContaining(message) }),
  )
})
