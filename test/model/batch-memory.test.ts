import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchMemory, giveBackMemory } from '../../src/model/batch-memory.ts'
import { MutationBatch } from '../../src/model/mutation.ts'

const ROW = Buffer.from('row')
const COLUMN = Buffer.from('f')

function batchIn(memory: Buffer, isCopied: boolean): MutationBatch {
  const batch = new MutationBatch(memory)
  batch.put(ROW, COLUMN, COLUMN, ROW).endMutation()
  batch.isCopied = isCopied
  return batch
}

test('no two batches have the same memory at the same time', () => {
  const sizes = fc.oneof(fc.integer({ min: 64, max: 100_000 }), fc.integer({ min: 8000, max: 20_000 }))
  const steps = fc.array(fc.record({ bytes: sizes, isCopied: fc.boolean(), givesBack: fc.nat(40) }), {
    minLength: 1,
    maxLength: 120,
  })
  fc.assert(
    fc.property(steps, (all) => {
      const used: { readonly batch: MutationBatch; readonly memory: Buffer }[] = []
      for (const { bytes, isCopied, givesBack } of all) {
        const memory = batchMemory(bytes)
        expect(memory.length).toBeGreaterThanOrEqual(bytes)
        for (const { memory: other } of used) {
          const isApart =
            other.buffer !== memory.buffer ||
            other.byteOffset + other.length <= memory.byteOffset ||
            memory.byteOffset + memory.length <= other.byteOffset
          expect(isApart).toBe(true)
        }
        used.push({ batch: batchIn(memory, isCopied), memory })
        const given = used[givesBack]
        if (given === undefined) continue
        giveBackMemory(given.batch)
        giveBackMemory(given.batch)
        if (given.batch.cells.buffer.length === 0) used.splice(givesBack, 1)
      }
    }),
  )
})

test('the memory of a batch that was copied is used again, another is not', () => {
  const kept = batchMemory(10_000)
  giveBackMemory(batchIn(kept, false))
  const copied = batchMemory(10_000)
  expect(copied.buffer).not.toBe(kept.buffer)
  const batch = batchIn(copied, true)
  giveBackMemory(batch)
  expect(batch.cells.buffer).toHaveLength(0)
  expect(batchMemory(9000).buffer).toBe(copied.buffer)
})

test('memory that a batch shares stays its owner’s', () => {
  const owner = Buffer.allocUnsafeSlow(20_000)
  giveBackMemory(batchIn(owner.subarray(100, 15_000), true))
  expect(batchMemory(10_000).buffer).not.toBe(owner.buffer)
})
