import { beforeEach, expect, test } from 'vitest'
import { TABLES_SHOWN_MAX } from '../../../adapters/native/table-metrics.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { OTHER_TABLES, type Sample } from '../../../src/model/metric.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

let session: StoreUnderTest

/** The samples of a size, by table. */
async function sizes(of: 'store_file' | 'memstore' | 'log'): Promise<Record<string, number>> {
  const readings = await session.store.metrics()
  const { samples } = readings.find(({ name }) => name === `tidegate_native_table_${of}_bytes`)!
  return Object.fromEntries(samples.map(({ labels, value }: Sample) => [labels!['table']!, value]))
}

async function total(name: string): Promise<number> {
  const readings = await session.store.metrics()
  return readings.find((reading) => reading.name === name)!.samples[0]!.value
}

beforeEach(async () => {
  session = await StoreUnderTest.open()
})

function fails(): never {
  throw new Error('EIO')
}

test('a table has the bytes of its memstores and of the log until they are flushed, then those of its files', async () => {
  await session.createTable(tableOf('f', 'g'), ['m'])
  const other = parseTableName('ns:other')
  await session.store.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
  await session.createTable(tableDescriptor(other, [familyDescriptor('f')]))
  await session.put(['a', 'z'])
  const memory = await sizes('memstore')
  expect(memory[TABLE]).toBe(await total('tidegate_native_memstore_bytes'))
  expect(memory[other]).toBe(0)
  expect(await sizes('log')).toEqual({ [TABLE]: await total('tidegate_native_wal_bytes'), [other]: 0 })
  expect(await sizes('store_file')).toEqual({ [TABLE]: 0, [other]: 0 })
  await session.flush()
  expect(await sizes('memstore')).toEqual({ [TABLE]: 0, [other]: 0 })
  expect(await sizes('log')).toEqual({ [TABLE]: 0, [other]: 0 })
  const files = session.paths('/s/data/default/t/').filter((path) => !path.endsWith('.unfinished'))
  const bytes = files.reduce((sum, path) => sum + session.fileSystem.open(path, 'read').size(), 0)
  expect(files).toHaveLength(2)
  expect(await sizes('store_file')).toEqual({ [TABLE]: bytes, [other]: 0 })
})

test('tables beyond the hundred largest are one sum, and a table that goes takes its line along', async () => {
  const names = Array.from({ length: TABLES_SHOWN_MAX + 3 }, (_, n) => parseTableName(`t${n}`))
  for (const name of names) await session.createTable(tableDescriptor(name, [familyDescriptor('f')]))
  await session.createTable(tableOf('f'))
  await session.put(['a'])
  const memory = await sizes('memstore')
  expect(Object.keys(memory)).toHaveLength(TABLES_SHOWN_MAX + 1)
  expect(memory[OTHER_TABLES]).toBe(0)
  expect(memory[TABLE]).toBe(await total('tidegate_native_memstore_bytes'))
  for (const name of names) {
    await session.store.catalog.disableTable(name, OWN_CALL)
    await session.store.catalog.deleteTable(name, OWN_CALL)
  }
  expect(Object.keys(await sizes('memstore'))).toEqual([TABLE])
})

test('the size of the disk has a line where the disk reports it', async () => {
  const disk = async (): Promise<(number | undefined)[]> => {
    const readings = await session.store.metrics()
    return ['free_', ''].map(
      (part) => readings.find(({ name }) => name === `tidegate_native_disk_${part}bytes`)!.samples[0]?.value,
    )
  }
  expect(await disk()).toEqual([undefined, undefined])
  Object.assign(session.fileSystem, { freeBytes: () => 5, diskBytes: () => 50 })
  expect(await disk()).toEqual([5, 50])
  Object.assign(session.fileSystem, { freeBytes: fails, diskBytes: fails })
  expect(await disk()).toEqual([undefined, undefined])
})
