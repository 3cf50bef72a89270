import { describe, expect, it } from 'vitest'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { BlockMemory } from '../../../../adapters/native/read/block-memory.ts'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { scan } from '../../../../src/model/query.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

const RULES = familyRules(familyDescriptor('f'))
const LIMITS = { rows: 100, bytes: 1 << 20, allowPartial: false }

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

function scanOf(run: Memstore | SortedRun): RegionScanner {
  const context = { readPoint: 9, now: 1000, random: () => 0.5, blockMemory: new BlockMemory() }
  return new RegionScanner([{ rules: RULES, runs: [run] }], scan(), context)
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

const rowsOf = (block: Parameters<typeof cellsOf>[0]): string[] =>
  cellsOf(block).map(({ row, value }) => `${row.toString()}: ${value.toString()}`)

describe('cells of a batch that stay where they are', () => {
  it('can be read after the scan was closed, until they are released', () => {
    const run = new SortedRun(cells('a', 'b'))
    const scanner = scanOf(run)
    const { results } = scanner.next(LIMITS)
    const { places } = results.cells
    scanner.close()
    const first = places!.memories[0]!.buffer
    expect(first.includes('value of a')).toBe(true)
    results.release!()
    expect(first.includes('value of a')).toBe(false)
  })

  it('are kept no longer once they have been copied', () => {
    const run = new SortedRun(cells('a', 'b'))
    const scanner = scanOf(run)
    const { results } = scanner.next(LIMITS)
    const first = results.cells.places!.memories[0]!.buffer
    scanner.close()
    expect(rowsOf(results.cells)).toEqual(['a: value of a', 'b: value of b'])
    expect(first.includes('value of a')).toBe(false)
  })

  it('are not written over where their memstore has been freed', () => {
    const pool = new ChunkPool()
    const memstore = memstoreOf(pool, cells('a', 'b'))
    const scanner = scanOf(memstore)
    const { results } = scanner.next(LIMITS)
    scanner.close()
    memstore.free()
    expect(pool.freeCount).toBe(0)
    memstoreOf(pool, cells('x', 'y', 'z'))
    expect(rowsOf(results.cells)).toEqual(['a: value of a', 'b: value of b'])
    results.release!()
  })

  it('let the memory be used again after that', () => {
    const pool = new ChunkPool()
    const memstore = memstoreOf(pool, cells('a', 'b'))
    const scanner = scanOf(memstore)
    const [one, other] = [scanner.next({ ...LIMITS, rows: 1 }), scanner.next({ ...LIMITS, rows: 1 })]
    one.results.release!()
    rowsOf(other.results.cells)
    other.results.release!()
    scanner.close()
    memstore.free()
    expect(pool.freeCount).toBe(1)
  })

  it('are copied where a row in between is not plain', () => {
    const tombstone = {
      ...cells('b')[0]!,
      type: CellType.DeleteColumn,
      sequenceId: 2,
      value: Buffer.alloc(0),
    }
    const scanner = scanOf(new SortedRun([...cells('a', 'b', 'c', 'd'), tombstone]))
    const { results, more } = scanner.next(LIMITS)
    expect(results.cells.places).toBeUndefined()
    expect(results.counts).toEqual([1, 1, 1])
    expect(rowsOf(results.cells)).toEqual(['a: value of a', 'c: value of c', 'd: value of d'])
    expect(more).toBe(false)
  })

  it('say at the last row that there is no more', () => {
    const scanner = scanOf(new SortedRun(cells('a', 'b')))
    expect(scanner.next(LIMITS).more).toBe(false)
    const other = scanOf(new SortedRun(cells('a', 'b')))
    expect(other.next({ ...LIMITS, rows: 2 }).more).toBe(true)
    const last = other.next({ ...LIMITS, rows: 2 })
    expect([last.more, last.results.counts]).toEqual([false, []])
  })
})
