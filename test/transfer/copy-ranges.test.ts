/** Ranges of a copy: they cover the part, each row once, and what is copied already is not copied again. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { compareBytes, EMPTY } from '../../src/model/bytes.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { isEmptyRange, plannedRanges, rowAfter } from '../../src/transfer/copy-ranges.ts'
import { testRuns } from '../harness/test-runs.ts'

const T = parseTableName('t')
const anyRow = fc.uint8Array({ maxLength: 3, max: 3 }).map((bytes) => Buffer.from(bytes))
const anyKeys = fc.array(anyRow, { maxLength: 6 }).map((keys) =>
  [...new Set(keys.map((key) => key.toString('latin1')))]
    .filter((key) => key !== '')
    .sort()
    .map((key) => Buffer.from(key, 'latin1')),
)

function isWithin(row: Buffer, startRow: Buffer, stopRow: Buffer): boolean {
  return compareBytes(row, startRow) >= 0 && (stopRow.length === 0 || compareBytes(row, stopRow) < 0)
}

test('each row of the part that is not copied yet is in one range', async () => {
  const rows = fc.array(anyRow, { minLength: 1, maxLength: 20 })
  const after = fc.option(anyRow, { nil: undefined })
  const property = fc.asyncProperty(
    anyKeys,
    anyRow,
    anyRow,
    after,
    rows,
    async (keys, startRow, stopRow, from, asked) => {
      const source = openMemoryStore({ clock: { now: () => 0 } })
      await source.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), keys, OWN_CALL)
      const ranges = await plannedRanges(source, T, { startRow, stopRow }, from, OWN_CALL)
      expect(ranges.length).toBeGreaterThan(0)
      for (const row of asked.filter((each) => each.length > 0)) {
        const isWanted =
          isWithin(row, startRow, stopRow) && (from === undefined || compareBytes(row, from) > 0)
        const having = ranges.filter((range) => {
          const first = range.row === undefined ? range.startRow : rowAfter(range.row)
          return !range.done && !isEmptyRange(first, range.stopRow) && isWithin(row, first, range.stopRow)
        })
        expect(having.length, row.toString('hex')).toBe(isWanted ? 1 : 0)
      }
    },
  )
  await fc.assert(property, { numRuns: testRuns(300) })
})

test('a table of one region has one range', async () => {
  const source = openMemoryStore({ clock: { now: () => 0 } })
  await source.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), [], OWN_CALL)
  const ranges = await plannedRanges(source, T, { startRow: EMPTY, stopRow: EMPTY }, undefined, OWN_CALL)
  expect(ranges).toEqual([{ startRow: EMPTY, stopRow: EMPTY, row: undefined, done: false }])
})
