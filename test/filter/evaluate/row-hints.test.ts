/** A hint must not lead past a row that passes: reading row by row and following hints show the same rows. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFilterEvaluator } from '../../../src/filter/evaluate/create-evaluator.ts'
import { FilterCode } from '../../../src/filter/evaluate/filter-code.ts'
import { compareBytes, EMPTY } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES } from '../../../src/model/cell-block.ts'
import type { Filter, FuzzyKey, RowRange } from '../../../src/model/filter.ts'

const row = fc
  .array(fc.constantFrom(0, 1, 0x61, 0xfe, 0xff), { minLength: 1, maxLength: 4 })
  .map((bytes) => Buffer.from(bytes))
const rows = fc
  .uniqueArray(row, { maxLength: 40, size: 'max', selector: (key) => key.toString('hex') })
  .map((keys) => keys.sort(compareBytes))

function cellOf(key: Buffer): Buffer {
  const parts = {
    family: Buffer.from('f'),
    qualifier: EMPTY,
    timestamp: 1n,
    type: CellType.Put,
    value: EMPTY,
  }
  return blockOf([{ row: key, ...parts }]).buffer
}

/** The rows that pass, with hints followed as far as they lead. */
function passing(filter: Filter, keys: readonly Buffer[], reversed: boolean): string[] {
  const evaluator = createFilterEvaluator(filter, () => 0.5)
  evaluator.setReversed(reversed)
  const passed: string[] = []
  let hint: Buffer | undefined
  for (const key of keys) {
    if (hint !== undefined && compareBytes(key, hint) * (reversed ? -1 : 1) < 0) continue
    hint = undefined
    if (evaluator.filterAllRemaining()) break
    const buffer = cellOf(key)
    if (evaluator.filterRowKey(buffer, CELL_PREFIX_BYTES)) continue
    const code = evaluator.filterCell(buffer, CELL_PREFIX_BYTES)
    if (code === FilterCode.Include && !evaluator.filterRow()) passed.push(key.toString('hex'))
    if (code === FilterCode.SeekNextUsingHint) {
      const cell = evaluator.nextCellHint(buffer, CELL_PREFIX_BYTES)
      if (cell !== undefined) {
        hint = Buffer.from(cell.subarray(10, 10 + cell.readInt16BE(8)))
        // The scan would stand still otherwise.
        expect(compareBytes(hint, key) * (reversed ? -1 : 1)).toBeGreaterThan(0)
      }
    }
    evaluator.reset()
  }
  return passed
}

function matches({ row: wanted, mask }: FuzzyKey, key: Buffer): boolean {
  return wanted.every((byte, i) => i >= key.length || mask[i] === 2 || key[i] === byte)
}

const fuzzyKey = row.chain((key) =>
  fc
    .array(fc.constantFrom(0xff, 2), { minLength: key.length, maxLength: key.length })
    .map((mask) => ({ row: key, mask: Buffer.from(mask) })),
)

test('fuzzy rows', () => {
  fc.assert(
    fc.property(rows, fc.array(fuzzyKey, { minLength: 1, maxLength: 4 }), (keys, fuzzy) => {
      // Only whole keys: HBase's hints ignore rows shorter than the key, though they would match.
      const length = Math.max(...fuzzy.map((key) => key.row.length))
      const whole = keys.filter((key) => key.length >= length)
      const filter: Filter = { kind: 'FuzzyRowFilter', keys: fuzzy, isMaskV2: true }
      const expected = whole.filter((key) => fuzzy.some((rule) => matches(rule, key)))
      expect(passing(filter, whole, false)).toEqual(expected.map((key) => key.toString('hex')))
    }),
    { numRuns: 150 },
  )
})

function isWithin(range: RowRange, key: Buffer): boolean {
  const start = compareBytes(key, range.startRow)
  const stop = compareBytes(key, range.stopRow)
  return (
    (start > 0 || (start === 0 && range.includeStartRow)) &&
    (stop < 0 || (stop === 0 && range.includeStopRow))
  )
}

const range = fc
  .tuple(row, row, fc.boolean())
  .filter(([a, b]) => compareBytes(a, b) !== 0)
  .map(([a, b, include]) => {
    const [startRow, stopRow] = compareBytes(a, b) < 0 ? [a, b] : [b, a]
    return { startRow, includeStartRow: true, stopRow, includeStopRow: include }
  })

test.each([false, true])('row ranges, reversed: %s', (reversed) => {
  fc.assert(
    fc.property(rows, fc.array(range, { minLength: 1, maxLength: 2 }), (keys, ranges) => {
      const ordered = reversed ? keys.toReversed() : keys
      const expected = ordered.filter((key) => ranges.some((one) => isWithin(one, key)))
      const filter: Filter = { kind: 'MultiRowRangeFilter', ranges }
      expect(passing(filter, ordered, reversed)).toEqual(expected.map((key) => key.toString('hex')))
    }),
    { numRuns: 150 },
  )
})

function fuzzy(text: string, mask: readonly number[]): Filter {
  return {
    kind: 'FuzzyRowFilter',
    isMaskV2: true,
    keys: [{ row: Buffer.from(text), mask: Buffer.from(mask) }],
  }
}

test('backwards a fuzzy filter in a list looks for its next row only where the list asks for it, as HBase does', () => {
  const filter: Filter = {
    kind: 'FilterList',
    operator: 'MUST_PASS_ONE',
    filters: [fuzzy('?b?d', [2, 255, 2, 255]), fuzzy('zcqq', [255, 255, 255, 255])],
  }
  const keys = ['zcqq', 'zbzz', 'zbzy', 'zbzd'].map((key) => Buffer.from(key))
  // The next row that HBase finds from zcqq would be zb\0d, from zbzz it is zbzd.
  expect(passing(filter, keys, true)).toEqual(['zcqq', 'zbzd'].map((key) => Buffer.from(key).toString('hex')))
})
