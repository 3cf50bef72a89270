import { describe, expect, test } from 'vitest'
import { javaByte, javaDoubleText, javaNumberText } from '../../../src/wire/rest/java-numbers.ts'
import { parseXmlInt32 } from '../../../src/wire/text/int64-text.ts'

test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1.5, '1.5'],
  [-12, '-12.0'],
  [0.001, '0.001'],
  [0.0009, '9.0E-4'],
  [9_999_999, '9999999.0'],
  [1e7, '1.0E7'],
  [1.25e21, '1.25E21'],
  [Infinity, 'Infinity'],
])('the double %d is %s', (value, text) => {
  expect(javaDoubleText(value)).toBe(text)
})

test.each([
  ['5', '5'],
  ['-0', '0'],
  ['9223372036854775808', '9223372036854775808'],
  ['1e2', '100.0'],
  ['1e400', 'Infinity'],
])('the number %s is %s', (digits, text) => {
  expect(javaNumberText(digits)).toBe(text)
})

describe('bytes', () => {
  test.each([
    ['-128', 128],
    ['-1', 255],
    ['255', 255],
    ['1.9', 1],
  ])('%s', (digits, byte) => {
    expect(javaByte(digits)).toBe(byte)
  })

  test.each(['256', '-129', '1e9', 'x'])('%j is none', (digits) => {
    expect(() => javaByte(digits)).toThrow(expect.objectContaining({ code: 'ILLEGAL_ARGUMENT' }))
  })
})

test.each([
  ['', 0],
  [' 1 2 ', 12],
  ['+5', 5],
  ['5-', -5],
  ['2147483648', -2147483648],
  ['4294967297', 1],
])('%j is the int %d of XML', (text, value) => {
  expect(parseXmlInt32(text)).toBe(value)
})
