import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FamilyRules } from '../../../../adapters/native/read/family-rules.ts'
import type { FamilyRuns } from '../../../../adapters/native/read/family-runs.ts'
import { readRow } from '../../../../adapters/native/read/read-row.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { ALL_COLUMNS, ColumnsBuilder, get, type Scan, scan } from '../../../../src/model/query.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import type { ScanLimits } from '../../../../src/store.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { type OracleTable, oracleRow, oracleScan } from './read-oracle.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

const NOW = 100
const FAMILIES = ['f', 'g']
const QUALIFIERS = ['', 'a', 'ab']
const ROWS = ['a', 'a', 'a', 'ab', 'b', 'b\0']
const FAMILY_TYPES: readonly number[] = [CellType.DeleteFamily, CellType.DeleteFamilyVersion]

function lifeTag(millis: number): Buffer {
  const tag = Buffer.alloc(11)
  tag.writeInt16BE(9, 0)
  tag[2] = 8
  tag.writeBigInt64BE(BigInt(millis), 3)
  return tag
}

const type: fc.Arbitrary<CellType> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(CellType.Put) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      CellType.Delete,
      CellType.DeleteColumn,
      CellType.DeleteFamily,
      CellType.DeleteFamilyVersion,
    ),
  },
)

const written: fc.Arbitrary<Omit<WrittenCell, 'sequenceId'>> = fc
  .record({
    row: fc.constantFrom(...ROWS),
    family: fc.constantFrom('f', 'f', 'g'),
    qualifier: fc.constantFrom(...QUALIFIERS),
    timestamp: fc.integer({ min: 92, max: 101 }),
    type,
    value: fc.string({ maxLength: 3 }),
    life: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 6, nil: undefined }),
  })
  .map((cell) => ({
    row: Buffer.from(cell.row),
    family: Buffer.from(cell.family),
    qualifier: Buffer.from(FAMILY_TYPES.includes(cell.type) ? '' : cell.qualifier),
    timestamp: BigInt(cell.timestamp),
    type: cell.type,
    value: cell.type === CellType.Put ? Buffer.from(cell.value) : Buffer.alloc(0),
    ...(cell.life === undefined || cell.type !== CellType.Put ? {} : { tags: lifeTag(cell.life) }),
  }))

function rules(name: string): fc.Arbitrary<FamilyRules> {
  return fc.record({
    name: fc.constant(Buffer.from(name)),
    maxVersions: fc.constantFrom(1, 3, 5),
    minVersions: fc.constantFrom(0, 1, 2),
    timeToLiveMs: fc.constantFrom(Number.POSITIVE_INFINITY, 3, 6),
    keepDeletedCells: fc.constantFrom('FALSE', 'TRUE', 'TTL'),
    newVersionBehavior: fc.constant(false),
  })
}

const columns = fc
  .array(fc.tuple(fc.constantFrom(...FAMILIES), fc.option(fc.constantFrom(...QUALIFIERS), { freq: 3 })), {
    maxLength: 4,
  })
  .map((chosen) => {
    const builder = new ColumnsBuilder()
    for (const [family, qualifier] of chosen) {
      if (qualifier === null) builder.addFamily(Buffer.from(family))
      else builder.addColumn(Buffer.from(family), Buffer.from(qualifier))
    }
    return builder.build()
  })

const timeRange = fc
  .option(fc.tuple(fc.integer({ min: 88, max: 103 }), fc.nat({ max: 8 })), { freq: 2, nil: undefined })
  .map((bounds) =>
    bounds === undefined
      ? TimeRange.ALL
      : TimeRange.between(BigInt(bounds[0]), BigInt(bounds[0] + bounds[1])),
  )

const bound = fc.constantFrom('', '', ...ROWS, 'aa', 'zz').map((row) => Buffer.from(row))

const scans: fc.Arbitrary<Scan> = fc
  .record({
    columns,
    timeRange,
    maxVersions: fc.constantFrom(1, 2, 5),
    familyLimit: fc.constantFrom(-1, -1, -1, 0, 1, 3),
    familyOffset: fc.constantFrom(0, 0, 0, 1, 2),
    startRow: bound,
    includeStartRow: fc.boolean(),
    stopRow: bound,
    includeStopRow: fc.boolean(),
    reversed: fc.boolean(),
    batch: fc.constantFrom(-1, -1, 1, 2, 3),
    limit: fc.constantFrom(-1, -1, 1, 2, 3),
    raw: fc.constantFrom(false, false, false, true),
  })
  .map((options) => scan({ ...options, columns: options.raw ? ALL_COLUMNS : options.columns }))

const limits: fc.Arbitrary<ScanLimits> = fc.record({
  rows: fc.integer({ min: 1, max: 4 }),
  bytes: fc.constantFrom(1, 40, 100, 10_000),
  allowPartial: fc.boolean(),
})

interface World extends OracleTable {
  readonly runs: readonly FamilyRuns[]
  readonly readPoint: number
}

/** Cells written one after the other, flushed at some points, read at one between the writes. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    writes: fc.array(written, { maxLength: 60, size: 'max' }),
    flushes: fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
    families: fc.tuple(rules('f'), rules('g')),
    unread: fc.constantFrom(0, 0, 0, 1, 5),
  })
  .map(({ writes, flushes, families, unread }) => {
    const cells = writes.map((cell, at): WrittenCell => ({ ...cell, sequenceId: at + 1 }))
    const ends = [...flushes, 60].sort((a, b) => a - b)
    const runs = families.map((family) => ({
      rules: family,
      runs: ends.map((end, at) => {
        const start = ends[at - 1] ?? 0
        return new SortedRun(cells.slice(start, end).filter((cell) => cell.family.equals(family.name)))
      }),
    }))
    const readPoint = cells.length - unread
    return {
      families,
      cells: cells.filter((cell) => cell.sequenceId <= readPoint),
      now: NOW,
      runs,
      readPoint,
    }
  })

/** One family of one run without times to live, nearly all puts: what the short way through plain rows is for. */
const plainWorlds: fc.Arbitrary<World> = fc
  .array(fc.tuple(written, fc.nat({ max: 5 }), fc.nat({ max: 9 })), { maxLength: 60, size: 'max' })
  .map((writes) => {
    const cells = writes.map(
      ([{ tags, ...cell }, tombstone, row], at): WrittenCell => ({
        ...cell,
        ...(tombstone > 0 && { type: CellType.Put }),
        ...(tombstone === 1 && tags !== undefined && { tags }),
        family: Buffer.from('f'),
        row: Buffer.concat([cell.row, Buffer.from(String(row))]),
        sequenceId: at + 1,
      }),
    )
    const family: FamilyRules = {
      name: Buffer.from('f'),
      maxVersions: 1,
      minVersions: 0,
      timeToLiveMs: Number.POSITIVE_INFINITY,
      keepDeletedCells: 'FALSE',
      newVersionBehavior: false,
    }
    const runs = [{ rules: family, runs: [new SortedRun(cells)] }]
    return { families: [family], cells, now: NOW, runs, readPoint: cells.length }
  })

const plainScans: fc.Arbitrary<Scan> = fc
  .record({
    startRow: bound,
    includeStartRow: fc.boolean(),
    stopRow: bound,
    includeStopRow: fc.boolean(),
    limit: fc.constantFrom(-1, -1, 1, 2, 3),
  })
  .map((options) => scan(options))

const TYPE_NAMES = new Map<number, string>(Object.entries(CellType).map(([name, code]) => [code, name]))

function text(cell: CellParts): string {
  const column = `${cell.family.toString()}:${cell.qualifier.toString()}`
  return `${cell.row.toString()} ${column} ${cell.timestamp} ${TYPE_NAMES.get(cell.type)} ${cell.value.toString()}`
}

/** All results, read in steps of changing limits; parts that a byte limit tore from a row are put together again. */
function results(scanner: RegionScanner, steps: readonly ScanLimits[], batch: number): string[][] {
  const all: string[][] = []
  let torn = false
  for (let step = 0, more = true; more; step++) {
    expect(step).toBeLessThan(500)
    const stepLimits = steps[step % steps.length]!
    const answer = scanner.next(stepLimits)
    const cells = cellsOf(answer.results.cells)
    expect(answer.results.counts.length).toBeLessThanOrEqual(stepLimits.rows)
    if (answer.partial) expect(stepLimits.allowPartial).toBe(true)
    for (const count of answer.results.counts) {
      expect(count).toBeGreaterThan(0)
      if (batch > 0) expect(count).toBeLessThanOrEqual(batch)
      const result = cells.splice(0, count).map(text)
      if (torn) all.at(-1)!.push(...result)
      else all.push(result)
      torn = false
    }
    expect(cells).toEqual([])
    torn = answer.partial
    more = answer.more
  }
  expect(torn).toBe(false)
  return all
}

function openIterators(runs: readonly FamilyRuns[]): number {
  return runs.flatMap((family) => family.runs).reduce((sum, run) => sum + (run as SortedRun).openIterators, 0)
}

describe('reads of random cells', () => {
  it('a scan answers what the definition says, however it is cut into steps', () => {
    fc.assert(
      fc.property(worlds, scans, fc.array(limits, { minLength: 1, maxLength: 3 }), (world, query, steps) => {
        const scanner = new RegionScanner(world.runs, query, { readPoint: world.readPoint, now: NOW })
        // Where bytes cut a part of a batch, parts come out smaller: only their cells are compared then.
        const parts = query.batch > 0 && steps.some((step) => step.allowPartial)
        const actual = results(scanner, steps, query.batch)
        const expected = oracleScan(world, query).map((cells) => cells.map(text))
        if (parts) expect(actual.flat()).toEqual(expected.flat())
        else expect(actual).toEqual(expected)
        scanner.close()
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
          const scanner = new RegionScanner(world.runs, query, { readPoint: world.readPoint, now: NOW })
          const expected = oracleScan(world, query).map((cells) => cells.map(text))
          expect(results(scanner, steps, query.batch)).toEqual(expected)
          scanner.close()
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
        const context = { readPoint: world.readPoint, now: NOW }
        const count = readRow(world.runs, get(row, query), context, target)
        const cells = cellsOf(target.block()).map(text)
        expect(cells).toEqual(oracleRow(world, row, query).map(text))
        expect(count).toBe(cells.length)
        expect(openIterators(world.runs)).toBe(0)
      }),
      { numRuns: testRuns(800) },
    )
  })
})
