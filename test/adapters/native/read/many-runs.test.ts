/** Reads of very many runs, each of which may have to read a block: they begin, go on and read in turns of the event loop. */

import { expect, test } from 'vitest'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { get, type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

const RUNS = 1000
const ROWS = 40
const RULES = familyRules(familyDescriptor('f'))
const LIMITS = { rows: 1000, bytes: 1 << 20, allowPartial: false }

/** Run i has a column of its own in one of the rows. */
function cellOf(index: number): WrittenCell {
  return {
    row: Buffer.from(`row${String(index % ROWS).padStart(2, '0')}`),
    family: Buffer.from('f'),
    qualifier: Buffer.from(`q${String(index).padStart(4, '0')}`),
    timestamp: 1n,
    type: CellType.Put,
    value: Buffer.from('v'),
    sequenceId: index + 1,
  }
}

const INDICES = Array.from({ length: RUNS }, (_, index) => index)
const MANY = INDICES.map((index) => new SortedRun([cellOf(index)]))

/** A look at the clock takes a millisecond. */
function slowClock(): () => number {
  let now = 0
  return () => now++
}

function opened(options: Partial<Scan>): RegionScanner {
  const context = { readPoint: RUNS, now: 1000, random: Math.random, monotonicMs: slowClock() }
  return new RegionScanner([{ rules: RULES, runs: MANY }], scan(options), context)
}

interface Read {
  readonly columns: string[]
  /** Batches without a row before the first one that has some. */
  readonly turnsBefore: number
  readonly batches: number
}

/** `between`: called before each batch. */
function readAll(scanner: RegionScanner, between: (batch: number) => void = () => undefined): Read {
  const columns: string[] = []
  let turnsBefore = 0
  for (let batches = 1; ; batches++) {
    between(batches)
    const { results, more } = scanner.next(LIMITS)
    for (const { row, qualifier } of cellsOf(gathered(results).cells))
      columns.push(`${row.toString()}:${qualifier.toString()}`)
    if (columns.length === 0) turnsBefore++
    if (!more) return { columns, turnsBefore, batches }
  }
}

const EXPECTED = INDICES.map(cellOf)
  .map(({ row, qualifier }) => `${row.toString()}:${qualifier.toString()}`)
  .sort()

/** Rows from the last to the first, and the columns of each in their order. */
const REVERSED = EXPECTED.toSorted((a, b) => {
  const [rowA, rowB] = [a.slice(0, 5), b.slice(0, 5)]
  return rowA === rowB ? (a < b ? -1 : 1) : rowA < rowB ? 1 : -1
})

test('a scan begins in turns', () => {
  const { columns, turnsBefore } = readAll(opened({}))
  expect(columns).toEqual(EXPECTED)
  expect(turnsBefore).toBeGreaterThan(1)
})

test('a reversed scan begins in turns, and looks at the clock at each row', () => {
  const { columns, turnsBefore, batches } = readAll(opened({ reversed: true }))
  expect(columns).toEqual(REVERSED)
  expect(turnsBefore).toBeGreaterThan(1)
  expect(batches - turnsBefore).toBeGreaterThan(1)
})

test.each([false, true])('runs are replaced while a scan begins (reversed: %s)', (reversed) => {
  const scanner = opened({ reversed })
  const { columns } = readAll(scanner, (batch) => {
    if (batch > 6) return
    for (let i = batch; i < RUNS; i += 7) {
      const other = new SortedRun([cellOf(i)])
      scanner.replaceRun(MANY[i]!, other)
    }
  })
  expect(columns).toEqual(reversed ? REVERSED : EXPECTED)
})

test('a scan that has let go of its blocks goes on in turns', () => {
  const scanner = opened({})
  while (scanner.next({ ...LIMITS, rows: 1 }).results.counts.length === 0);
  for (const run of MANY) scanner.replaceRun(run, run)
  const { columns, turnsBefore } = readAll(scanner)
  expect(columns).toEqual(EXPECTED.filter((column) => !column.startsWith('row00')))
  expect(turnsBefore).toBeGreaterThan(1)
})

test.each([1, 3])('a get of a row of very many runs is made by a scan (versions: %i)', (maxVersions) => {
  const reader = new RowReader(Math.random)
  const target = new CellBlockBuilder()
  const families = [
    { rules: RULES, runs: INDICES.map((i) => new SortedRun([{ ...cellOf(i), row: Buffer.from('r') }])) },
  ]
  const context = { readPoint: RUNS, now: 1000 }
  expect(reader.readNarrow(families, get(Buffer.from('r'), { maxVersions }), context, target)).toBeLessThan(0)
  expect(target.length).toBe(0)
  expect(reader.read(families, get(Buffer.from('r'), { maxVersions }), context, target)).toBe(RUNS)
})
