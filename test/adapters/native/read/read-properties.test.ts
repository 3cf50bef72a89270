import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockMemory } from '../../../../adapters/native/read/block-memory.ts'
import type { FamilyRuns } from '../../../../adapters/native/read/family-runs.ts'
import { Loans } from '../../../../adapters/native/read/loans.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { get, type Scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { limits, NOW, plainScans, plainWorlds, ROWS, scans, type World, worlds } from './random-reads.ts'
import { oracleRow, oracleScan } from './read-oracle.ts'
import type { SortedRun } from './sorted-run.ts'

const TYPE_NAMES = new Map<number, string>(Object.entries(CellType).map(([name, code]) => [code, name]))

function text(cell: CellParts): string {
  const column = `${cell.family.toString()}:${cell.qualifier.toString()}`
  return `${cell.row.toString()} ${column} ${cell.timestamp} ${TYPE_NAMES.get(cell.type)} ${cell.value.toString()}`
}

interface Result {
  readonly row: string
  readonly cells: string[]
  /** As the batch tells. */
  readonly isPartial: boolean
}

/** All results of a scan in steps of changing limits; each batch is given back after reading. */
function resultsOf(scanner: RegionScanner, loans: Loans, steps: readonly ScanLimits[]): Result[] {
  const all: Result[] = []
  for (let step = 0, more = true; more; step++) {
    expect(step).toBeLessThan(500)
    const stepLimits = steps[step % steps.length]!
    const answer = scanner.next(stepLimits)
    const { counts, loan } = answer.results
    const cells = cellsOf(gathered(answer.results).cells)
    expect(counts.length).toBeLessThanOrEqual(stepLimits.rows)
    for (const [index, count] of counts.entries()) {
      expect(count).toBeGreaterThan(0)
      const result = cells.splice(0, count)
      const isPartial = answer.partial?.[index] ?? false
      all.push({ row: result[0]!.row.toString(), cells: result.map(text), isPartial })
    }
    expect(cells).toEqual([])
    if (loan !== undefined) loans.release(loan)
    more = answer.more
    // Every other batch begins with blocks that are read anew.
    if (step % 2 === 0) scanner.rest()
  }
  return all
}

/** The results; those of one row are joined unless the scan's `batch` has cut them. */
function results(world: World, query: Scan, steps: readonly ScanLimits[]): string[][] {
  const loans = new Loans(new BlockMemory(true))
  const scanner = new RegionScanner(world.runs, query, {
    readPoint: world.readPoint,
    now: NOW,
    random: () => 0.5,
    loans,
  })
  const found = resultsOf(scanner, loans, steps)
  scanner.close()
  const whole: string[][] = []
  for (const [index, { row, cells, isPartial }] of found.entries()) {
    const before = found[index - 1]
    expect(isPartial).toBe(found[index + 1]?.row === row)
    if (query.batch > 0) expect(cells.length).toBeLessThanOrEqual(query.batch)
    const isTorn = before?.row === row && before.cells.length !== query.batch
    if (isTorn) whole.at(-1)!.push(...cells)
    else whole.push([...cells])
  }
  return whole
}

function openIterators(runs: readonly FamilyRuns[]): number {
  return runs.flatMap((family) => family.runs).reduce((sum, run) => sum + (run as SortedRun).openIterators, 0)
}

describe('reads of random cells', () => {
  it('a scan answers what the definition says, however it is cut into steps', () => {
    fc.assert(
      fc.property(worlds, scans, fc.array(limits, { minLength: 1, maxLength: 3 }), (world, query, steps) => {
        // A limit of bytes makes the parts of a batch smaller: only their cells are compared then.
        const parts = query.batch > 0 && steps.some((step) => step.allowPartial)
        const actual = results(world, query, steps)
        const expected = oracleScan(world, query).map((cells) => cells.map(text))
        if (parts) expect(actual.flat()).toEqual(expected.flat())
        else expect(actual).toEqual(expected)
        expect(openIterators(world.runs)).toBe(0)
      }),
      { numRuns: testRuns(800) },
    )
  })

  it('a scan of plain rows, with some that are not, answers what the definition says', () => {
    fc.assert(
      fc.property(
        plainWorlds,
        plainScans,
        fc.array(limits, { minLength: 1, maxLength: 3 }),
        (world, query, steps) => {
          const expected = oracleScan(world, query).map((cells) => cells.map(text))
          expect(results(world, query, steps)).toEqual(expected)
        },
      ),
      { numRuns: testRuns(500) },
    )
  })

  it('a get answers what the definition says', () => {
    fc.assert(
      fc.property(worlds, scans, fc.constantFrom(...ROWS), (world, query, name) => {
        const row = Buffer.from(name)
        const target = new CellBlockBuilder()
        const context = { readPoint: world.readPoint, now: NOW, random: () => 0.5 }
        const count = new RowReader(() => 0.5).read(world.runs, get(row, query), context, target)
        const cells = cellsOf(target.block()).map(text)
        expect(cells).toEqual(oracleRow(world, row, query, query.raw).map(text))
        expect(count).toBe(cells.length)
        expect(openIterators(world.runs)).toBe(0)
      }),
      { numRuns: testRuns(800) },
    )
  })
})
