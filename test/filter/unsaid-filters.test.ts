import { describe, expect, test } from 'vitest'
import { printFilterJson } from '../../src/filter/json/print-filter-json.ts'
import { printFilterString } from '../../src/filter/language/print-filter-string.ts'
import type { Comparator, Filter, FilterOperator } from '../../src/model/filter.ts'
import { isPattern } from './filter-form.ts'

function comparing(operator: FilterOperator, comparator: Comparator): Filter {
  return {
    kind: 'ValueFilter',
    operator,
    comparator,
  }
}

describe('what a form cannot say', () => {
  const regex = {
    kind: 'RegexStringComparator',
    pattern: 'a',
    flags: 8,
    charset: 'UTF-8',
    engine: 'JAVA',
  } as const
  const unsaid: readonly Filter[] = [
    comparing('EQUAL', regex),
    comparing('EQUAL', { ...regex, flags: 32, charset: 'ISO-8859-1' }),
    comparing('EQUAL', { ...regex, flags: 32, engine: 'JONI' }),
    comparing('EQUAL', { kind: 'LongComparator', value: Buffer.alloc(8) }),
    { kind: 'ColumnPaginationFilter', limit: 1, offset: Buffer.from('q') },
    { kind: 'TimestampsFilter', timestamps: [1n], canHint: true },
    { kind: 'FilterAllFilter' },
    { kind: 'FirstKeyValueMatchingQualifiersFilter', qualifiers: [] },
    { kind: 'FuzzyRowFilter', keys: [{ row: Buffer.from('a'), mask: Buffer.from([1]) }], isMaskV2: false },
  ]

  test.each(unsaid)('$kind', (filter) => {
    expect(printFilterString(filter)).toBe(undefined)
    expect(printFilterJson(filter)).toBe(undefined)
    expect(printFilterJson({ kind: 'FilterList', operator: 'MUST_PASS_ALL', filters: [filter] })).toBe(
      undefined,
    )
  })

  test('is for the language also a comparison that it refuses, a list of one, and NO_OP', () => {
    const substring = { kind: 'SubstringComparator', substring: 'a' } as const
    expect(isPattern(substring)).toBe(true)
    expect(printFilterString(comparing('LESS', substring))).toBe(undefined)
    expect(printFilterString(comparing('NO_OP', { kind: 'BinaryComparator', value: Buffer.alloc(0) }))).toBe(
      undefined,
    )
    const filters = [{ kind: 'FirstKeyOnlyFilter' }] as const
    expect(printFilterString({ kind: 'FilterList', operator: 'MUST_PASS_ALL', filters })).toBe(undefined)
  })

  test('is for JSON also a column range with an open end, and a KeyOnlyFilter for lengths', () => {
    const open: Filter = {
      kind: 'ColumnRangeFilter',
      min: undefined,
      includeMin: true,
      max: Buffer.from('b'),
      includeMax: true,
    }
    expect(printFilterJson(open)).toBe(undefined)
    expect(printFilterJson({ kind: 'KeyOnlyFilter', lengthAsValue: true })).toBe(undefined)
  })
})
