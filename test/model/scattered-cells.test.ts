import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockOf, CellBlockBuilder, cellsOf } from '../../src/model/cell-block.ts'
import { gathered } from '../../src/model/results.ts'
import { ScatteredCells } from '../../src/model/scattered-cells.ts'
import { ViewedBytes } from '../../src/model/viewed-bytes.ts'
import { anyCell } from './arbitrary-cells.ts'
import { scatteredOf } from './scattered.ts'

const anyCells = fc.array(anyCell, { maxLength: 300 })

describe('gathered results', () => {
  test('have the bytes of a block of the same cells, and the loan of the scattered ones', () => {
    fc.assert(
      fc.property(anyCells, (cells) => {
        const block = blockOf(cells)
        const scattered = scatteredOf(cells)
        expect([scattered.byteLength, scattered.count]).toEqual([block.byteLength, cells.length])
        const results = gathered({ cells: scattered, counts: [cells.length], loan: 7 })
        const { buffer, start, end } = results.cells
        expect(buffer.subarray(start, end)).toEqual(block.buffer.subarray(block.start, block.end))
        expect([results.counts, results.loan]).toEqual([[cells.length], 7])
      }),
    )
  })

  test('are the same object where their cells stand in a block', () => {
    const results = { cells: blockOf(fc.sample(anyCell, { numRuns: 2, seed: 1 })), counts: [2] }
    expect(gathered(results)).toBe(results)
  })

  test('of a value larger than words are copied for', () => {
    const [first] = fc.sample(anyCell, { numRuns: 1, seed: 1 })
    const cells = [first!, { ...first!, value: Buffer.alloc(100_000, 'v') }, first!]
    expect(cellsOf(gathered({ cells: scatteredOf(cells), counts: [3] }).cells)).toEqual(cells)
  })

  test('of no cells', () => {
    expect(cellsOf(gathered({ cells: new ScatteredCells(), counts: [] }).cells)).toEqual([])
  })
})

describe('scattered cells', () => {
  test('are those before the ones that were taken back', () => {
    fc.assert(
      fc.property(anyCells, anyCells, anyCells, (kept, dropped, added) => {
        const cells = scatteredOf([...kept, ...dropped])
        cells.rewind(kept.length)
        const { memories, entries } = scatteredOf(added)
        for (let i = 0; i < added.length; i++) {
          const [memory, cell, bytes] = entries.subarray(i * 3, i * 3 + 3)
          cells.add(memories[memory!]!, cell!, bytes!)
        }
        const builder = new CellBlockBuilder(1)
        builder.appendScattered(cells)
        expect(builder.count).toBe(kept.length + added.length)
        expect(cells.byteLength).toBe(builder.length)
        expect(cellsOf(builder.block())).toEqual([...kept, ...added])
      }),
    )
  })

  test('list a memory that comes again once, unless very many others lie between', () => {
    const cells = new ScatteredCells()
    const many = Array.from({ length: 20 }, () => new ViewedBytes(Buffer.alloc(9)))
    const order = [...many.slice(0, 8), ...many.slice(0, 8), ...many, many[19]!, many[0]!, many[18]!]
    for (const each of order) cells.add(each, 1, 5)
    const indexes = order.map((_, index) => cells.entries[index * 3]!)
    expect(indexes.map((index) => cells.memories[index])).toEqual(order)
    expect(cells.memories.length).toBe(21)
  })

  test('begin anew when they are cleared', () => {
    const cells = new ScatteredCells()
    const [memory, other] = [new ViewedBytes(Buffer.alloc(9)), new ViewedBytes(Buffer.alloc(9))]
    for (const each of [memory, other, other, memory]) cells.add(each, 1, 5)
    expect(cells.memories).toEqual([memory, other])
    cells.clear()
    expect([cells.count, cells.cellBytes, cells.memories.length]).toEqual([0, 0, 0])
    cells.add(memory, 2, 7)
    expect([...cells.memories, ...cells.entries.subarray(0, 3)]).toEqual([memory, 0, 2, 7])
  })
})
