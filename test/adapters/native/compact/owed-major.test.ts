import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { ALL_VERSIONS } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE } from '../store-under-test.ts'

const ROW = Buffer.from('r')
const QUALIFIER = Buffer.from('q')

async function opened(...families: string[]): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open()
  await session.createTable(
    tableDescriptor(
      TABLE,
      families.map((family) => familyDescriptor(family)),
    ),
  )
  return session
}

async function write(
  { store }: StoreUnderTest,
  change: (batch: MutationBatch) => MutationBatch,
): Promise<void> {
  const batch = change(new MutationBatch())
  batch.endMutation()
  await store.rows.mutate(TABLE, batch, OWN_CALL)
}

function remove(session: StoreUnderTest, family: string, at: bigint): Promise<void> {
  return write(session, (batch) => batch.deleteColumn(ROW, Buffer.from(family), QUALIFIER, at))
}

function put(session: StoreUnderTest, family: string, at: bigint): Promise<void> {
  return write(session, (batch) => batch.put(ROW, Buffer.from(family), QUALIFIER, Buffer.from(`${at}`), at))
}

async function quiet({ store }: StoreUnderTest): Promise<void> {
  while ((await store.upkeep.compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

/** Flushes the table's only region, after which it may be compacted by itself. */
async function flush(session: StoreUnderTest): Promise<void> {
  const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
  await session.store.upkeep.flushes!.flushRegion(region!.name, undefined, OWN_CALL)
  await quiet(session)
}

async function compact(session: StoreUnderTest, major: boolean): Promise<void> {
  await session.store.upkeep.compactions!.compactTable(TABLE, { major }, OWN_CALL)
  await quiet(session)
}

async function rawCells(session: StoreUnderTest): Promise<number> {
  return (await session.rows({ raw: true, maxVersions: ALL_VERSIONS })).length
}

it('a major compaction of a store without files is made up for by the next minor one', async () => {
  const session = await opened('f')
  await compact(session, true)
  await remove(session, 'f', 5n)
  await flush(session)
  expect(await rawCells(session)).toBe(1)
  await compact(session, false)
  expect(await rawCells(session)).toBe(0)
  // Once.
  await remove(session, 'f', 6n)
  await flush(session)
  await compact(session, false)
  expect(await rawCells(session)).toBe(1)
  await session.store.close()
})

it('it is made up for where another store of the region has three files', async () => {
  const session = await opened('f', 'g')
  await compact(session, true)
  await remove(session, 'f', 5n)
  for (const at of [1n, 2n, 3n]) {
    expect(await rawCells(session)).toBeGreaterThan(0)
    await put(session, 'g', at)
    await flush(session)
  }
  expect(await session.rows({ raw: true, maxVersions: ALL_VERSIONS })).toEqual(['r=3'])
  await session.store.close()
})

it('nothing is owed to a store whose files have gone in a compaction', async () => {
  const session = await opened('f')
  await remove(session, 'f', 5n)
  await flush(session)
  await compact(session, true)
  expect(await rawCells(session)).toBe(0)
  await compact(session, true)
  await remove(session, 'f', 6n)
  await flush(session)
  await compact(session, false)
  expect(await rawCells(session)).toBe(1)
  await session.store.close()
})
