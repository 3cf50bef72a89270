/** A scan whose filter pauses at any place where it can: it finds what it finds without a pause. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BlockMemory } from '../../../../adapters/native/read/block-memory.ts'
import { Loans } from '../../../../adapters/native/read/loans.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { Turn } from '../../../../src/filter/turn.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import type { Comparator } from '../../../../src/model/filter.ts'
import type { Scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { filterArbitrary } from '../../../filter/filter-arbitrary.ts'
import { NOW, ROWS, scans, type World, worlds } from './random-reads.ts'

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
function found(world: World, query: Scan, seed: number): { results: string[]; paused: number } {
  const loans = new Loans(new BlockMemory(true))
  let state = seed
  const turn = new Turn(() => {
    state = (Math.imul(state, 1_664_525) + (seed === 0 ? 0 : 1_013_904_223)) | 0
    return state < 0 ? 1000 : 0
  }, 0)
  const context = { readPoint: world.readPoint, now: NOW, random: () => 0.5, loans, turn }
  const scanner = new RegionScanner(world.runs, query, context)
  const results: string[] = []
  let paused = 0
  for (let more = true, steps = 0; more; steps++) {
    expect(steps).toBeLessThan(100_000)
    const answer = scanner.next({ rows: 2, bytes: 1 << 20, allowPartial: false })
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
