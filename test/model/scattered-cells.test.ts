import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockOf, CellBlock, CellBlockBuilder, cellsOf } from '../../src/model/cell-block.ts'
import { ScatteredCells } from '../../src/model/scattered-cells.ts'
import { ViewedBytes } from '../../src/model/viewed-bytes.ts'
import { anyCell } from './arbitrary-cells.ts'
import { placesOf, scatteredBlockOf } from './scattered.ts'

const anyCells = fc.array(anyCell, { maxLength: 300 })

describe('a scattered block', () => {
  test('is what a block of the same cells is', () => {
    fc.assert(
      fc.property(anyCells, (cells) => {
        const block = blockOf(cells)
        const scattered = scatteredBlockOf(cells)
        expect(scattered.byteLength).toBe(block.byteLength)
        expect(scattered.places?.count).toBe(cells.length)
        const { buffer, start, end } = scattered
        expect(buffer.subarray(start, end)).toEqual(block.buffer.subarray(block.start, block.end))
        expect(scattered.places).toBeUndefined()
        expect(cellsOf(scattered)).toEqual(cells)
      }),
    )
  })

  test('asks its keeper for memory and says that it is done, both once and not before its buffer is read', () => {
    const said: string[] = []
    const memory = Buffer.alloc(1000)
    const block = scatteredBlockOf(fc.sample(anyCell, { numRuns: 2, seed: 1 }), {
      take: (bytes) => {
        said.push(`take ${bytes}`)
        return memory
      },
      gathered: () => said.push('gathered'),
    })
    expect([block.byteLength, said]).toEqual([block.end, []])
    expect(block.buffer).toBe(memory)
    expect(block.buffer).toBe(memory)
    expect(said).toEqual([`take ${block.end}`, 'gathered'])
  })

  test('of a value larger than words are copied for', () => {
    const [first] = fc.sample(anyCell, { numRuns: 1, seed: 1 })
    const cells = [first!, { ...first!, value: Buffer.alloc(100_000, 'v') }, first!]
    expect(cellsOf(scatteredBlockOf(cells))).toEqual(cells)
  })
})

describe('places', () => {
  test('are those before the ones that were taken back', () => {
    fc.assert(
      fc.property(anyCells, anyCells, anyCells, (kept, dropped, added) => {
        const places = placesOf([...kept, ...dropped])
        places.rewind(kept.length)
        const { memories, entries } = placesOf(added)
        for (let i = 0; i < added.length; i++) {
          const [memory, cell, bytes] = entries.subarray(i * 3, i * 3 + 3)
          places.add(memories[memory!]!, cell!, bytes!)
        }
        const builder = new CellBlockBuilder(1)
        builder.appendScattered(places)
        expect(builder.count).toBe(kept.length + added.length)
        expect(places.byteLength).toBe(builder.length)
        expect(cellsOf(builder.block())).toEqual([...kept, ...added])
      }),
    )
  })

  test('begin anew when they are cleared', () => {
    const places = new ScatteredCells()
    const [memory, other] = [new ViewedBytes(Buffer.alloc(9)), new ViewedBytes(Buffer.alloc(9))]
    for (const each of [memory, other, other, memory]) places.add(each, 1, 5)
    expect(places.memories).toEqual([memory, other, memory])
    places.clear()
    expect([places.count, places.cellBytes, places.memories.length]).toEqual([0, 0, 0])
    places.add(memory, 2, 7)
    expect([...places.memories, ...places.entries.subarray(0, 3)]).toEqual([memory, 0, 2, 7])
  })

  test('take an empty block as nothing', () => {
    const block = CellBlock.scattered(new ScatteredCells(), {
      take: (bytes) => Buffer.alloc(bytes),
      gathered: () => undefined,
    })
    expect(cellsOf(block)).toEqual([])
  })
})
