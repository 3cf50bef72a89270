import { describe, expect, test } from 'vitest'
import { MutationType } from '../../../../adapters/hbase/messages/write-mutation.ts'
import { type MutationStep, mutationSteps } from '../../../../adapters/hbase/write/mutation-steps.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import { cellText } from '../../../store/suite/store-under-test.ts'

const ROW = Buffer.from('r')
const [F, G, Q] = [Buffer.from('f'), Buffer.from('g'), Buffer.from('q')]

function stepsOf(
  build: (batch: MutationBatch) => void,
  families?: readonly Buffer[],
): MutationStep[] | undefined {
  const batch = new MutationBatch()
  batch.put(Buffer.from('before'), F, Q, Q, 1n).endMutation()
  build(batch)
  batch.endMutation()
  return mutationSteps(batch.blockOf(1), families)
}

function oneVersionOfRow(batch: MutationBatch): unknown {
  return batch.cell(ROW, Buffer.alloc(0), Buffer.alloc(0), CellType.DeleteFamilyVersion, 7n)
}

function texts(steps: MutationStep[] | undefined): unknown[] {
  return (steps ?? []).map(({ type, cells, cellCount, timestamp }) => {
    const content = cellsOf(cells).map(cellText)
    expect(content).toHaveLength(cellCount)
    return [type, ...(timestamp === undefined ? content : [timestamp])]
  })
}

describe('a mutation', () => {
  test('of puts is one step, whose cells stay where they are', () => {
    const batch = new MutationBatch()
    batch.put(ROW, F, Q, Buffer.from('1'), 1n).put(ROW, G, Q, Buffer.from('2'), 1n).endMutation()
    const [step] = mutationSteps(batch.blockOf(0))!
    expect(step).toMatchObject({ type: MutationType.Put, cellCount: 2 })
    expect(step!.cells.buffer).toBe(batch.cells.buffer)
    expect([step!.cells.start, step!.cells.end]).toEqual([0, batch.cells.length])
  })

  test('of puts and deletes is a step for each run', () => {
    const steps = stepsOf((batch) =>
      batch
        .put(ROW, F, Q, Buffer.from('1'), 1n)
        .deleteColumn(ROW, F, Q, 2n)
        .deleteFamily(ROW, G, 3n)
        .put(ROW, G, Q, Buffer.from('2'), 4n),
    )
    expect(texts(steps)).toEqual([
      [MutationType.Put, 'r/f:q@1=1'],
      [MutationType.Delete, 'r/f:q@2 DeleteColumn', 'r/g:@3 DeleteFamily'],
      [MutationType.Put, 'r/g:q@4=2'],
    ])
  })

  test('of a whole row is a delete without cells', () => {
    const steps = stepsOf((batch) => batch.deleteColumn(ROW, F, Q, 2n).deleteRow(ROW))
    expect(texts(steps)).toEqual([
      [MutationType.Delete, 'r/f:q@2 DeleteColumn'],
      [MutationType.Delete, LATEST_TIMESTAMP],
    ])
  })

  test('of one version of a whole row takes the families', () => {
    expect(stepsOf(oneVersionOfRow)).toBeUndefined()
    expect(texts(stepsOf(oneVersionOfRow, [F, G]))).toEqual([
      [MutationType.Delete, 'r/f:@7 DeleteFamilyVersion', 'r/g:@7 DeleteFamilyVersion'],
    ])
  })

  test('is refused with a negative time, and without a family', () => {
    expect(() => stepsOf((batch) => batch.put(ROW, F, Q, Q, -1n))).toThrow(
      'Timestamp cannot be negative. ts=-1',
    )
    expect(() => stepsOf((batch) => batch.deleteRow(ROW, -5n))).toThrow('Timestamp cannot be negative. ts=-5')
    for (const build of [
      (batch: MutationBatch) => batch.put(ROW, Buffer.alloc(0), Q, Q),
      (batch: MutationBatch) => batch.deleteColumn(ROW, Buffer.alloc(0), Q),
    ]) {
      expect(() => stepsOf(build)).toThrow('Column family  does not exist')
    }
  })

  test('of no cells is nothing', () => {
    expect(mutationSteps(CellBlock.EMPTY)).toEqual([])
  })
})
