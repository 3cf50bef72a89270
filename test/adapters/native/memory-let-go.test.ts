/** What the engine must not keep between two writes or flushes, since nobody uses it then. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MutationPreparer } from '../../../adapters/native/write/mutation-preparer.ts'
import { collector } from '../../../src/model/collector.ts'
import { MutationBatch, type RowMutation } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const MIB = 1024 * 1024
const [row, family, qualifier] = [Buffer.from('row'), Buffer.from('f'), Buffer.from('q')]

function largeBatch(inFamily = family): MutationBatch {
  const batch = new MutationBatch(2 * MIB)
  batch.put(row, inFamily, qualifier, Buffer.alloc(MIB, 'v'))
  batch.endMutation()
  return batch
}

/** Has the store do this with a batch of which it gives nothing but a weak reference to the memory. */
async function memoryAfter(
  write: (batch: MutationBatch) => Promise<unknown>,
  inFamily = family,
): Promise<WeakRef<ArrayBufferLike>> {
  const batch = largeBatch(inFamily)
  await write(batch)
  return new WeakRef(batch.cells.buffer.buffer)
}

async function isLetGo(memory: WeakRef<ArrayBufferLike>): Promise<boolean> {
  // A weak reference that was made or read in this turn is a strong one until its end.
  await nextTurn()
  collector()()
  return memory.deref() === undefined
}

test('the memory of a batch, once it is written', async () => {
  const { store, logged } = await openWithTable()
  const memory = await memoryAfter((batch) => store.rows.mutate(TABLE, batch, OWN_CALL))
  expect(await isLetGo(memory)).toBe(true)
  expect(logged).toEqual([])
})

test('the memory of a batch that is refused', async () => {
  const { store } = await openWithTable()
  const memory = await memoryAfter(
    (batch) => store.rows.mutate(TABLE, batch, OWN_CALL),
    Buffer.from('missing'),
  )
  expect(await isLetGo(memory)).toBe(true)
})

test('the memory of the change of a row', async () => {
  const { store } = await openWithTable()
  const memory = await memoryAfter((batch) => {
    const mutation: RowMutation = {
      row,
      operations: [{ kind: 'mutate', cells: batch.blockOf(0) }],
      options: { durability: 'USE_DEFAULT' },
    }
    return store.rows.mutateRow(TABLE, mutation, OWN_CALL)
  })
  expect(await isLetGo(memory)).toBe(true)
})

test('what a large write was prepared in', () => {
  const preparer = new MutationPreparer()
  const usual = preparer.cells.buffer
  preparer.rest()
  expect(preparer.cells.buffer).toBe(usual)
  preparer.cells.reserve(8 * MIB)
  preparer.rest()
  expect(preparer.cells.buffer.length).toBeLessThan(MIB)
})

async function openWithTable(): Promise<StoreUnderTest> {
  const opened = await StoreUnderTest.open()
  await opened.createTable(tableOf('f'))
  return opened
}
