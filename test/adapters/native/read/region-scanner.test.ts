import { describe, expect, it } from 'vitest'
import type { CellIterator, CellRun } from '../../../../adapters/native/cells/cell-run.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import type { FamilyRuns } from '../../../../adapters/native/read/family-runs.ts'
import type { RegionBatch } from '../../../../adapters/native/read/region-batch.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellType, cellBytes, writeCell } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import { ColumnsBuilder, get, type Query, type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

const RULES = familyRules(familyDescriptor('f'))
const NEWEST = { readPoint: Number.MAX_SAFE_INTEGER, now: 1000, random: () => 0.5 }
const ANY = { rows: 100, bytes: 1 << 20, allowPartial: false }

function written(
  row: string,
  qualifier: string,
  sequenceId: number,
  type: number = CellType.Put,
): WrittenCell {
  const value = Buffer.from('v')
  return {
    row: Buffer.from(row),
    family: Buffer.from('f'),
    qualifier: Buffer.from(qualifier),
    timestamp: BigInt(sequenceId),
    type,
    value: type === CellType.Put ? value : Buffer.alloc(0),
    sequenceId,
  }
}

function family(...runs: CellRun[]): FamilyRuns[] {
  return [{ rules: RULES, runs }]
}

function columnsOf(batch: RegionBatch): string[] {
  return cellsOf(gathered(batch.results).cells).map(
    (cell) => `${cell.row.toString()}:${cell.qualifier.toString()}`,
  )
}

const WIDE = new SortedRun(['a', 'b', 'c'].flatMap((row) => ['1', '2', '3'].map((q) => written(row, q, 1))))
/** The KeyValues of WIDE behind their length prefixes. */
const WIDE_CELL = 4 + cellBytes(1, 1, 1, 1)

describe('a scan in steps', () => {
  it('ends a batch after 4 MB of rows, where parts of rows are allowed too', () => {
    const value = Buffer.alloc(1_000_000)
    const cells = Array.from({ length: 12 }, (_, i) => ({ ...written(`row${i + 10}`, 'q', 1), value }))
    const scanner = new RegionScanner(family(new SortedRun(cells)), scan(), NEWEST)
    const limits = { rows: 100, bytes: 1 << 30, allowPartial: true }
    expect(scanner.next(limits).results.counts).toHaveLength(5)
    expect(scanner.next(limits).results.counts).toHaveLength(5)
  })

  it('ends a batch after the row in which the bytes are reached', () => {
    const scanner = new RegionScanner(family(WIDE), scan(), NEWEST)
    const first = scanner.next({ rows: 100, bytes: WIDE_CELL * 4, allowPartial: false })
    expect(first.results.counts).toEqual([3, 3])
    expect(first).toMatchObject({ more: true, partial: undefined })
    expect(columnsOf(scanner.next(ANY))).toEqual(['c:1', 'c:2', 'c:3'])
  })

  it('ends a batch within a row where partial results are allowed, and goes on at the next cell', () => {
    const scanner = new RegionScanner(family(WIDE), scan(), NEWEST)
    const first = scanner.next({ rows: 100, bytes: WIDE_CELL * 4, allowPartial: true })
    expect(first.results.counts).toEqual([3, 1])
    expect(first.partial).toEqual([false, true])
    const second = scanner.next({ rows: 1, bytes: 1 << 20, allowPartial: true })
    expect(columnsOf(second)).toEqual(['b:2', 'b:3'])
    expect(second.partial).toBeUndefined()
  })

  it('says nothing of a partial row where the bytes end with it', () => {
    const scanner = new RegionScanner(family(WIDE), scan(), NEWEST)
    const batch = scanner.next({ rows: 100, bytes: WIDE_CELL * 3, allowPartial: true })
    expect(batch.results.counts).toEqual([3])
    expect(batch.partial).toBeUndefined()
  })

  it('makes progress however small the limit is', () => {
    const scanner = new RegionScanner(family(WIDE), scan(), NEWEST)
    const batch = scanner.next({ rows: 1, bytes: 0, allowPartial: true })
    expect(batch.results.counts).toEqual([1])
  })

  it('knows its end by the limit of rows', () => {
    const scanner = new RegionScanner(family(WIDE), scan({ limit: 2 }), NEWEST)
    expect(scanner.next({ ...ANY, rows: 1 }).more).toBe(true)
    expect(scanner.next({ ...ANY, rows: 1 }).more).toBe(false)
    expect(scanner.next(ANY).results.counts).toEqual([])
  })

  it('gives way after so many cells, with nothing found yet', () => {
    const rows = Array.from({ length: 50 }, (_, i) => `r${100 + i}`)
    const hidden = rows.flatMap((row) => [written(row, 'q', 1), written(row, '', 2, CellType.DeleteFamily)])
    const scanner = new RegionScanner(
      family(new SortedRun([...hidden, written('z', 'q', 3)])),
      scan(),
      NEWEST,
    )
    let steps = 0
    let found: string[] = []
    for (let more = true; more; steps++) {
      const batch = scanner.next(ANY, 10)
      more = batch.more
      found = [...found, ...columnsOf(batch)]
    }
    expect(found).toEqual(['z:q'])
    expect(steps).toBeGreaterThan(5)
  })
})

function add(memstore: Memstore, cell: WrittenCell): void {
  const length = cellBytes(cell.row.length, 1, cell.qualifier.length, cell.value.length)
  const bytes = Buffer.alloc(length)
  const low = Number(cell.timestamp)
  writeCell(bytes, 0, cell.row, cell.family, cell.qualifier, 0, low, cell.type, cell.value)
  memstore.add(bytes, 0, length, length, 0, cell.sequenceId)
}

describe('what a scanner holds', () => {
  it('does not tear a row that is written to while it is read', () => {
    for (const reversed of [false, true]) {
      const memstore = new Memstore(new ChunkPool())
      for (const row of ['a', 'b']) for (const q of ['1', '3', '5']) add(memstore, written(row, q, 10))
      const context = { readPoint: 10, now: 1000, random: () => 0.5 }
      const scanner = new RegionScanner(family(memstore), scan({ batch: 1, reversed }), context)
      const found: string[] = []
      for (let step = 0, more = true; more; step++) {
        const batch = scanner.next({ ...ANY, rows: 1 })
        more = batch.more
        found.push(...columnsOf(batch))
        for (const row of ['a', 'b']) {
          add(memstore, written(row, String(step), 20 + step))
          add(memstore, written(row, '', 20 + step, CellType.DeleteFamily))
        }
      }
      const rows = reversed ? ['b', 'a'] : ['a', 'b']
      expect(found).toEqual(rows.flatMap((row) => [`${row}:1`, `${row}:3`, `${row}:5`]))
      scanner.close()
    }
  })

  it('sees no later sequence ids than its read point, in gets too', () => {
    const run = new SortedRun([
      written('a', '1', 1),
      written('a', '2', 5),
      written('a', '1', 6, CellType.DeleteColumn),
    ])
    const target = new CellBlockBuilder()
    expect(
      new RowReader(() => 0.5).read(family(run), get(Buffer.from('a')), { readPoint: 4, now: 1000 }, target),
    ).toBe(1)
    expect(
      new RowReader(() => 0.5).read(family(run), get(Buffer.from('a')), { readPoint: 5, now: 1000 }, target),
    ).toBe(2)
    expect(
      new RowReader(() => 0.5).read(family(run), get(Buffer.from('a')), { readPoint: 6, now: 1000 }, target),
    ).toBe(1)
    expect(target.count).toBe(4)
  })

  it('closes what it opened where a run fails', () => {
    const broken: CellRun = {
      maxSequenceId: 0,
      mayHaveRow: () => true,
      mayHaveRows: () => true,
      mayHaveTimes: () => true,
      iterator: (): CellIterator => {
        throw new HBaseError('CORRUPTION', 'a broken block')
      },
      pointIterator: (): CellIterator => {
        throw new HBaseError('CORRUPTION', 'a broken block')
      },
    }
    const sound = new SortedRun([written('a', '1', 1)])
    expect(() => new RegionScanner(family(sound, broken), scan(), NEWEST)).toThrow('a broken block')
    expect(() =>
      new RowReader(() => 0.5).read(
        family(sound, broken),
        get(Buffer.from('a')),
        NEWEST,
        new CellBlockBuilder(),
      ),
    ).toThrow('a broken block')
    expect(sound.openIterators).toBe(0)
  })

  it('opens no run that cannot have the row', () => {
    const other = new SortedRun([written('b', '1', 1)])
    const found = new RowReader(() => 0.5).read(
      family(other),
      get(Buffer.from('a')),
      NEWEST,
      new CellBlockBuilder(),
    )
    expect(found).toBe(0)
    const query: Scan = scan({ startRow: Buffer.from('c') })
    expect(columnsOf(new RegionScanner(family(other), query, NEWEST).next(ANY))).toEqual([])
    expect(other.openIterators).toBe(0)
  })

  it('asks runs for the row where a get has a filter or a scan is of one row', () => {
    const around: CellRun = {
      maxSequenceId: 0,
      mayHaveRow: (row) => !row.equals(Buffer.from('b')),
      mayHaveRows: () => true,
      mayHaveTimes: () => true,
      iterator: (): CellIterator => {
        throw new HBaseError('CORRUPTION', 'opened')
      },
      pointIterator: (): CellIterator => {
        throw new HBaseError('CORRUPTION', 'opened')
      },
    }
    const row = Buffer.from('b')
    const filter: Filter = { kind: 'FirstKeyOnlyFilter' }
    expect(
      new RowReader(() => 0.5).read(family(around), get(row, { filter }), NEWEST, new CellBlockBuilder()),
    ).toBe(0)
    const ofOne = { startRow: row, stopRow: row, includeStopRow: true }
    for (const reversed of [false, true]) {
      const query = scan({ ...ofOne, reversed })
      expect(columnsOf(new RegionScanner(family(around), query, NEWEST).next(ANY))).toEqual([])
    }
    const upTo: Scan = scan({ ...ofOne, startRow: EMPTY })
    expect(() => new RegionScanner(family(around), upTo, NEWEST)).toThrow('opened')
  })

  it('refuses a family that the table does not have', () => {
    const columns = new ColumnsBuilder().addFamily(Buffer.from('x')).build()
    expect(() => new RegionScanner(family(WIDE), scan({ columns }), NEWEST)).toThrow('does not exist')
  })
})

it('does not find a cell at the last of all times by its name', () => {
  const cell = { ...written('a', '1', 1), timestamp: LATEST_TIMESTAMP }
  const older = { ...written('a', '1', 2), timestamp: LATEST_TIMESTAMP - 1n }
  const runs = family(new SortedRun([cell, older]))
  const columns = new ColumnsBuilder().addColumn(Buffer.from('f'), Buffer.from('1')).build()
  const found = (query: Partial<Query>): bigint[] => {
    const target = new CellBlockBuilder()
    new RowReader(() => 0.5).read(runs, get(Buffer.from('a'), query), NEWEST, target)
    return cellsOf(target.block()).map(({ timestamp }) => timestamp)
  }
  expect(found({ columns })).toEqual([LATEST_TIMESTAMP - 1n])
  expect(found({})).toEqual([LATEST_TIMESTAMP])
})
