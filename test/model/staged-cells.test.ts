import { describe, expect, it } from 'vitest'
import type { CellParts } from '../../src/model/cell.ts'
import { ScatteredCells } from '../../src/model/scattered-cells.ts'
import { StagedCells } from '../../src/model/staged-cells.ts'
import { ViewedBytes } from '../../src/model/viewed-bytes.ts'
import { scatteredOf } from './scattered.ts'

function cells(count: number, valueBytes: number): CellParts[] {
  return Array.from({ length: count }, (_, i) => ({
    row: Buffer.from(`row ${i}`),
    family: Buffer.from('f'),
    qualifier: Buffer.from('q'),
    timestamp: 1n,
    type: 4,
    value: Buffer.alloc(valueBytes, i),
  }))
}

describe('staged cells', () => {
  it('are the bytes of each memory from its first to its last cell, one after the other', () => {
    const scattered = new ScatteredCells()
    const [one, other] = [Buffer.alloc(4000), Buffer.alloc(4000)]
    for (let i = 0; i < 4000; i++) one[i] = other[4000 - i - 1] = i
    const [first, second] = [new ViewedBytes(one), new ViewedBytes(other)]
    for (let i = 0; i < 20; i++) scattered.add(first, 3000 - i * 100, 90)
    for (let i = 0; i < 20; i++) scattered.add(second, 7 + i * 110, 110)
    const staged = StagedCells.of(scattered)!
    expect(staged.bytes).toBe(1990 + 2200)
    const target = new ViewedBytes(Buffer.alloc(staged.bytes + 9, 0xee))
    const shifts = staged.copyTo(target, 5)
    for (let i = 0; i < scattered.count; i++) {
      const [memory, cell, bytes] = scattered.entries.subarray(i * 3, i * 3 + 3)
      const moved = cell! + shifts[memory!]!
      const wanted = scattered.memories[memory!]!.buffer.subarray(cell, cell! + bytes!)
      expect(target.buffer.subarray(moved, moved + bytes!)).toEqual(wanted)
    }
    expect([target.buffer[4], target.buffer[5 + staged.bytes]]).toEqual([0xee, 0xee])
  })

  it('are many, large, close together and not too much', () => {
    expect(StagedCells.of(scatteredOf(cells(16, 100), 1))).toBeDefined()
    expect(StagedCells.of(scatteredOf(cells(15, 100), 1))).toBeUndefined()
    expect(StagedCells.of(scatteredOf(cells(16, 20), 1))).toBeUndefined()
    expect(StagedCells.of(scatteredOf(cells(16, 100), 2))).toBeUndefined()
    expect(StagedCells.of(scatteredOf(cells(100, 20_000), 1))).toBeUndefined()
  })

  it('are not scattered over a large memory', () => {
    const scattered = new ScatteredCells()
    const memory = new ViewedBytes(Buffer.alloc(100_000))
    for (let i = 0; i < 20; i++) scattered.add(memory, i * 4000, 120)
    expect(StagedCells.of(scattered)).toBeUndefined()
  })
})
