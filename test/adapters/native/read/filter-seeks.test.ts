import { describe, expect, it } from 'vitest'
import type { Filter } from '../../../../src/model/filter.ts'
import { binary, prefix, resultsOf, type World, worldOf } from './filtered-world.ts'

function allOf(...filters: Filter[]): Filter {
  return { kind: 'FilterList', operator: 'MUST_PASS_ALL', filters }
}

describe('seeks', () => {
  const rows = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'))
  const tall = (): World =>
    worldOf(
      rows.filter((row) => Number(row) % 2 === 0).map((row) => `${row}/f:q@1=x`),
      rows.filter((row) => Number(row) % 2 === 1).map((row) => `${row}/f:q@1=x`),
    )
  const fuzzy: Filter = {
    kind: 'FuzzyRowFilter',
    keys: [{ row: Buffer.from('?17'), mask: Buffer.from([1, 0, 0]) }],
    isMaskV2: false,
  }
  const ranges: Filter = {
    kind: 'MultiRowRangeFilter',
    ranges: ['1', '5', '8'].map((digit) => ({
      startRow: Buffer.from(`${digit}10`),
      includeStartRow: true,
      stopRow: Buffer.from(`${digit}13`),
      includeStopRow: false,
    })),
  }

  it.each<[string, Filter, number]>([
    ['a prefix', prefix('42'), 10],
    ['a row', { kind: 'RowFilter', operator: 'EQUAL', comparator: binary('421') }, 1],
    ['fuzzy rows', fuzzy, 10],
    ['ranges of rows', ranges, 9],
    ['a prefix and fuzzy rows', allOf(prefix('4'), fuzzy), 1],
    [
      'a prefix and columns',
      allOf(prefix('42'), { kind: 'ColumnPrefixFilter', prefix: Buffer.from('q') }),
      10,
    ],
  ])('to %s read in proportion to what they find, forwards and backwards', (_, filter, count) => {
    for (const reversed of [false, true]) {
      const world = tall()
      const found = resultsOf(world, { filter, reversed })
      expect(found).toHaveLength(count)
      expect(reversed ? found.toReversed() : found).toEqual(found.toSorted())
      expect(world.counts.cells).toBeLessThan(20 + 8 * count)
    }
  })

  it('to columns go over the others', () => {
    const columns = rows.map((qualifier) => `r/f:${qualifier}@1=x`)
    const world = worldOf(columns, ['r/f:555@2=y'])
    const filter: Filter = {
      kind: 'ColumnRangeFilter',
      min: Buffer.from('554'),
      includeMin: true,
      max: Buffer.from('556'),
      includeMax: true,
    }
    expect(resultsOf(world, { filter })).toEqual(['r/f:554@1=x r/f:555@2=y r/f:556@1=x'])
    expect(world.counts.cells).toBeLessThan(60)
  })
})
