import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { bytes, failure } from '../../store/suite/store-under-test.ts'

const TABLE = tableDescriptor(parseTableName('t'), [familyDescriptor('f')])
const clock = { now: (): number => 5 }

test('it serves its regions itself, and has no tables of its own', async () => {
  const store = openMemoryStore({ clock })
  await store.catalog.createTable(TABLE, [bytes('m')], OWN_CALL)
  const regions = await store.catalog.regions(TABLE.name, OWN_CALL)
  expect(regions.map(({ server }) => server)).toEqual([undefined, undefined])
  expect(await store.catalog.listSystemTables(OWN_CALL)).toEqual([])
  expect(await store.metrics()).toEqual([])
  expect(store.kind).toBe('memory')
})

test('a flush checks what it is asked', async () => {
  const { catalog, upkeep, rows } = openMemoryStore({ clock })
  await catalog.createTable(TABLE, [bytes('m')], OWN_CALL)
  const { flushTable, flushRegion } = {
    flushTable: () => upkeep.flushes!.flushTable(TABLE.name, OWN_CALL),
    flushRegion: (name: Buffer, family?: Buffer) => upkeep.flushes!.flushRegion(name, family, OWN_CALL),
  }
  const [, second] = await catalog.regions(TABLE.name, OWN_CALL)
  await flushTable()
  const batch = new MutationBatch()
  batch.put(bytes('z'), bytes('f'), bytes('q'), bytes('v')).endMutation()
  await rows.mutate(TABLE.name, batch, OWN_CALL)
  const flushed = [await flushRegion(second!.name), await flushRegion(second!.name)]
  expect(flushed).toEqual([true, false])
  await flushRegion(bytes(second!.encodedName), bytes('f'))
  expect(await failure(flushRegion(second!.name, bytes('g')))).toMatch(/^NO_SUCH_COLUMN_FAMILY/)
  expect(await failure(flushRegion(bytes('none')))).toBe('ILLEGAL_ARGUMENT: Invalid region: none')
  await catalog.disableTable(TABLE.name, OWN_CALL)
  expect(await failure(flushTable())).toBe('TABLE_NOT_ENABLED: t')
})

test('once closed it answers nothing, and it may be closed twice', async () => {
  const store = openMemoryStore({ clock })
  await store.catalog.createTable(TABLE, [], OWN_CALL)
  await store.close()
  await store.close()
  expect(await failure(store.catalog.listTables(OWN_CALL))).toBe('UNAVAILABLE: the store is closed')
})

test('each store is a cluster of its own', async () => {
  const [one, other] = [openMemoryStore({ clock }), openMemoryStore({ clock })]
  expect(await one.clusterId()).toBe(await one.clusterId())
  expect(await other.clusterId()).not.toBe(await one.clusterId())
})
