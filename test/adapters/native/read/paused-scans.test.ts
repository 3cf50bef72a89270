/** A scan whose filter pauses at any place where it can: it finds what it finds without a pause. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BlockMemory } from '../../../../adapters/native/read/block-memory.ts'
import { Loans } from '../../../../adapters/native/read/loans.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { Turn } from '../../../../src/filter/turns/turn.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import type { Comparator } from '../../../../src/model/filter.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { filterArbitrary } from '../../../filter/filter-arbitrary.ts'
import { NOW, ROWS, scans, type World, worlds } from './random-reads.ts'
import { SortedRun, timeToLiveTag, type WrittenCell } from './sorted-run.ts'

const bytes = (...texts: string[]): fc.Arbitrary<Buffer> =>
  fc.constantFrom(...texts).map((text) => Buffer.from(text))

const comparators: fc.Arbitrary<Comparator> = fc.oneof(
  bytes('', 'a', 'b', 'x').map((value) => ({ kind: 'BinaryComparator' as const, value })),
  fc.constantFrom('', 'a', 'B').map((substring) => ({ kind: 'SubstringComparator' as const, substring })),
  fc.constantFrom('^.?$', 'a|b', '(.)\\1').map((pattern) => ({
    kind: 'RegexStringComparator' as const,
    pattern,
    flags: 0,
    charset: 'UTF-8',
    engine: 'JAVA' as const,
  })),
)

const filters = filterArbitrary({
  rows: bytes(...ROWS),
  families: bytes('f', 'g'),
  qualifiers: bytes('', 'a', 'ab'),
  values: bytes('', 'a', 'ab', 'x'),
  timestamps: fc.bigInt({ min: 92n, max: 101n }),
  comparators,
})

/** `seed`: decides whether the turn is over at each look at the clock; 0: it never is. */
function seededTurn(seed: number): Turn {
  let state = seed
  return new Turn(() => {
    state = (Math.imul(state, 1_664_525) + (seed === 0 ? 0 : 1_013_904_223)) | 0
    return state < 0 ? 1000 : 0
  }, 0)
}

const WHOLE: ScanLimits = { rows: 2, bytes: 1 << 20, allowPartial: false }

function found(
  world: World,
  query: Scan,
  seed: number,
  limits = WHOLE,
): { results: string[]; paused: number } {
  const loans = new Loans(new BlockMemory(true))
  const turn = seededTurn(seed)
  const context = { readPoint: world.readPoint, now: NOW, random: () => 0.5, loans, turn }
  const scanner = new RegionScanner(world.runs, query, context)
  const results: string[] = []
  let paused = 0
  for (let more = true, steps = 0; more; steps++) {
    expect(steps).toBeLessThan(100_000)
    const answer = scanner.next(limits)
    const cells = cellsOf(gathered(answer.results).cells).map((cell) =>
      [cell.row, cell.family, cell.qualifier, cell.value, cell.timestamp, cell.type].join('/'),
    )
    for (const count of answer.results.counts) results.push(cells.splice(0, count).join(' '))
    if (answer.results.loan !== undefined) loans.release(answer.results.loan)
    more = answer.more
    if (more && answer.results.counts.length < 2) paused++
    if (paused % 2 === 0) scanner.rest()
  }
  scanner.close()
  return { results, paused }
}

it('finds the same cells', () => {
  let paused = 0
  fc.assert(
    fc.property(worlds, scans, filters, fc.integer({ min: 1 }), (world, plain, filter, seed) => {
      const query = { ...plain, filter, batch: seed % 4 === 0 ? plain.batch : -1 }
      let expected: string[]
      try {
        expected = found(world, query, 0).results
      } catch (error) {
        if (error instanceof HBaseError) return
        throw error
      }
      const answer = found(world, query, seed)
      expect(answer.results).toEqual(expected)
      paused += answer.paused
    }),
    { numRuns: 500 },
  )
  expect(paused).toBeGreaterThan(100)
})

it('finds the same cells in parts of rows, each as large as its client wants', () => {
  const limits = fc.record({
    rows: fc.integer({ min: 1, max: 3 }),
    bytes: fc.integer({ min: 1, max: 300 }),
    allowPartial: fc.constant(true),
    cellBytes: fc.constantFrom(0, 28),
  })
  fc.assert(
    fc.property(worlds, scans, fc.integer({ min: 1 }), limits, (world, query, seed, ofParts) => {
      const expected = found(world, query, 0, ofParts).results.join(' ')
      expect(found(world, query, seed, ofParts).results.join(' ')).toBe(expected)
    }),
    { numRuns: 500 },
  )
})

function cell(row: string, family: string, more: Partial<WrittenCell> = {}): WrittenCell {
  const [value, qualifier] = [Buffer.from('x'), Buffer.from('a')]
  const key = { row: Buffer.from(row), family: Buffer.from(family), qualifier, timestamp: 90n }
  return { ...key, type: CellType.Put, value, sequenceId: 1, ...more }
}

const RULES = {
  maxVersions: 1,
  minVersions: 0,
  timeToLiveMs: Number.POSITIVE_INFINITY,
  keepDeletedCells: 'FALSE',
  newVersionBehavior: false,
  inMemoryCompaction: undefined,
} as const

it.each(['f', 'g'])(
  'asks no filter twice though a flush drops a cell of another family than %s',
  (family) => {
    const other = family === 'f' ? 'g' : 'f'
    const value: Comparator = { kind: 'BinaryComparator', value: Buffer.from('x') }
    const filter: Scan['filter'] = {
      kind: 'FilterList',
      operator: 'MUST_PASS_ALL',
      filters: [
        { kind: 'FirstKeyOnlyFilter' },
        { kind: 'ValueFilter', operator: 'EQUAL', comparator: value },
      ],
    }
    for (let seed = 1; seed < 400; seed++) {
      const replacedAt = seed % 8
      const kept = new SortedRun([cell('a', family), cell('c', family)])
      const flushed = new SortedRun(
        ['a', 'b', 'c'].map((row) => cell(row, other, { tags: timeToLiveTag(1) })),
      )
      const runs = [family, other].sort().map((name) => ({
        rules: { ...RULES, name: Buffer.from(name) },
        runs: [name === family ? kept : flushed],
      }))
      const context = {
        readPoint: 9,
        now: NOW,
        random: () => 0.5,
        loans: new Loans(new BlockMemory(true)),
        turn: seededTurn(seed),
      }
      const scanner = new RegionScanner(runs, scan({ filter }), context)
      const rows: string[] = []
      for (let more = true, steps = 0; more; steps++) {
        expect(steps).toBeLessThan(10_000)
        if (steps === replacedAt) scanner.replaceRun(flushed, new SortedRun([]))
        const answer = scanner.next({ rows: 1, bytes: 1 << 20, allowPartial: false })
        rows.push(...cellsOf(gathered(answer.results).cells).map(({ row }) => row.toString()))
        more = answer.more
      }
      scanner.close()
      expect([seed, ...rows]).toEqual([seed, 'a', 'c'])
    }
  },
)
