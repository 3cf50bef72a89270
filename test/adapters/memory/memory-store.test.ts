import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'

const TABLE = tableDescriptor(parseTableName('t'), [familyDescriptor('f')])

test('regions are on the server that it was told of', async () => {
  const server = { host: 'gateway', port: 16020, startCode: 7 }
  const store = openMemoryStore({ clock: { now: () => 5 }, server })
  await store.createTable(TABLE, [Buffer.from('m')])
  expect((await store.regions(TABLE.name)).map((region) => region.server)).toEqual([server, server])
  expect(store.kind).toBe('memory')
})

test('what it kept is gone when it is closed, and it may be closed twice', async () => {
  const clock = { now: (): number => 5 }
  const store = openMemoryStore({ clock })
  await store.createTable(TABLE, [])
  await store.close()
  await store.close()
  expect(await openMemoryStore({ clock }).listTables()).toEqual([])
})
