import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashOfText, hashOfValue, javaOrder } from '../../../src/doors/timeline/values/java-hash.ts'
import { decodeValue, encodeValue } from '../../../src/doors/timeline/values/stored-value.ts'
import {
  equalValues,
  JavaDouble,
  numberOf,
  type TimelineValue,
  wholeNumber,
} from '../../../src/doors/timeline/values/timeline-value.ts'
import { parameterValue, readValue, valueJson } from '../../../src/doors/timeline/values/value-json.ts'
import { ElementCount } from '../../../src/model/decode-limits.ts'
import { JsonReader } from '../../../src/wire/text/json-reader.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'

const LIMITS = { depthMax: 64, batchMax: 1000, elementsMax: 10_000 }
/** Without half pairs of surrogates. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text
}

const runs = { ...(SEED !== undefined && { seed: SEED }), numRuns: testRuns(300) }

const leaf: fc.Arbitrary<TimelineValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.string({ unit: 'grapheme' }).filter(isWellFormed),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(wholeNumber),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new JavaDouble(value)),
)
const { value: anyValue } = fc.letrec<{ value: TimelineValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.string({ maxLength: 3 }), tie('value')), { maxLength: 4 })
      .map((pairs) => new Map(pairs)),
  ),
}))

function parsed(json: string): TimelineValue {
  return readValue(new JsonReader(Buffer.from(json)), LIMITS.depthMax, new ElementCount(LIMITS))
}

test('a value is read again as it was stored, and equal values have equal bytes', () => {
  fc.assert(
    fc.property(anyValue, anyValue, (a, b) => {
      const bytes = encodeValue(a)
      expect(decodeValue(bytes)).toEqual(a)
      expect(equalValues(decodeValue(bytes), a)).toBe(true)
      if (bytes.equals(encodeValue(b))) expect(equalValues(a, b)).toBe(true)
    }),
    runs,
  )
})

test('a value is read from its JSON again, but for members that are null', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(parsed(valueJson(value))).toEqual(withoutNulls(value))
    }),
    runs,
  )
})

function withoutNulls(value: TimelineValue): TimelineValue {
  if (value instanceof Map)
    return new Map(
      [...value].filter(([, each]) => each !== null).map(([name, each]) => [name, withoutNulls(each)]),
    )
  return Array.isArray(value) ? value.map(withoutNulls) : value
}

describe('types', () => {
  test('2, "2" and 2.0 are three values', () => {
    const values = [numberOf('2'), '2', numberOf('2.0')]
    expect(new Set(values.map((value) => encodeValue(value).toString('hex'))).size).toBe(3)
    expect(values.map((a) => values.map((b) => equalValues(a, b)))).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ])
  })

  test.each([
    ['2', 2],
    ['"2"', '2'],
    ['2x', '2x'],
    ['2 x', 2],
    ['x', 'x'],
    ['', ''],
    ['true', true],
    ['truex', 'truex'],
    ['007', '007'],
    ['{', '{'],
    ['[1,"a"]', [1, 'a']],
    ['null', null],
    ['1e2', new JavaDouble(100)],
    ['9223372036854775808', 9223372036854775808n],
  ])('the parameter %s', (text, value) => {
    expect(parameterValue(text, LIMITS)).toEqual(value)
  })

  test('numbers of too many digits and too deep lists are refused', () => {
    expect(() => parsed('1'.repeat(1001))).toThrow('more than 1000 digits')
    expect(() => parsed('['.repeat(65) + ']'.repeat(65))).toThrow('nested too deep')
  })

  test('JSON is written as Jackson writes it', () => {
    expect(valueJson('a"b\\c\n\u0001\u001f/é😀<')).toBe('"a\\"b\\\\c\\n\\u0001\\u001F/é\\uD83D\\uDE00<"')
    expect(valueJson(new JavaDouble(1.5e10))).toBe('1.5E10')
  })
})

describe("Java's hashes", () => {
  test.each([
    ['abc', 96354],
    [2, 2],
    [2 ** 31, -2147483648],
    [-(2 ** 31) - 1, -2147483648],
    [true, 1231],
    [new JavaDouble(2), 1073741824],
    [[1, 'a'], 31 * (31 + 1) + 97],
    [new Map([['a', 1]]), 97 ^ 1],
    [null, 0],
  ])('%s', (value, hash) => {
    expect(hashOfValue(value as TimelineValue)).toBe(hash)
  })

  test('the order of a map', () => {
    const order = javaOrder(['q', 'w', 'e'], hashOfText, 3)
    expect(order).toEqual(['q', 'e', 'w'])
  })
})
