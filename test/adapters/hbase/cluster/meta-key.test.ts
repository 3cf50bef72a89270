import { expect, test } from 'vitest'
import { afterRow, afterTable, beforeRow, beforeTable } from '../../../../adapters/hbase/cluster/meta-key.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'

const T = parseTableName('ns:t')

test('keys around the regions of a table and of a row', () => {
  expect(beforeTable(T).toString()).toBe('ns:t,,')
  expect(afterTable(T).toString()).toBe('ns:t\0,,')
  expect(beforeRow(T, Buffer.from('r')).toString()).toBe('ns:t,r,')
  expect(afterRow(T, Buffer.from('r')).toString()).toBe('ns:t,r,99999999999999')
})

test('the longest rows make keys that are rows themselves', () => {
  const row = Buffer.alloc(0x7fff, 'x')
  const key = afterRow(T, row)
  expect(key).toHaveLength(0x7fff)
  expect(key.toString()).toMatch(/^ns:t,x+,99999999999999$/)
  // Regions that begin at the row's beginning begin before it.
  expect(beforeRow(T, row)).toEqual(key)
  const longest = row.subarray(0, 0x7fff - 'ns:t,,99999999999999'.length)
  expect(beforeRow(T, longest)).toEqual(Buffer.concat([Buffer.from('ns:t,'), longest, Buffer.from(',')]))
})
