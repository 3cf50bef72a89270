import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import { replicaOfRegion, replicasOf } from '../../../src/gateway/catalog/replicas.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { replicaName } from '../../../src/model/region-name.ts'
import { REPLICAS_MAX, replication } from '../../../src/model/region-replication.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'

const TABLE = parseTableName('copied')

function copied(times: string | undefined): TableDescriptor {
  const attributes = times === undefined ? [] : ([['REGION_REPLICATION', times]] as const)
  return tableDescriptor(TABLE, [familyDescriptor('f')], attributes)
}

test('a table has as many of each region as it asks for, at most a hundred', () => {
  expect([undefined, '0', '1', '2', '+3'].map((times) => replication(copied(times)))).toEqual([1, 1, 1, 2, 3])
  expect(replication(copied('2147483647'))).toBe(REPLICAS_MAX)
})

test('each region stands before its copies, which have names of their own', async () => {
  const store = openMemoryStore({ clock: Date })
  const { catalog } = advertised(store, { host: 'here', port: 1, startCode: 2 })
  await catalog.createTable(copied('3'), [Buffer.from('m')], OWN_CALL)
  const regions = await catalog.regions(TABLE, OWN_CALL)
  const replicas = await replicasOf(catalog, TABLE, OWN_CALL)
  expect(replicas.map(({ replica, startKey }) => `${startKey.toString()} ${replica}`)).toEqual(
    ['', 'm'].flatMap((start) => [0, 1, 2].map((replica) => `${start} ${replica}`)),
  )
  const [first, , third] = replicas
  expect(first?.name).toEqual(regions[0]!.name)
  expect(third).toMatchObject(replicaName(regions[0]!.name, 2))
  expect(third?.first.name).toEqual(regions[0]!.name)
  await store.close()
})

test.each(['1', '3'])('one of %s is found as it is in the list of all', async (times) => {
  const store = openMemoryStore({ clock: Date })
  const { catalog } = advertised(store, { host: 'here', port: 1, startCode: 2 })
  await catalog.createTable(copied(times), [Buffer.from('m')], OWN_CALL)
  for (const each of await replicasOf(catalog, TABLE, OWN_CALL)) {
    const { replica, first } = each
    const named = { replica, encodedName: first.encodedName }
    expect(await replicaOfRegion(catalog, TABLE, named, OWN_CALL)).toEqual(each)
    const beyond = { ...named, replica: Number(times) }
    expect(await replicaOfRegion(catalog, TABLE, beyond, OWN_CALL)).toBeUndefined()
  }
  const unknown = { replica: 0, encodedName: 'none' }
  expect(await replicaOfRegion(catalog, TABLE, unknown, OWN_CALL)).toBeUndefined()
  await store.close()
})
