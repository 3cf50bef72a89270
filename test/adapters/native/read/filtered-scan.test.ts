import { describe, expect, it } from 'vitest'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import {
  ALL_VERSIONS,
  ColumnsBuilder,
  get,
  type Query,
  type Scan,
  scan,
} from '../../../../src/model/query.ts'
import {
  ANY,
  binary,
  columnIs,
  FIRST_KEY,
  NEWEST,
  prefix,
  resultsOf,
  valueIs,
  type World,
  worldOf,
} from './filtered-world.ts'

function gotten(world: World, row: string, query: Partial<Query>): string[] {
  const target = new CellBlockBuilder()
  const count = new RowReader(() => 0.5).read(world.families, get(Buffer.from(row), query), NEWEST, target)
  const cells = cellsOf(target.block()).map(
    ({ qualifier, value }) => `${qualifier.toString()}=${value.toString()}`,
  )
  expect(cells).toHaveLength(count)
  return cells
}

/** Of rows of two characters. */
function rowKeys(world: World, query: Partial<Scan>): string[] {
  return resultsOf(world, query).map((text) => text.slice(0, 2))
}

describe('versions under a filter', () => {
  const world = worldOf(['r/f:a@1=x', 'r/f:a@2=x', 'r/f:a@3=y', 'r/f:b@1=x'], ['r/f:a@4=y', 'r/f:b@2=y'])

  it('count after it: an older version shows where the newer ones fail', () => {
    expect(resultsOf(world, { filter: valueIs('x') })).toEqual(['r/f:a@2=x r/f:b@1=x'])
  })

  it('but those that the family does not keep are never asked about', () => {
    expect(resultsOf(world, { filter: valueIs('x'), maxVersions: ALL_VERSIONS })).toEqual([
      'r/f:a@2=x r/f:b@1=x',
    ])
    expect(resultsOf(world, { filter: valueIs('y'), maxVersions: 2 })).toEqual([
      'r/f:a@4=y r/f:a@3=y r/f:b@2=y',
    ])
  })

  it('count for named columns in the same way', () => {
    const { columns } = {
      columns: new ColumnsBuilder().addColumn(Buffer.from('f'), Buffer.from('a')).build(),
    }
    expect(resultsOf(world, { filter: valueIs('x'), columns })).toEqual(['r/f:a@2=x'])
    expect(resultsOf(world, { filter: FIRST_KEY, columns, maxVersions: 3 })).toEqual(['r/f:a@4=y'])
  })

  it('are all asked about in a raw scan', () => {
    const raw = worldOf(['r/f:a@1=x', 'r/f:a@2=x', 'r/f:a@3=y', 'r/f:a@4=y', 'r/f:a@5 DeleteColumn'])
    expect(resultsOf(raw, { filter: valueIs('x'), raw: true, maxVersions: 1 })).toEqual(['r/f:a@2=x'])
  })
})

describe('what deletes hide', () => {
  it('is not shown to the filter', () => {
    const world = worldOf(['a/f:q@1=x', 'b/f:q@1=x'], ['a/f:q@1 DeleteColumn', 'b/f:q@2=y'])
    expect(resultsOf(world, { filter: valueIs('x') })).toEqual(['b/f:q@1=x'])
  })
})

describe('rows', () => {
  const rows = ['a1', 'a2', 'b1', 'b2', 'b3', 'c1']
  const world = worldOf(
    rows.filter((_, i) => i % 2 === 0).flatMap((row) => [`${row}/f:q@1=${row}`, `${row}/g:q@1=g`]),
    rows.filter((_, i) => i % 2 === 1).map((row) => `${row}/f:q@1=${row}`),
  )

  it('pass by their prefix, in both directions and to a limit', () => {
    expect(rowKeys(world, { filter: prefix('b') })).toEqual(['b1', 'b2', 'b3'])
    expect(rowKeys(world, { filter: prefix('b'), reversed: true })).toEqual(['b3', 'b2', 'b1'])
    expect(rowKeys(world, { filter: prefix('b'), limit: 2 })).toEqual(['b1', 'b2'])
    expect(rowKeys(world, { filter: prefix('b'), startRow: Buffer.from('b2') })).toEqual(['b2', 'b3'])
    expect(rowKeys(world, { filter: prefix('b'), reversed: true, startRow: Buffer.from('b2') })).toEqual([
      'b2',
      'b1',
    ])
  })

  it('pass as a page, and then the scan is over', () => {
    const page: Filter = { kind: 'PageFilter', pageSize: 2n }
    expect(rowKeys(world, { filter: page })).toEqual(['a1', 'a2'])
    const scanner = new RegionScanner(world.families, scan({ filter: page }), NEWEST)
    expect(scanner.next({ ...ANY, rows: 2 })).toMatchObject({ more: false })
    expect(scanner.endsTable).toBe(false)
  })

  it('end the scan where one fails a WhileMatchFilter, and nothing is looked for before it', () => {
    const until: Filter = { kind: 'WhileMatchFilter', filter: prefix('a') }
    expect(rowKeys(world, { filter: until })).toEqual(['a1', 'a2'])
    const never: Filter = { kind: 'WhileMatchFilter', filter: prefix('b') }
    expect(resultsOf(world, { filter: never })).toEqual([])
  })

  it('say by an end without a result that the table need not be looked at further', () => {
    const scanner = new RegionScanner(world.families, scan({ filter: { kind: 'FilterAllFilter' } }), NEWEST)
    expect(scanner.next(ANY)).toMatchObject({ more: false, results: { counts: [] } })
    expect(scanner.endsTable).toBe(true)
  })

  it('that are left out one after the other do not keep others waiting', () => {
    const many = worldOf(Array.from({ length: 100 }, (_, i) => `r${100 + i}/f:q@1=x`))
    const filter: Filter = {
      kind: 'RowFilter',
      operator: 'EQUAL',
      comparator: { kind: 'SubstringComparator', substring: 'z' },
    }
    for (const reversed of [false, true]) {
      const scanner = new RegionScanner(many.families, scan({ filter, reversed }), NEWEST)
      let slices = 1
      while (scanner.next(ANY, 10).more) slices++
      expect(slices).toBeGreaterThanOrEqual(10)
    }
  })
})

describe('a filter of whole rows', () => {
  const world = worldOf(
    ['a/f:keep@1=no', 'a/f:z@1=1', 'a/g:other@1=2', 'b/f:keep@1=yes', 'b/g:other@1=3', 'c/f:z@1=4'],
    ['d/f:keep@1=yes', 'd/g:a@1=5', 'd/g:b@1=6'],
  )

  it('sees all of the row before any of it is handed out', () => {
    const filter = columnIs('f', 'keep', 'yes', false)
    const all = ['b/f:keep@1=yes b/g:other@1=3', 'c/f:z@1=4', 'd/f:keep@1=yes d/g:a@1=5 d/g:b@1=6']
    expect(resultsOf(world, { filter })).toEqual(all)
    expect(resultsOf(world, { filter }, { rows: 1, bytes: 1, allowPartial: true })).toEqual(all)
    expect(resultsOf(world, { filter, reversed: true })).toEqual(all.toReversed())
  })

  it('may leave out single cells at the end', () => {
    const filter: Filter = {
      ...columnIs('f', 'keep', 'yes', true),
      kind: 'SingleColumnValueExcludeFilter',
    } as Filter
    expect(resultsOf(world, { filter })).toEqual(['b/g:other@1=3', 'd/g:a@1=5 d/g:b@1=6'])
  })

  it('reads families that it need not see for rows that pass only, and puts them in their place', () => {
    const filter = columnIs('g', 'b', '6', true)
    const counted = worldOf(
      Array.from({ length: 100 }, (_, i) => `r${100 + i}/f:q@1=x`),
      Array.from({ length: 100 }, (_, i) => `r${100 + i}/g:b@1=${i === 50 ? 6 : 5}`),
    )
    expect(resultsOf(counted, { filter })).toEqual(['r150/f:q@1=x r150/g:b@1=6'])
    expect(counted.counts.cells).toBeLessThan(110)
    expect(resultsOf(world, { filter })).toEqual(['d/f:keep@1=yes d/g:a@1=5 d/g:b@1=6'])
  })

  it('cannot do so backwards', () => {
    expect(() => resultsOf(world, { filter: columnIs('g', 'b', '6', true), reversed: true })).toThrow(
      'Reverse scan with loading CFs on demand is not supported',
    )
  })

  it('reads all families at once where the scan says so, backwards too', () => {
    const filter = columnIs('g', 'b', '6', true)
    const at = { filter, familiesOnDemand: false }
    expect(resultsOf(world, at)).toEqual(['d/f:keep@1=yes d/g:a@1=5 d/g:b@1=6'])
    expect(resultsOf(world, { ...at, reversed: true })).toEqual(['d/f:keep@1=yes d/g:a@1=5 d/g:b@1=6'])
  })

  it.each([true, false])('cannot do with parts of rows; with families on demand: %s', (onDemand) => {
    const filter = columnIs('f', 'keep', 'yes', onDemand)
    expect(() => resultsOf(world, { filter, batch: 100 })).toThrow(
      'org.apache.hadoop.hbase.filter.IncompatibleFilterException: Cannot set batch on a scan using a filter that returns',
    )
  })
})

describe('parts of rows under a filter', () => {
  const world = worldOf(['a', 'b'].flatMap((row) => ['1', '2', '3', '4'].map((q) => `${row}/f:${q}@1=${q}`)))

  it('are batches of what passes', () => {
    const filter: Filter = { kind: 'QualifierFilter', operator: 'NOT_EQUAL', comparator: binary('2') }
    const parts = ['a/f:1@1=1 a/f:3@1=3', 'a/f:4@1=4', 'b/f:1@1=1 b/f:3@1=3', 'b/f:4@1=4']
    expect(resultsOf(world, { filter, batch: 2 })).toEqual(parts)
    expect(resultsOf(world, { filter, familyOffset: 1, familyLimit: 1 })).toEqual(['a/f:3@1=3', 'b/f:3@1=3'])
  })

  it('come as the filter changes them', () => {
    const filter: Filter = { kind: 'KeyOnlyFilter', lengthAsValue: false }
    expect(resultsOf(world, { filter, limit: 1 })).toEqual(['a/f:1@1= a/f:2@1= a/f:3@1= a/f:4@1='])
  })
})

describe('a get', () => {
  const world = worldOf(['a/f:q@1=x', 'b/f:p@1=y', 'b/f:q@1=x'], ['b/f:q@2=y', 'c/f:q@1=x'])

  it('has its filter as a scan of the row has', () => {
    expect(gotten(world, 'b', { filter: valueIs('x') })).toEqual(['q=x'])
    expect(gotten(world, 'b', { filter: FIRST_KEY })).toEqual(['p=y'])
    expect(gotten(world, 'b', { filter: prefix('c') })).toEqual([])
    expect(gotten(world, 'b', { filter: columnIs('f', 'q', 'x', true) })).toEqual([])
    expect(gotten(world, 'nope', { filter: valueIs('x') })).toEqual([])
  })
})
