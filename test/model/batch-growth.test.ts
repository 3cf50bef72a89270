import { describe, expect, test } from 'vitest'
import { ROW_BYTES_MAX } from '../../src/model/cell.ts'
import { CellBlockBuilder } from '../../src/model/cell-block.ts'
import { BATCH_BYTES_MAX, MutationBatch } from '../../src/model/mutation.ts'

const ROW = Buffer.alloc(ROW_BYTES_MAX, 'r')
const F = Buffer.from('f')
const NOTHING = Buffer.alloc(0)

function grow(batch: MutationBatch): number {
  for (let i = 0; i < BATCH_BYTES_MAX; i++) {
    try {
      batch.cells.append(ROW, F, NOTHING, 0, i, 4, NOTHING)
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_LARGE' })
      return batch.cells.length
    }
  }
  throw new Error('it has grown without end')
}

describe('a batch of changes', () => {
  test('grows to so many bytes, and no further', () => {
    const bytes = grow(new MutationBatch())
    expect(bytes).toBeLessThanOrEqual(BATCH_BYTES_MAX)
    expect(bytes).toBeGreaterThan(BATCH_BYTES_MAX - 2 * ROW_BYTES_MAX)
  })

  test('takes what was foreseen, however much', () => {
    const cells = new CellBlockBuilder(4096, 1000)
    expect(cells.reserve(4096)).toBe(0)
    expect(() => cells.reserve(4097)).toThrow('send fewer in a request')
  })
})
