import { expect, test } from 'vitest'
import { checkFilter } from '../../src/filter/schema/filter-checks.ts'
import type { Filter } from '../../src/model/filter.ts'

const b = (text: string): Buffer => Buffer.from(text, 'latin1')
const range = (start: string, stop: string) => ({
  startRow: b(start),
  includeStartRow: true,
  stopRow: b(stop),
  includeStopRow: false,
})
const REFUSED: readonly [Filter, string][] = [
  [{ kind: 'ColumnCountGetFilter', limit: -1 }, 'limit be positive -1'],
  [{ kind: 'ColumnPaginationFilter', limit: -1, offset: 0 }, 'limit must be positive -1'],
  [{ kind: 'ColumnPaginationFilter', limit: 1, offset: -2 }, 'offset must be positive -2'],
  [{ kind: 'ColumnPaginationFilter', limit: -1, offset: b('q') }, 'limit must be positive -1'],
  [{ kind: 'PageFilter', pageSize: -3n }, 'must be positive -3'],
  [{ kind: 'TimestampsFilter', timestamps: [1n, -1n], canHint: false }, 'must be positive -1'],
  [{ kind: 'MultipleColumnPrefixFilter', prefixes: [b('a'), b('b'), b('a')] }, 'prefixes must be distinct'],
  [{ kind: 'MultiRowRangeFilter', ranges: [] }, 'No ranges found.'],
  [
    { kind: 'MultiRowRangeFilter', ranges: [range('b', 'a'), range('a', 'c')] },
    '1 invaild ranges.\nInvalid range: start row => b, stop row => a\n',
  ],
  [
    { kind: 'FuzzyRowFilter', keys: [{ row: b('a\x01'), mask: b('\0') }], isMaskV2: true },
    'Fuzzy pair lengths do not match: {a\\x01,\\x00}',
  ],
]

test.each(REFUSED)('%o is refused', (filter, message) => {
  expect(() => checkFilter(filter)).toThrow(expect.objectContaining({ code: 'ILLEGAL_ARGUMENT', message }))
})

test('what holds is taken', () => {
  const filters: Filter[] = [
    { kind: 'ColumnCountGetFilter', limit: 0 },
    { kind: 'PageFilter', pageSize: 0n },
    { kind: 'MultiRowRangeFilter', ranges: [range('', ''), range('a', 'b')] },
    { kind: 'KeyOnlyFilter', lengthAsValue: true },
  ]
  for (const filter of filters) expect(() => checkFilter(filter)).not.toThrow()
})
