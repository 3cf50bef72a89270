import { expect, test, vi } from 'vitest'
import { FamilyStore } from '../../../../adapters/native/region/family-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { numbered, StoreUnderTest, TABLE } from '../store-under-test.ts'

const FILES = 150
/** For each of two heirs the files are listed once, and some times besides. */
const LISTED_MAX = 60

test('the open files of a region are listed once for each heir, however many files the heir takes over or not', async () => {
  const session = await StoreUnderTest.open()
  await session.createTable(
    tableDescriptor(TABLE, [familyDescriptor('f')], [['COMPACTION_ENABLED', 'false']]),
  )
  const rows = numbered(FILES)
  for (const row of rows) {
    await session.put([row], { value: 'v' })
    await session.flush()
  }
  const listed = vi.spyOn(FamilyStore.prototype, 'files', 'get')
  await session.store.upkeep.regions!.splitTable(TABLE, Buffer.from(rows[FILES / 2]!), OWN_CALL)
  expect(listed.mock.calls.length).toBeLessThan(LISTED_MAX)
  listed.mockRestore()
  expect(await session.rows()).toEqual(rows.map((row) => `${row}=v`))
  await session.store.close()
})
