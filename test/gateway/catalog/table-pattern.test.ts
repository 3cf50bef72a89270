import { expect, test } from 'vitest'
import { tablesMatching } from '../../../src/gateway/catalog/table-pattern.ts'
import { parseTableName } from '../../../src/model/table-name.ts'

const TABLES = ['cow', 'cow.x', 'ns:cow', 'Pig'].map((name) => ({ name: parseTableName(name) }))
const matching = (pattern: string | undefined) => tablesMatching(TABLES, pattern).map(({ name }) => name)

test.each([
  [undefined, ['cow', 'cow.x', 'ns:cow', 'Pig']],
  ['cow', ['cow']],
  ['c.*', ['cow', 'cow.x']],
  ['.*:cow', ['cow', 'ns:cow']],
  ['default:.*', ['cow', 'cow.x', 'Pig']],
  ['ns:.*', ['ns:cow']],
  ['cow|Pig', ['cow', 'Pig']],
  ['\\Qcow.x\\E', ['cow.x']],
  ['\\Qcow.', []],
  ['(?i)pig', ['Pig']],
  ['\\p{Lower}++', ['cow']],
  ['', []],
])('%j matches whole names', (pattern, expected) => {
  expect(matching(pattern)).toEqual(expected)
})

test('what is no regular expression is a bad argument', () => {
  expect(() => matching('(')).toThrow(expect.objectContaining({ code: 'ILLEGAL_ARGUMENT' }))
})

test('a pattern that backtracks without end elsewhere is matched in no time', () => {
  const tables = [{ name: parseTableName(`${'a'.repeat(60)}.`) }]
  expect(tablesMatching(tables, '(a+)+b')).toEqual([])
})

test('a pattern that nothing but backtracking can match is stopped', () => {
  const tables = [{ name: parseTableName(`${'a'.repeat(60)}.`) }]
  expect(() => tablesMatching(tables, '(a*)*\\1b')).toThrow(expect.objectContaining({ code: 'DO_NOT_RETRY' }))
})
