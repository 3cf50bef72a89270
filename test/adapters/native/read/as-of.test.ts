import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import type { FamilyRuns } from '../../../../adapters/native/read/family-runs.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import { get, type Query, type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { totalComparators } from '../../../filter/comparator-arbitrary.ts'
import { filterArbitrary } from '../../../filter/filter-arbitrary.ts'
import { NOW, ROWS, scans, type World, worldsOf } from './random-reads.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

/** The runs without the cells that have a later timestamp. */
function without(world: World, asOf: bigint): FamilyRuns[] {
  return world.runs.map(({ rules, runs }) => ({
    rules,
    runs: runs.map(
      (run) => new SortedRun((run as SortedRun).written.filter(({ timestamp }) => timestamp <= asOf)),
    ),
  }))
}

function answer(families: readonly FamilyRuns[], query: Scan, readPoint: number): unknown {
  try {
    const scanner = new RegionScanner(families, query, { readPoint, now: NOW, random: () => 0.5 })
    const { results } = scanner.next({ rows: 1000, bytes: 1 << 20, allowPartial: false })
    scanner.close()
    return [results.counts, cellsOf(gathered(results).cells)]
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return error.message
  }
}

function buffers(texts: readonly string[]): fc.Arbitrary<Buffer> {
  return fc.constantFrom(...texts).map((text) => Buffer.from(text))
}

const filters = filterArbitrary({
  rows: buffers(ROWS),
  families: buffers(['f', 'g']),
  qualifiers: buffers(['', 'a', 'ab']),
  values: buffers(['', 'a', 'b']),
  timestamps: fc.bigInt({ min: 92n, max: 101n }),
  comparators: totalComparators(buffers([...ROWS, 'a', '']), ['a', '^a', '']),
  without: ['RandomRowFilter'],
  depth: 2,
})

const filteredScans = fc
  .tuple(scans, fc.option(filters, { freq: 4, nil: undefined }))
  .map(([query, filter]): Scan => ({ ...query, filter }))

describe('a state of the past', () => {
  it('is what reads would find had nothing later been written', () => {
    const asOf = fc.bigInt({ min: 90n, max: 102n })
    fc.assert(
      fc.property(worldsOf(true), filteredScans, asOf, (world, query, asOf) => {
        const { readPoint } = world
        const actual = answer(world.runs, { ...query, asOf }, readPoint)
        expect(actual).toEqual(answer(without(world, asOf), { ...query, asOf: undefined }, readPoint))
      }),
      { numRuns: 1500 },
    )
  })

  const FAMILY = Buffer.from('f')
  const NOW_OF_READS = 10_000

  function cell(timestamp: number, type: number = CellType.Put): WrittenCell {
    const isOfFamily = type === CellType.DeleteFamily
    return {
      row: Buffer.from('r'),
      family: FAMILY,
      qualifier: Buffer.from(isOfFamily ? '' : 'q'),
      timestamp: BigInt(timestamp),
      type,
      value: Buffer.from(type === CellType.Put ? `v${timestamp}` : ''),
      sequenceId: timestamp,
    }
  }

  /** Values of the row's cells. `attributes`: of the family. */
  function values(
    cells: readonly WrittenCell[],
    query: Partial<Query>,
    attributes: Record<string, string> = {},
  ): string[] {
    const rules = familyRules(familyDescriptor('f', Object.entries(attributes)))
    const families = [{ rules, runs: [new SortedRun(cells)] }]
    const target = new CellBlockBuilder()
    new RowReader(Math.random).read(
      families,
      get(Buffer.from('r'), query),
      { readPoint: 1e6, now: NOW_OF_READS },
      target,
    )
    const ofGet = cellsOf(target.block()).map(({ value }) => value.toString())
    const scanner = new RegionScanner(families, scan(query), {
      readPoint: 1e6,
      now: NOW_OF_READS,
      random: () => 0.5,
    })
    const { results } = scanner.next({ rows: 9, bytes: 1 << 20, allowPartial: false })
    expect(cellsOf(gathered(results).cells).map(({ value }) => value.toString())).toEqual(ofGet)
    return ofGet
  }

  it('has the version that was the newest then, though the family keeps just one', () => {
    const versions = [cell(10), cell(20), cell(30)]
    expect(values(versions, {})).toEqual(['v30'])
    expect(values(versions, { asOf: 30n })).toEqual(['v30'])
    expect(values(versions, { asOf: 29n })).toEqual(['v20'])
    expect(values(versions, { asOf: 9n })).toEqual([])
    expect(values(versions, { asOf: -1n })).toEqual([])
  })

  it('knows no later tombstone, where a time range does', () => {
    for (const type of [CellType.DeleteColumn, CellType.DeleteFamily]) {
      const cells = [cell(10), cell(20, type)]
      expect(values(cells, { asOf: 19n })).toEqual(['v10'])
      expect(values(cells, { asOf: 20n })).toEqual([])
      expect(values(cells, { asOf: 99n })).toEqual([])
    }
  })

  it('keeps to the family: what has expired since is gone, but for MIN_VERSIONS', () => {
    const cells = [cell(NOW_OF_READS - 1100), cell(NOW_OF_READS - 900)]
    const asOf = BigInt(NOW_OF_READS - 1000)
    expect(values(cells, { asOf }, { VERSIONS: '3' })).toHaveLength(1)
    expect(values(cells, { asOf }, { VERSIONS: '3', TTL: '1' })).toEqual([])
    const kept = { VERSIONS: '3', TTL: '1', MIN_VERSIONS: '1' }
    expect(values(cells, { asOf }, kept)).toEqual([`v${NOW_OF_READS - 1100}`])
    expect(values(cells, { maxVersions: 9 }, kept)).toEqual([`v${NOW_OF_READS - 900}`])
  })

  it('shows a filter no row of which nothing was there', () => {
    const later = { ...cell(50), row: Buffer.from('a') }
    const families = [{ rules: familyRules(familyDescriptor('f')), runs: [new SortedRun([later, cell(10)])] }]
    const isNotA: Filter = {
      kind: 'RowFilter',
      operator: 'NOT_EQUAL',
      comparator: { kind: 'BinaryComparator', value: Buffer.from('a') },
    }
    const filter: Filter = { kind: 'WhileMatchFilter', filter: isNotA }
    for (const reversed of [false, true]) {
      const counts = (asOf: bigint | undefined): readonly number[] => {
        const scanner = new RegionScanner(families, scan({ filter, asOf, reversed }), {
          readPoint: 99,
          random: () => 0.5,
          now: 100,
        })
        return scanner.next({ rows: 9, bytes: 1 << 20, allowPartial: false }).results.counts
      }
      expect(counts(49n)).toEqual([1])
      expect(counts(undefined)).toEqual(reversed ? [1] : [])
    }
  })

  it('is looked for in slices, too', () => {
    const cells = Array.from({ length: 100 }, (_, i) => ({ ...cell(50), row: Buffer.from(`r${100 + i}`) }))
    for (const filter of [undefined, { kind: 'FirstKeyOnlyFilter' } as const]) {
      const families = [{ rules: familyRules(familyDescriptor('f')), runs: [new SortedRun(cells)] }]
      const scanner = new RegionScanner(families, scan({ asOf: 1n, filter }), {
        readPoint: 99,
        now: 100,
        random: () => 0.5,
      })
      let slices = 1
      while (scanner.next({ rows: 9, bytes: 1 << 20, allowPartial: false }, 10).more) slices++
      expect(slices).toBeGreaterThanOrEqual(10)
      expect(scanner.cellsSeen).toBe(100)
    }
  })
})
