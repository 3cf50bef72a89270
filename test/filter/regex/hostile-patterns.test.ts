import { expect, test } from 'vitest'
import { INTERSECTIONS_MAX } from '../../../src/filter/regex/character-class.ts'
import { compileJavaRegex, PATTERN_LENGTH_MAX } from '../../../src/filter/regex/java-regex.ts'

test('length is bounded', () => {
  expect(compileJavaRegex('a'.repeat(PATTERN_LENGTH_MAX), 0).find('a')).toBe(false)
  expect(() => compileJavaRegex('a'.repeat(PATTERN_LENGTH_MAX + 1), 0)).toThrow(
    expect.objectContaining({
      code: 'ILLEGAL_ARGUMENT',
      message: 'a regular expression has at most 131072 characters, not 131073',
    }),
  )
})

const intersected = (times: number): string => `[a-c${'&&[^b]'.repeat(times)}]`

test('intersections are bounded', () => {
  expect(compileJavaRegex(intersected(INTERSECTIONS_MAX), 0).find('bc')).toBe(true)
  expect(() => compileJavaRegex(intersected(INTERSECTIONS_MAX + 1), 0)).toThrow(
    'Classes are intersected more than 250 times',
  )
})

/** Each would take minutes if the time for it grew with its square. */
const everyOther = Array.from({ length: 50_000 }, (_, index) => String.fromCodePoint(0x10000 + 2 * index))

test.each([
  ['a class of many characters', `[${everyOther.join('')}]`, everyOther.at(-1)!],
  ['a class of many classes', `[${'\\p{L}\\d'.repeat(5_000)}]`, 'é'],
  ['many first characters', `(?=.)(?:${everyOther.slice(0, 30_000).join('|')})`, everyOther[29_999]!],
  ['many alternatives in a look-behind', `(?<=${'a|'.repeat(60_000)}b)c`, 'bc'],
  ['many look-behinds', `${'(?<=a)'.repeat(20_000)}b`, 'ab'],
])('%s', (_what, pattern, text) => {
  expect(compileJavaRegex(pattern, 0).find(text)).toBe(true)
})
