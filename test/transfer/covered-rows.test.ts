import { expect, test } from 'vitest'
import { CoveredRows, keyFraction } from '../../src/transfer/covered-rows.ts'

const b = (bytes: string | number[]): Buffer => Buffer.from(bytes as string)

test('the place of a row goes by the bytes behind the begin that the ends share', () => {
  expect(keyFraction(b('row000'), b('row999'), b('row000'))).toBe(0)
  expect(keyFraction(b('row000'), b('row999'), b('row500'))).toBeCloseTo(0.5)
  expect(keyFraction(b('row000000'), b('row399999'), b('row310000'))).toBeCloseTo(0.775)
  expect(keyFraction(b('00'), b('ff'), b('80'))).toBeCloseTo(0.5, 1)
  expect(keyFraction(b('a'), b('~'), b('P'))).toBe(0)
  expect(keyFraction(b('row000'), b('row999'), b('row999'))).toBe(1)
  expect(keyFraction(b(''), b([2]), b([1]))).toBeCloseTo(0.5)
  expect(keyFraction(b('a'), b('a'), b('A'))).toBe(0)
})

test('a table of one region goes from its first row that is read to its last one', () => {
  const covered = new CoveredRows([{ startRow: b(''), stopRow: b('') }], b('row9'))
  expect(covered.fraction).toBeUndefined()
  covered.reached(0, b('row1'))
  covered.reached(0, b('row5'))
  expect(covered.fraction).toBe(0.5)
  covered.ended(0)
  expect(covered.fraction).toBe(1)
})

test('each region has the same share, also where one after the other is passed', () => {
  const ranges = [
    { startRow: b(''), stopRow: b('b') },
    { startRow: b('b'), stopRow: b('c') },
    { startRow: b('c'), stopRow: b('') },
  ]
  const covered = new CoveredRows(ranges, undefined)
  covered.passed(b('a'))
  covered.passed(b([0x62, 0x80]))
  expect(covered.fraction).toBeCloseTo(0.5, 2)
  covered.passed(b('d'))
  expect(covered.fraction).toBeCloseTo(2 / 3)
})
