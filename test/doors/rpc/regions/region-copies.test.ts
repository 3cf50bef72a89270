/** Copies of regions by the names that clients give them, and copies that are closed by themselves. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { replicaName } from '../../../../src/model/region-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { AdminService } from '../../../../src/wire/rpc/gen/admin_pb.ts'
import { ClientService, MutationProto_MutationType } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const { REGION_NAME, ENCODED_REGION_NAME } = RegionSpecifier_RegionSpecifierType
const admin = AdminService.method
const client = ClientService.method
const NOT_SERVING = { javaClass: 'org.apache.hadoop.hbase.NotServingRegionException' }
const ROW = { row: Buffer.from('a') }
const PUT = { ...ROW, mutateType: MutationProto_MutationType.PUT, columnValue: [] }

let server: RpcServer
let port: number
/** Names of the first region, which has the rows before m. */
let firstName: Buffer

beforeEach(async () => {
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: Date.now },
    random: Math.random,
  })
  server = await startRpcServer({ own: store })
  port = server.door.port
  await ask(3)
  const batch = new MutationBatch()
  batch.put(ROW.row, Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  expect(await server.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  firstName = (await server.store.catalog.regions(TABLE, OWN_CALL))[0]!.name
})

afterEach(() => server.close())

/** Alters the table so that it has so many copies of each region. */
async function ask(replication: number): Promise<void> {
  const attributes = [['REGION_REPLICATION', String(replication)]] as const
  await server.store.catalog.modifyTable(
    tableDescriptor(TABLE, [familyDescriptor('f')], attributes),
    OWN_CALL,
  )
}

function encoded(replica: number) {
  const value = Buffer.from(replicaName(firstName, replica).encodedName)
  return { type: ENCODED_REGION_NAME, value } as const
}

function full(replica: number) {
  return { type: REGION_NAME, value: replicaName(firstName, replica).name } as const
}

type Specifier = ReturnType<typeof encoded> | ReturnType<typeof full>

async function isStale(region: Specifier): Promise<boolean> {
  const { message } = await oneCall(port, client.get, { region, get: ROW })
  return message.result!.stale
}

test('a copy is found by its encoded name alone, as long as the table asks for it', async () => {
  for (const region of [encoded(1), encoded(2), encoded(1)]) expect(await isStale(region)).toBe(true)
  await expect(isStale(encoded(3))).rejects.toMatchObject(NOT_SERVING)
  const { regionInfo } = (await oneCall(port, admin.getRegionInfo, { region: encoded(2) })).message
  expect(regionInfo).toMatchObject({ replicaId: 2 })
  await expect(oneCall(port, client.mutate, { region: encoded(1), mutation: PUT })).rejects.toThrow(
    'region is read only',
  )
  await ask(2)
  expect(await isStale(encoded(1))).toBe(true)
  await expect(isStale(encoded(2))).rejects.toMatchObject(NOT_SERVING)
  await ask(4)
  expect(await isStale(encoded(3))).toBe(true)
})

test('a closed copy answers no call by either of its names, and is listed nowhere', async () => {
  const { regions } = server.store.upkeep
  await regions!.unassignRegion(full(1).value, OWN_CALL)
  for (const region of [encoded(1), full(1)]) {
    await expect(isStale(region)).rejects.toMatchObject(NOT_SERVING)
    await expect(oneCall(port, admin.getRegionInfo, { region })).rejects.toMatchObject(NOT_SERVING)
    await expect(oneCall(port, admin.flushRegion, { region })).rejects.toMatchObject(NOT_SERVING)
    await expect(oneCall(port, client.mutate, { region, mutation: PUT })).rejects.toMatchObject(NOT_SERVING)
    const scan = { region, scan: {}, numberOfRows: 1 }
    await expect(oneCall(port, client.scan, scan)).rejects.toMatchObject(NOT_SERVING)
  }
  expect(await isStale(full(2))).toBe(true)
  const { regionInfo } = (await oneCall(port, admin.getOnlineRegion, {})).message
  const ofFirst = regionInfo.filter(
    ({ tableName, startKey }) =>
      Buffer.from(tableName!.qualifier).toString() === 't' && startKey.length === 0,
  )
  expect(ofFirst.map(({ replicaId }) => replicaId)).toEqual([0, 2])
  await regions!.assignRegion(encoded(1).value, OWN_CALL)
  expect(await isStale(encoded(1))).toBe(true)
})

test('copies stay open where the region itself is closed', async () => {
  await server.store.upkeep.regions!.unassignRegion(firstName, OWN_CALL)
  expect(await isStale(full(1))).toBe(true)
  expect(await isStale(encoded(1))).toBe(true)
  const region = { type: REGION_NAME, value: firstName } as const
  await expect(oneCall(port, client.get, { region, get: ROW })).rejects.toMatchObject(NOT_SERVING)
  const { regionInfo } = (await oneCall(port, admin.getRegionInfo, { region: full(1) })).message
  expect(regionInfo).toMatchObject({ replicaId: 1 })
  const { message } = await oneCall(port, admin.getRegionLoad, {})
  const names = message.regionLoads.map(({ regionSpecifier }) => Buffer.from(regionSpecifier!.value))
  expect(names.some((name) => name.equals(full(1).value))).toBe(true)
  expect(names.some((name) => name.equals(firstName))).toBe(false)
})
