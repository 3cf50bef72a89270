import { expect, test } from 'vitest'
import { CellType } from '../../src/model/cell.ts'
import { type Condition, valueCondition } from '../../src/model/mutation.ts'
import { ALL_COLUMNS } from '../../src/model/query.ts'
import { TimeRange } from '../../src/model/time-range.ts'
import { conditionGet, conditionHolds } from '../../src/query/condition.ts'
import { bytes } from '../store/suite/store-under-test.ts'

const CELL = {
  row: bytes('r'),
  family: bytes('f'),
  qualifier: bytes('q'),
  timestamp: 5n,
  type: CellType.Put,
  value: bytes('m'),
}
const FILTER: Condition = { kind: 'filter', filter: { kind: 'PrefixFilter', prefix: bytes('r') } }

test('the get of a column, and of a filter', () => {
  const timeRange = TimeRange.between(2n, 9n)
  const column = conditionGet(bytes('r'), {
    ...valueCondition(bytes('f'), bytes('q'), 'LESS', bytes('a')),
    timeRange,
  })
  expect(column.columns).toEqual([{ family: bytes('f'), qualifiers: [bytes('q')] }])
  expect([column.timeRange, column.filter, column.maxVersions]).toEqual([timeRange, undefined, 1])
  const filter = conditionGet(bytes('r'), FILTER)
  expect([filter.columns, filter.timeRange, filter.filter]).toEqual([
    ALL_COLUMNS,
    TimeRange.ALL,
    { kind: 'PrefixFilter', prefix: bytes('r') },
  ])
})

test('a filter holds where something was found', () => {
  expect(conditionHolds(FILTER, CELL)).toBe(true)
  expect(conditionHolds(FILTER, undefined)).toBe(false)
})

test('the comparator is on the left', () => {
  const less = valueCondition(bytes('f'), bytes('q'), 'LESS', bytes('a'))
  expect(conditionHolds(less, CELL)).toBe(true)
  expect(conditionHolds({ ...less, operator: 'GREATER' }, CELL)).toBe(false)
  expect(conditionHolds(less, undefined)).toBe(false)
})

test('a faulty comparator is refused though there is nothing to compare', () => {
  const condition: Condition = {
    kind: 'column',
    family: bytes('f'),
    qualifier: bytes('q'),
    operator: 'EQUAL',
    comparator: { kind: 'LongComparator', value: bytes('short') },
  }
  expect(() => conditionHolds(condition, undefined)).toThrow('Wrong length: 5, expected 8')
})
