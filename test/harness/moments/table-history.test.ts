/** The model that a soak compares restored tables with must find what differs. */

import { expect, test } from 'vitest'
import { TableHistory } from './table-history.ts'

function history(): TableHistory {
  const table = new TableHistory('t')
  table.existence.begin(10, 't').acknowledgedAt = 12
  table.row('a').begin(20, 'one').acknowledgedAt = 22
  table.row('a').begin(30, 'two').acknowledgedAt = 32
  table.row('a').begin(40, undefined).acknowledgedAt = 42
  table.existence.begin(50, undefined).acknowledgedAt = 52
  return table
}

function rows(value?: string): ReadonlyMap<string, string> {
  return new Map(value === undefined ? [] : [['a', value]])
}

test.each<[number, ReadonlyMap<string, string> | undefined, string]>([
  [9, undefined, 'the table is not there yet'],
  [11, undefined, 'its creation is under way'],
  [11, rows(), 'its creation is under way'],
  [12, rows(), 'it was acknowledged'],
  [20, rows(), 'a put is under way'],
  [20, rows('one'), 'a put is under way'],
  [22, rows('one'), 'it was acknowledged in that millisecond'],
  [31, rows('two'), 'the next is under way'],
  [41, rows(), 'a delete is under way'],
  [51, undefined, 'a drop is under way'],
  [52, undefined, 'it was dropped'],
])('at %d nothing differs: %o, since %s', (time, found, _reason) => {
  expect(history().differences(time, found)).toEqual([])
})

test.each([
  [9, rows(), ['the table t is there']],
  [12, undefined, ['the table t is missing']],
  [19, rows('one'), ['t a has one, and not nothing']],
  [22, rows(), ['t a has nothing, and not one']],
  [29, rows('two'), ['t a has two, and not one']],
  [31, rows(), ['t a has nothing, and not one or two']],
  [42, rows('two'), ['t a has two, and not nothing']],
  [42, new Map([['b', 'x']]), ['t b was never written']],
  [52, rows(), ['the table t is there']],
])('at %d it is wrong to have %o', (time, found, expected) => {
  expect(history().differences(time, found)).toEqual(expected)
})

test('a change that was not acknowledged may have been made, and need not', () => {
  const table = history()
  table.row('b').begin(24, 'lost')
  const one = new Map([['a', 'one']])
  expect(table.differences(25, one)).toEqual([])
  expect(table.differences(25, new Map([...one, ['b', 'lost']]))).toEqual([])
  expect(table.differences(23, new Map([...one, ['b', 'lost']]))).toHaveLength(1)
})
