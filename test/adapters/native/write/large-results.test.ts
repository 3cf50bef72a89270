import { expect, it } from 'vitest'
import { LargeResults } from '../../../../adapters/native/write/large-results.ts'
import { appendOperation } from '../../../../src/doors/thrift/service/row-changes.ts'
import { DEFAULT_MUTATION_OPTIONS } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const MIB = 1024 * 1024
const watch = { check: (): void => undefined }

it('keep further changes waiting until their changes are committed', async () => {
  const large = new LargeResults(undefined)
  const held = [5, 5].map((mib) => large.hold(mib * MIB))
  const room = large.room(watch)
  expect(room).toBeInstanceOf(Promise)
  large.release(held[0]!)
  await room
  expect(large.room(watch)).toBeUndefined()
})

it('end the wait of a change whose client has gone', async () => {
  const large = new LargeResults(undefined)
  large.hold(9 * MIB)
  const gone = { check: (): void => expect.unreachable('gone') }
  await expect(large.room(gone)).rejects.toThrow('gone')
})

it('tell of the memory that small appends to a large value use', async () => {
  let spent = 0
  const session = await StoreUnderTest.open({ onSpent: (bytes) => (spent += bytes) })
  await session.createTable(tableOf('f'))
  const value = Buffer.alloc(MIB, 'x')
  const append = async (suffix: Buffer): Promise<void> => {
    const column = { family: Buffer.from('f'), qualifier: Buffer.from('q'), value: suffix }
    const operations = [appendOperation(Buffer.from('r'), [column])]
    const mutation = { row: Buffer.from('r'), operations, options: DEFAULT_MUTATION_OPTIONS }
    await session.store.rows.mutateRow(TABLE, mutation, OWN_CALL)
  }
  await append(value)
  await append(Buffer.from('suffix'))
  expect(spent).toBeGreaterThan(10 * MIB)
  await session.store.close()
})
