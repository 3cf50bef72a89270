import { expect, test } from 'vitest'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

/** The code of the refusal of a put so many milliseconds after now, if it is refused. */
async function refusalOf(session: StoreUnderTest, afterMs: number): Promise<string | undefined> {
  const batch = new MutationBatch()
  const [row, family, qualifier] = ['r', 'f', 'q'].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  batch.put(row, family, qualifier, Buffer.from('v'), BigInt(session.time + afterMs)).endMutation()
  const [failure] = await session.store.rows.mutate(TABLE, batch, OWN_CALL)
  return failure?.error.code
}

test('a server’s timestamp slop holds for its tables, to the millisecond, and a table’s own goes before it', async () => {
  const session = await StoreUnderTest.open({ timestampSlopMs: 1000 })
  const table = tableOf('f')
  await session.createTable(table)
  expect(await refusalOf(session, 1000)).toBeUndefined()
  expect(await refusalOf(session, 1001)).toBe('FAILED_SANITY_CHECK')
  const key = 'hbase.hregion.keyvalue.timestamp.slop.millisecs'
  await session.store.catalog.modifyTable({ ...table, attributes: new Map([[key, '5000']]) }, OWN_CALL)
  expect(await refusalOf(session, 5000)).toBeUndefined()
  expect(await refusalOf(session, 5001)).toBe('FAILED_SANITY_CHECK')
  const forever = { ...table, attributes: new Map([[key, '9223372036854775807']]) }
  await session.store.catalog.modifyTable(forever, OWN_CALL)
  expect(await refusalOf(session, 1e15)).toBeUndefined()
})
