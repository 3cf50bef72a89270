/** AdminService over the embedded engine, whose regions have loads, memstores and files. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { regionName } from '../../../../src/model/region-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { AdminService } from '../../../../src/wire/rpc/gen/admin_pb.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const { REGION_NAME, ENCODED_REGION_NAME } = RegionSpecifier_RegionSpecifierType
const { method } = AdminService
const NOT_SERVING = { javaClass: 'org.apache.hadoop.hbase.NotServingRegionException' }
const T = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }

let server: RpcServer
let port: number

beforeEach(async () => {
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: Date.now },
    random: Math.random,
  })
  server = await startRpcServer({ own: store })
  port = server.door.port
  const batch = new MutationBatch()
  batch.put(Buffer.from('a'), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  expect(await server.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
})

afterEach(() => server.close())

async function regionsOf(): Promise<readonly { readonly full: object; readonly encoded: object }[]> {
  const regions = await server.store.catalog.regions(TABLE, OWN_CALL)
  return regions.map(({ name, encodedName }) => ({
    full: { type: REGION_NAME, value: name },
    encoded: { type: ENCODED_REGION_NAME, value: Buffer.from(encodedName) },
  }))
}

async function filesOf(region: object, families: readonly string[] = []): Promise<string[]> {
  const family = families.map((name) => Buffer.from(name))
  return (await oneCall(port, method.getStoreFile, { region, family })).message.storeFile
}

async function loads(): Promise<unknown> {
  const { message } = await oneCall(port, method.getRegionLoad, { tableName: T })
  return message.regionLoads.map(({ storefiles, memStoreSizeMB }) => ({ storefiles, memStoreSizeMB }))
}

async function flush(region: object): Promise<boolean> {
  return (await oneCall(port, method.flushRegion, { region })).message.flushed
}

async function turn(enabled: boolean): Promise<boolean> {
  return (await oneCall(port, method.compactionSwitch, { enabled })).message.prevState
}

test('regions and their loads, of all tables and of one', async () => {
  const { message } = await oneCall(port, method.getOnlineRegion, {})
  const starts = message.regionInfo.map(({ tableName, startKey }) =>
    [Buffer.from(tableName!.qualifier), Buffer.from(startKey)].map(String),
  )
  expect(starts).toEqual([
    ['meta', ''],
    ['namespace', ''],
    ['t', ''],
    ['t', 'm'],
  ])
  expect((await oneCall(port, method.getRegionLoad, {})).message.regionLoads).toHaveLength(4)
  expect(await loads()).toEqual([
    { storefiles: 0, memStoreSizeMB: 1 },
    { storefiles: 0, memStoreSizeMB: 0 },
  ])
})

test('a flush writes a file, of what there is to write', async () => {
  const [first, second] = await regionsOf()
  expect(await flush(second!.full)).toBe(false)
  expect(await flush(first!.encoded)).toBe(true)
  expect(await flush(first!.full)).toBe(false)
  expect(await loads()).toEqual([
    { storefiles: 1, memStoreSizeMB: 0 },
    { storefiles: 0, memStoreSizeMB: 0 },
  ])
})

test('the store files of a region, of all its families and of some', async () => {
  const [first, second] = await regionsOf()
  expect(await filesOf(first!.full)).toEqual([])
  await flush(first!.full)
  const [file, ...others] = await filesOf(first!.full)
  expect(others).toEqual([])
  expect(file).toMatch(/^\/store\/data\/default\/t\/[^/]+\/f\/[^/]+$/)
  expect(await filesOf(first!.encoded, ['f'])).toEqual([file])
  expect(await filesOf(first!.full, ['g'])).toEqual([])
  expect(await filesOf(second!.full)).toEqual([])
  await expect(filesOf(first!.full, ['f', 'none'])).rejects.toThrow('No column family : none available')
})

test('the state of large values, whose region is only a name', async () => {
  const { name } = regionName(TABLE, Buffer.from('.mob'), 0)
  const region = { type: REGION_NAME, value: name }
  const { message } = await oneCall(port, method.getRegionInfo, { region, compactionState: true })
  expect(message).toMatchObject({ regionInfo: { tableName: T, regionId: 0n }, compactionState: 0 })
  await expect(oneCall(port, method.getRegionInfo, { region })).rejects.toMatchObject(NOT_SERVING)
  await expect(oneCall(port, method.compactRegion, { region })).rejects.toMatchObject(NOT_SERVING)
  const later = { type: REGION_NAME, value: regionName(TABLE, Buffer.from('.mob'), 1).name }
  const asked = oneCall(port, method.getRegionInfo, { region: later, compactionState: true })
  await expect(asked).rejects.toMatchObject(NOT_SERVING)
})

test('a region by its full name and by its encoded name, for admins and for readers', async () => {
  for (const region of Object.values((await regionsOf())[0]!)) {
    const { message } = await oneCall(port, method.getRegionInfo, { region, compactionState: true })
    expect(message).toMatchObject({ splittable: true, mergeable: true, compactionState: 0 })
    expect(Buffer.from(message.regionInfo!.endKey).toString()).toBe('m')
    const read = await oneCall(port, ClientService.method.get, { region, get: { row: Buffer.from('a') } })
    expect(read.cells()).toHaveLength(1)
    await oneCall(port, method.compactRegion, { region, major: true })
  }
})

test('a region that is not served, of a disabled table and of none', async () => {
  const [{ full, encoded }] = (await regionsOf()) as [{ full: object; encoded: object }]
  await oneCall(port, method.getRegionInfo, { region: encoded })
  await server.store.catalog.disableTable(TABLE, OWN_CALL)
  const none = { type: ENCODED_REGION_NAME, value: Buffer.alloc(32, 'a') }
  for (const region of [full, encoded, none]) {
    await expect(oneCall(port, method.getRegionInfo, { region })).rejects.toMatchObject(NOT_SERVING)
    await expect(oneCall(port, method.flushRegion, { region })).rejects.toMatchObject(NOT_SERVING)
    const get = { row: Buffer.from('a') }
    await expect(oneCall(port, ClientService.method.get, { region, get })).rejects.toMatchObject(NOT_SERVING)
  }
  expect(await loads()).toEqual([])
  const { message } = await oneCall(port, method.clearRegionBlockCache, { region: [full, none] })
  expect(message.stats!.exception.map(({ exception }) => exception!.name)).toEqual([
    NOT_SERVING.javaClass,
    NOT_SERVING.javaClass,
  ])
})

test('a region that was closed by itself is not served', async () => {
  const [first, second] = await server.store.catalog.regions(TABLE, OWN_CALL)
  await server.store.upkeep.regions!.unassignRegion(first!.name, OWN_CALL)
  const region = { type: REGION_NAME, value: first!.name }
  await expect(oneCall(port, method.getRegionInfo, { region })).rejects.toMatchObject(NOT_SERVING)
  const { message } = await oneCall(port, method.getOnlineRegion, {})
  const starts = message.regionInfo.map(({ startKey }) => Buffer.from(startKey).toString())
  expect(starts).toEqual(['', '', second!.startKey.toString()])
})

test('a compaction of a family that is not there is refused, unless compactions are switched off', async () => {
  const region = (await regionsOf())[0]!.full
  const compact = () => oneCall(port, method.compactRegion, { region, family: Buffer.from('nope') })
  await expect(compact()).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException',
  })
  expect([await turn(false), await turn(false)]).toEqual([true, false])
  await compact()
  expect(await turn(true)).toBe(false)
})

test('the server answers its name, and no slow calls', async () => {
  const { serverInfo } = (await oneCall(port, method.getServerInfo, {})).message
  expect(serverInfo!.serverName).toMatchObject({ hostName: '127.0.0.1', port })
  const logClassName = 'org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos$SlowLogResponseRequest'
  const asked = { logClassName, logMessage: Buffer.alloc(0) }
  const { message } = await oneCall(port, method.getLogEntries, asked)
  expect(message.logClassName).toBe(logClassName.replace('ResponseRequest', 'Responses'))
  const other = { ...asked, logClassName: 'x.Y' }
  await expect(oneCall(port, method.getLogEntries, other)).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.DoNotRetryIOException',
  })
})
