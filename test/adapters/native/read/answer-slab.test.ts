import { expect, it } from 'vitest'
import { AnswerSlab } from '../../../../adapters/native/read/answer-slab.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, type CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'

function cellOf(row: string, valueBytes: number): CellBlock {
  const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
  const value = Buffer.alloc(valueBytes, row)
  return blockOf([{ row: Buffer.from(row), family, qualifier, timestamp: 1n, type: CellType.Put, value }])
}

function answer(slab: AnswerSlab, { buffer, start, end }: CellBlock): CellBlock {
  const builder = slab.begin()
  builder.appendCell(buffer, start + 4, end - start - 4)
  slab.taken(builder)
  return builder.block()
}

it('puts answers one behind the other, and never over an earlier one', () => {
  const slab = new AnswerSlab()
  // Small ones, one that no slab has room for, and enough for several slabs.
  const cells = Array.from({ length: 60 }, (_, i) => cellOf(`row${i}`, i === 20 ? 50_000 : i * 20))
  const answers = cells.map((cell) => answer(slab, cell))
  expect(answers.map(cellsOf)).toEqual(cells.map(cellsOf))
  expect(new Set(answers.map(({ buffer }) => buffer)).size).toBeLessThan(10)
})

it('begins again where an answer was given up', () => {
  const slab = new AnswerSlab()
  const first = slab.begin()
  const { buffer, start, end } = cellOf('given up', 10)
  first.appendCell(buffer, start + 4, end - start - 4)
  expect(cellsOf(answer(slab, cellOf('row', 10)))).toEqual(cellsOf(cellOf('row', 10)))
})
