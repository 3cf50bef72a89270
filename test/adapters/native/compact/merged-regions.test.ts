import { expect, it } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { compactTable } from '../../../store/suite/store-under-test.ts'
import { StoreUnderTest, TABLE } from '../store-under-test.ts'

const FAMILIES = [familyDescriptor('f')]

/** Writes the cell of each row at the same time: the newest write counts. */
async function put({ store }: StoreUnderTest, rows: readonly string[], value: string): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows)
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from(value), 1n).endMutation()
  await store.rows.mutate(TABLE, batch, OWN_CALL)
}

it('of files with the same greatest sequence id, which two regions brought into one, the newer one counts', async () => {
  const session = await StoreUnderTest.open()
  const { catalog, upkeep } = session.store
  const still = tableDescriptor(TABLE, FAMILIES, [['COMPACTION_ENABLED', 'false']])
  await session.createTable(still, ['m'])
  // Eleven files: a compaction takes ten, and leaves one of the two that the last flush of both regions wrote.
  for (const value of ['1', '2', '3', '4', '5', '6']) {
    await put(session, value === '1' ? ['z'] : ['a', 'z'], value)
    await session.flush()
  }
  const regions = await catalog.regions(TABLE, OWN_CALL)
  const names = regions.map(({ name }) => name)
  await upkeep.regions!.mergeRegions(names, false, OWN_CALL)
  await catalog.modifyTable(tableDescriptor(TABLE, FAMILIES), OWN_CALL)
  await compactTable(session.store, TABLE, { major: false })
  expect(session.paths('/s/data')).toHaveLength(2)
  expect(await session.rows()).toEqual(['a=6', 'z=6'])
  const next = await session.killed()
  expect(await next.rows()).toEqual(['a=6', 'z=6'])
  await compactTable(next.store, TABLE, { major: true })
  expect(next.paths('/s/data')).toHaveLength(1)
  expect(await next.rows()).toEqual(['a=6', 'z=6'])
  await next.store.close()
})
