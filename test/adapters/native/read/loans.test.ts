import { describe, expect, it } from 'vitest'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { BlockMemory } from '../../../../adapters/native/read/block-memory.ts'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { Loans } from '../../../../adapters/native/read/loans.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES, CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { scan } from '../../../../src/model/query.ts'
import { gathered, type ScannedResults } from '../../../../src/model/results.ts'
import { ScatteredCells } from '../../../../src/model/scattered-cells.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

const RULES = familyRules(familyDescriptor('f'))
const GATHERED = { rows: 100, bytes: 1 << 20, allowPartial: false }
const SCATTERED = { ...GATHERED, allowScattered: true }

function cells(...rows: readonly string[]): WrittenCell[] {
  return rows.map((row) => ({
    row: Buffer.from(row),
    family: Buffer.from('f'),
    qualifier: Buffer.from('q'),
    timestamp: 1n,
    type: CellType.Put,
    value: Buffer.from(`value of ${row}`),
    sequenceId: 1,
  }))
}

function scanOf(run: Memstore | SortedRun, loans: Loans = new Loans()): RegionScanner {
  return new RegionScanner([{ rules: RULES, runs: [run] }], scan(), {
    readPoint: 9,
    now: 1000,
    random: () => 0.5,
    loans,
  })
}

function memstoreOf(pool: ChunkPool, written: readonly WrittenCell[]): Memstore {
  const memstore = new Memstore(pool)
  for (const cell of written) {
    const { buffer, end } = blockOf([cell])
    const bytes = end - CELL_PREFIX_BYTES
    memstore.add(buffer, CELL_PREFIX_BYTES, bytes, end, 0, cell.sequenceId)
  }
  return memstore
}

const rowsOf = (results: ScannedResults): string[] =>
  cellsOf(gathered(results).cells).map(({ row, value }) => `${row.toString()}: ${value.toString()}`)

function scattered({ cells }: ScannedResults): ScatteredCells {
  expect(cells).toBeInstanceOf(ScatteredCells)
  return cells as ScatteredCells
}

/** Longer than the first chunk of a memstore, which is too small to be used again. */
function withLongValue(cell: WrittenCell): WrittenCell {
  return { ...cell, value: Buffer.concat([cell.value, Buffer.alloc(3000)]) }
}

describe('cells of a batch that stay where they are', () => {
  it('can be read after the scan was closed, until they are released', () => {
    const loans = new Loans()
    const scanner = scanOf(new SortedRun(cells('a', 'b')), loans)
    const { results } = scanner.next(SCATTERED)
    scanner.close()
    const first = scattered(results).memories[0]!.buffer
    expect(first.includes('value of a')).toBe(true)
    loans.release(results.loan!)
    expect(first.includes('value of a')).toBe(false)
  })

  it('are not written over where their memstore has been freed', () => {
    const pool = new ChunkPool(true)
    const memstore = memstoreOf(pool, cells('a', 'b'))
    const scanner = scanOf(memstore)
    const { results } = scanner.next(SCATTERED)
    scanner.close()
    memstore.free()
    expect(pool.freeCount).toBe(0)
    memstoreOf(pool, cells('x', 'y', 'z'))
    expect(rowsOf(results)).toEqual(['a: value of a', 'b: value of b'])
  })

  it('let the memory be used again after that, and overwritten', () => {
    const pool = new ChunkPool(true)
    const memstore = memstoreOf(pool, cells('a', 'b').map(withLongValue))
    const loans = new Loans()
    const scanner = scanOf(memstore, loans)
    const [one, other] = [scanner.next({ ...SCATTERED, rows: 1 }), scanner.next({ ...SCATTERED, rows: 1 })]
    const { buffer } = scattered(one.results).memories[0]!
    for (const { results } of [one, other]) loans.release(results.loan!)
    scanner.close()
    expect(buffer.includes('value of a')).toBe(true)
    memstore.free()
    expect(pool.freeCount).toBe(1)
    expect(new Set(buffer)).toEqual(new Set([0xdb]))
  })

  it('are copied where a row in between is not plain', () => {
    const tombstone = {
      ...cells('b')[0]!,
      type: CellType.DeleteColumn,
      sequenceId: 2,
      value: Buffer.alloc(0),
    }
    const scanner = scanOf(new SortedRun([...cells('a', 'b', 'c', 'd'), tombstone]))
    const { results, more } = scanner.next(SCATTERED)
    expect(results.cells).toBeInstanceOf(CellBlock)
    expect(results.counts).toEqual([1, 1, 1])
    expect(rowsOf(results)).toEqual(['a: value of a', 'c: value of c', 'd: value of d'])
    expect(more).toBe(false)
  })

  it('say at the last row that there is no more', () => {
    for (const limits of [SCATTERED, GATHERED]) {
      const scanner = scanOf(new SortedRun(cells('a', 'b')))
      expect(scanner.next(limits).more).toBe(false)
      const other = scanOf(new SortedRun(cells('a', 'b')))
      expect(other.next({ ...limits, rows: 1 }).more).toBe(true)
      expect(other.next({ ...limits, rows: 1 }).more).toBe(false)
      expect(other.next(limits).results.counts).toEqual([])
    }
  })
})

describe('cells of a batch that come back to back', () => {
  it('are independent of the run, and overwritten once they are released', () => {
    const loans = new Loans(new BlockMemory(true))
    const scanner = scanOf(new SortedRun(cells('a', 'b')), loans)
    const { results } = scanner.next(GATHERED)
    scanner.close()
    expect(results.cells).toBeInstanceOf(CellBlock)
    expect(rowsOf(results)).toEqual(['a: value of a', 'b: value of b'])
    loans.release(results.loan!)
    const { buffer } = results.cells as CellBlock
    expect(new Set(buffer)).toEqual(new Set([0xdb]))
  })

  it('come in memory that was given back', () => {
    const loans = new Loans()
    const scanner = scanOf(new SortedRun(cells('a', 'b')), loans)
    const first = scanner.next({ ...GATHERED, rows: 1 }).results
    loans.release(first.loan!)
    const second = scanner.next({ ...GATHERED, rows: 1 }).results
    expect((second.cells as CellBlock).buffer).toBe((first.cells as CellBlock).buffer)
  })
})

describe('a loan', () => {
  it('ends once, however often it is released', () => {
    const loans = new Loans()
    const memory = Buffer.alloc(100)
    const loan = loans.lendBlock(memory)!
    loans.release(loan)
    loans.release(loan)
    expect(loans.memory.take(10)).toBe(memory)
    expect(loans.memory.take(10)).not.toBe(memory)
    const again = loans.lendBlock(memory)!
    expect(again).not.toBe(loan)
    loans.release(loan)
    expect(loans.memory.take(10)).not.toBe(memory)
  })

  it('ends what was agreed with the run, once', () => {
    const loans = new Loans()
    let ends = 0
    const loan = loans.lendRun(new ScatteredCells(), () => ends++)
    loans.release(loan)
    loans.release(loan)
    expect(ends).toBe(1)
  })

  it('is forgotten, not ended, where it is never released', () => {
    const loans = new Loans(new BlockMemory(true))
    const kept = Buffer.alloc(100)
    const first = loans.lendBlock(kept)!
    const later = Array.from({ length: 1000 }, () => Buffer.alloc(1))
    for (const memory of later) loans.lendBlock(memory)
    loans.release(first)
    expect(new Set(kept)).toEqual(new Set([0]))
    expect(later.every((memory) => memory[0] === 0)).toBe(true)
    expect(loans.memory.take(100)).not.toBe(kept)
  })

  it('is not made of memory that nobody wants back', () => {
    const loans = new Loans()
    expect(loans.lendBlock(Buffer.alloc(2 * 1024 * 1024))).toBeUndefined()
    loans.release(12_345)
    expect(loans.takeId()).not.toBe(loans.takeId())
  })
})
