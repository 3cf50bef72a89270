import { describe, expect, it } from 'vitest'
import { passingRows } from '../../src/filter/evaluate/passing-rows.ts'
import type { Comparator, Filter, FilterOperator } from '../../src/model/filter.ts'

function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function row(operator: FilterOperator, value: string, kind: 'Binary' | 'BinaryPrefix' = 'Binary'): Filter {
  const comparator: Comparator = { kind: `${kind}Comparator`, value: bytes(value) }
  return { kind: 'RowFilter', operator, comparator }
}

function prefix(text: string): Filter {
  return { kind: 'PrefixFilter', prefix: bytes(text) }
}

function list(operator: 'MUST_PASS_ALL' | 'MUST_PASS_ONE', ...filters: Filter[]): Filter {
  return { kind: 'FilterList', operator, filters }
}

const KEYS: Filter = { kind: 'KeyOnlyFilter', lengthAsValue: false }

/** As `[a,b)`; `-` is no end. */
function rangeTexts(filter: Filter): string[] | undefined {
  return passingRows(filter)?.map(({ startRow, includeStartRow, stopRow, includeStopRow }) => {
    const end = stopRow.length === 0 ? '-' : stopRow.toString('latin1')
    return `${includeStartRow ? '[' : '('}${startRow.toString('latin1')},${end}${includeStopRow ? ']' : ')'}`
  })
}

describe('the rows that a tree of filters lets through', () => {
  it.each<[string, Filter, string[] | undefined]>([
    ['a prefix', prefix('ab'), ['[ab,ac)']],
    ['a prefix with no next one', prefix('\xff\xff'), ['[\xff\xff,-)']],
    ['a prefix that ends in the last byte', prefix('a\xff'), ['[a\xff,b)']],
    ['every prefix', prefix(''), undefined],
    ['a row', row('EQUAL', 'b'), ['[b,b]']],
    ['rows before', row('LESS', 'b'), ['[,b)']],
    ['rows up to', row('LESS_OR_EQUAL', 'b'), ['[,b]']],
    ['rows after', row('GREATER', 'b'), ['(b,-)']],
    ['rows from', row('GREATER_OR_EQUAL', 'b'), ['[b,-)']],
    ['all rows but one', row('NOT_EQUAL', 'b'), undefined],
    ['a row of no bytes', row('EQUAL', ''), undefined],
    ['a prefix by comparison', row('EQUAL', 'ab', 'BinaryPrefix'), ['[ab,ac)']],
    [
      'what two have in common',
      list('MUST_PASS_ALL', row('GREATER', 'b'), row('LESS', 'd'), KEYS),
      ['(b,d)'],
    ],
    ['nothing in common', list('MUST_PASS_ALL', prefix('a'), prefix('b')), []],
    ['one or the other', list('MUST_PASS_ONE', prefix('c'), row('EQUAL', 'a')), ['[a,a]', '[c,d)']],
    ['two that overlap', list('MUST_PASS_ONE', prefix('ab'), row('LESS', 'abc')), ['[,ac)']],
    ['one or any', list('MUST_PASS_ONE', prefix('c'), KEYS), undefined],
    [
      'both of either',
      list('MUST_PASS_ALL', list('MUST_PASS_ONE', prefix('a'), prefix('c')), row('GREATER_OR_EQUAL', 'ab')),
      ['[ab,b)', '[c,d)'],
    ],
    ['an empty list', list('MUST_PASS_ALL'), undefined],
  ])('%s', (_, filter, expected) => {
    expect(rangeTexts(filter)).toEqual(expected)
  })

  it('are found in no time where many lists are many', () => {
    const many = (first: number, step: number): Filter => {
      const rows = Array.from({ length: 20_000 }, (_, index) => String(first + step * index).padStart(8, '0'))
      return list('MUST_PASS_ONE', ...rows.map((row) => prefix(row)))
    }
    const found = rangeTexts(list('MUST_PASS_ALL', many(0, 2), many(30_000, 3)))
    expect(found?.slice(0, 2)).toEqual(['[00030000,00030001)', '[00030006,00030007)'])
    expect(found).toHaveLength(1_667)
  })

  it('are not foretold where rows that fail have a say', () => {
    const until: Filter = { kind: 'WhileMatchFilter', filter: prefix('b') }
    const long: Comparator = { kind: 'LongComparator', value: Buffer.alloc(8) }
    expect(rangeTexts(until)).toBeUndefined()
    expect(rangeTexts(list('MUST_PASS_ALL', prefix('a'), until))).toBeUndefined()
    const value: Filter = { kind: 'ValueFilter', operator: 'EQUAL', comparator: long }
    expect(rangeTexts(list('MUST_PASS_ALL', prefix('a'), value))).toBeUndefined()
  })
})
