/** Copies of hbase:meta in a store of our own: a client asks for them, finds them and reads them. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../../adapters/hbase/rpc/rpc-connection.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { META_REGION, META_TABLE } from '../../../src/model/meta-table.ts'
import { scan } from '../../../src/model/query.ts'
import { replicaName } from '../../../src/model/region-name.ts'
import { gathered } from '../../../src/model/results.ts'
import { NAMESPACE_TABLE } from '../../../src/model/shown-tables.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { ClientService, MutationProto_MutationType } from '../../../src/wire/rpc/gen/client_pb.ts'
import { Option } from '../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { ClientMetaService } from '../../../src/wire/rpc/gen/registry_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer } from './rpc-server.ts'

const { REGION_NAME, ENCODED_REGION_NAME } = RegionSpecifier_RegionSpecifierType
const LOCATIONS = rpcMethod(ClientMetaService.method.getMetaRegionLocations)
const STATUS = rpcMethod(MasterService.method.getClusterStatus)
const NOT_SERVING = { javaClass: 'org.apache.hadoop.hbase.NotServingRegionException' }
const client = ClientService.method

let server: RpcServer
let port: number

beforeEach(async () => {
  server = await startRpcServer()
  port = server.door.port
})

afterEach(() => server.close())

/** Alters a table over the wire, as a client of HBase does. */
async function ask(copies: number, table: TableName = META_TABLE): Promise<void> {
  const { catalog } = server.remote
  const before = await catalog.table(table, OWN_CALL)
  const attributes = new Map([...before.attributes, ['REGION_REPLICATION', String(copies)]])
  await catalog.modifyTable({ ...before, attributes }, OWN_CALL)
}

async function called<T>(service: string, ask: (to: Awaited<ReturnType<typeof connect>>) => Promise<T>) {
  const connection = await connect({ host: '127.0.0.1', port, service, user: 'u' })
  try {
    return await ask(connection)
  } finally {
    connection.close()
  }
}

function located(): Promise<number[]> {
  return called('ClientMetaService', async (registry) => {
    const { message } = await registry.call(LOCATIONS, {})
    return message.metaLocations.map(({ regionInfo }) => regionInfo!.replicaId)
  })
}

/** The number of open regions of hbase:meta in the master's status. */
function counted(): Promise<number | undefined> {
  return called('MasterService', async (master) => {
    const { message } = await master.call(STATUS, { options: [Option.TABLE_TO_REGIONS_COUNT] })
    const counts = message.clusterStatus!.tableRegionStatesCount
    const ofMeta = counts.find(({ tableName }) => Buffer.from(tableName!.qualifier).toString() === 'meta')
    return ofMeta?.regionStatesCount?.openRegions
  })
}

async function online(): Promise<number[]> {
  const { regionInfo } = (await oneCall(port, AdminService.method.getOnlineRegion, {})).message
  const ofMeta = regionInfo.filter(({ tableName }) => Buffer.from(tableName!.qualifier).toString() === 'meta')
  return ofMeta.map(({ replicaId }) => replicaId)
}

function named(replica: number, isEncoded = false) {
  const { name, encodedName } = replicaName(META_REGION.name, replica)
  const value = isEncoded ? Buffer.from(encodedName) : name
  return { type: isEncoded ? ENCODED_REGION_NAME : REGION_NAME, value } as const
}

const GET = { row: Buffer.from('t') }

test('are located, open, counted and read as stale, as many as its descriptor asks for', async () => {
  for (const copies of [1, 3, 2, 1]) {
    if (copies > 1 || (await located()).length > 1) await ask(copies)
    const numbers = Array.from({ length: copies }, (_, replica) => replica)
    expect(await located()).toEqual(numbers)
    expect(await online()).toEqual(numbers)
    expect(await counted()).toBe(copies)
    for (const isEncoded of [false, true]) {
      for (const replica of numbers.slice(1)) {
        const { message } = await oneCall(port, client.get, { region: named(replica, isEncoded), get: GET })
        expect(message.result).toMatchObject({ stale: true })
      }
      const beyond = oneCall(port, client.get, { region: named(copies, isEncoded), get: GET })
      await expect(beyond).rejects.toMatchObject(NOT_SERVING)
    }
  }
})

test('refuse writes as other copies do', async () => {
  await ask(2)
  const mutation = { ...GET, mutateType: MutationProto_MutationType.PUT, columnValue: [] }
  await expect(oneCall(port, client.mutate, { region: named(1), mutation })).rejects.toThrow(
    'region is read only',
  )
})

test('of hbase:namespace are columns of its row in hbase:meta', async () => {
  await ask(2, NAMESPACE_TABLE)
  const query = scan({ startRow: Buffer.from(NAMESPACE_TABLE), stopRow: Buffer.from('t') })
  const scanner = await openScanner(server.store, META_TABLE, query, OWN_CALL)
  const { results } = await scanner.next({ rows: 10, bytes: 100_000, allowPartial: false }, OWN_CALL)
  await scanner.close()
  const states = cellsOf(gathered(results).cells).flatMap(({ family, qualifier, value }) =>
    family.toString() === 'info' && qualifier.toString().startsWith('state')
      ? [`${qualifier.toString()} ${value.toString()}`]
      : [],
  )
  expect(states).toEqual(['state OPEN', 'state_0001 OPEN'])
})
