import { expect, test } from 'vitest'
import { cellsOf } from '../../src/model/cell-block.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { stampCells } from '../../src/model/stamp-cells.ts'

test('the cells from a byte on are given the timestamp, and nothing else of them changes', () => {
  const [row, family, qualifier] = [Buffer.from('row'), Buffer.from('f'), Buffer.from('qualifier')]
  const batch = new MutationBatch(1)
  batch.put(row, family, qualifier, Buffer.from('value'), 1n).endMutation()
  const start = batch.cells.length
  batch.put(row, family, qualifier, Buffer.alloc(0)).deleteFamily(row, family, 3n).endMutation()
  const before = cellsOf(batch.blockOf(1)).map((cell) => ({ ...cell, value: Buffer.from(cell.value) }))
  stampCells(batch, start, 0x1_2345_6789_abcdn)
  expect(cellsOf(batch.blockOf(0))).toMatchObject([{ timestamp: 1n }])
  expect(cellsOf(batch.blockOf(1))).toEqual(
    before.map((cell) => ({ ...cell, timestamp: 0x1_2345_6789_abcdn })),
  )
})
