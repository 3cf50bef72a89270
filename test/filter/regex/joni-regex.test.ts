import { expect, test } from 'vitest'
import { compileJoniRegex } from '../../../src/filter/regex/joni-regex.ts'

/** As HBase 2.6.1 answers with the engine JONI. */
test.each([
  ['a.b', 0, 'a\nb', false],
  ['a.b', 32, 'a\nb', true],
  ['a.b', 0, 'a\rb', true],
  ['^b', 0, 'a\nb', false],
  ['^b', 8, 'a\nb', true],
  ['a$', 0, 'a\n', true],
  ['a$', 8, 'a\nb', true],
  ['\\d', 0, '\u0663', true],
  ['\\w', 0, 'é', true],
  ['\\bé', 0, 'aé', false],
  ['é', 2, 'É', true],
  ['(?i)é', 0, 'É', true],
  ['a', 16, 'b', false],
  ['(?<n>a)\\k<n>', 0, 'aa', true],
  ['a++', 0, 'aa', true],
  ['\\Qa.b\\E', 0, 'a.b', true],
])('%j with %i in %j: %j', (pattern, flags, text, found) => {
  expect(compileJoniRegex(pattern, flags).find(text)).toBe(found)
})
