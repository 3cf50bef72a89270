/**
 * Regions that move, against a running HBase of two servers: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,...
 * Where it has one server only there is nowhere to move to.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Cluster } from '../../../../adapters/hbase/cluster/cluster.ts'
import type { TableStateName } from '../../../../adapters/hbase/cluster/meta-table.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { NODE_TIME } from '../../../../adapters/hbase/retry/time.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import {
  RegionSpecifier_RegionSpecifierType,
  type ServerName,
} from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { rpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'

const zookeeper = /\bzookeeper:(\d+)/.exec(process.env['TIDEGATE_REAL_HBASE'] ?? '')?.[1]
const TABLE = parseTableName(`LOCATE_move_${process.pid}`)
const NAME = { namespace: Buffer.from('default'), qualifier: Buffer.from(TABLE) }
const { REGION_NAME, ENCODED_REGION_NAME } = RegionSpecifier_RegionSpecifierType

const GET = rpcMethod(ClientService.method.get)
const CREATE_TABLE = rpcMethod(MasterService.method.createTable)
const ENABLE_TABLE = rpcMethod(MasterService.method.enableTable)
const DISABLE_TABLE = rpcMethod(MasterService.method.disableTable)
const DELETE_TABLE = rpcMethod(MasterService.method.deleteTable)
const MOVE_REGION = rpcMethod(MasterService.method.moveRegion)
const CLUSTER_STATUS = rpcMethod(MasterService.method.getClusterStatus)

describe.skipIf(zookeeper === undefined)('a live region', () => {
  let cluster: Cluster
  let servers: ServerName[]

  beforeAll(async () => {
    cluster = new Cluster({
      cluster: {
        registry: 'either',
        servers: [{ host: '127.0.0.1', port: Number(zookeeper) }],
        znodeParent: '/hbase',
      },
      options: { ...DEFAULT_HBASE_OPTIONS, pauseMs: 20 },
      user: 'tidegate',
      time: NODE_TIME,
      random: Math.random,
    })
    await cluster.onMaster('create', OWN_CALL, (master) =>
      master.call(CREATE_TABLE, {
        tableSchema: { tableName: NAME, columnFamilies: [{ name: Buffer.from('f') }] },
        splitKeys: [Buffer.from('m')],
      }),
    )
    const status = await cluster.onMaster('status', OWN_CALL, (master) => master.call(CLUSTER_STATUS, {}))
    servers = (status.message.clusterStatus?.liveServers ?? []).map(({ server }) => server!)
    await reaches('ENABLED')
  })

  afterAll(async () => {
    await cluster.onMaster('disable', OWN_CALL, (master) => master.call(DISABLE_TABLE, { tableName: NAME }))
    await reaches('DISABLED')
    await cluster.onMaster('delete', OWN_CALL, (master) => master.call(DELETE_TABLE, { tableName: NAME }))
    await reaches(undefined)
    await cluster.close()
  })

  function reaches(state: TableStateName | undefined): Promise<void> {
    const check = async (): Promise<void> => expect(await cluster.tableState(TABLE, OWN_CALL)).toBe(state)
    return vi.waitFor(check, { timeout: 20_000 })
  }

  /** Reads a row; resolves to the port of the server that answered, and what the servers before it said. */
  async function read(row: Buffer): Promise<{ port: number; failures: unknown[] }> {
    const failures: unknown[] = []
    const port = await cluster.onRegion(
      { operation: 'get', rowOperation: 'Get', target: TABLE, row, call: OWN_CALL },
      async (connection, region, { timeoutMs }) => {
        try {
          const request = { region: { type: REGION_NAME, value: region.name }, get: { row } }
          await connection.call(GET, request, { timeoutMs })
          return region.server.port
        } catch (error) {
          failures.push(error)
          throw error
        }
      },
    )
    return { port, failures }
  }

  test('is followed to where it moves, back and forth', async (context) => {
    if (servers.length < 2) context.skip('one region server only')
    const row = Buffer.from('x')
    let { port } = await read(row)
    const classes = new Set<string>()
    for (let round = 0; round < 6; round++) {
      const region = cluster.locator.cached(TABLE, row)!
      const target = servers.find((server) => server.port !== port)!
      const encoded = { type: ENCODED_REGION_NAME, value: Buffer.from(region.encodedName) }
      await cluster.onMaster('move', OWN_CALL, (master) =>
        master.call(MOVE_REGION, { region: encoded, destServerName: target }),
      )
      const answer = await read(row)
      for (const failure of answer.failures) {
        expect(failure).toBeInstanceOf(RemoteException)
        if (failure instanceof RemoteException) classes.add(failure.javaClass)
      }
      expect(answer.port).toBe(target.port)
      expect(cluster.locator.cached(TABLE, row)!.server).toMatchObject({
        port: target.port,
        startCode: Number(target.startCode),
      })
      ;({ port } = answer)
    }
    // The server that gave the region away says where to; the cache is not asked of hbase:meta for it.
    expect([...classes]).toContain('org.apache.hadoop.hbase.exceptions.RegionMovedException')
  })

  test('of a table that is disabled says so', async () => {
    await read(Buffer.from('a'))
    await cluster.onMaster('disable', OWN_CALL, (master) => master.call(DISABLE_TABLE, { tableName: NAME }))
    await reaches('DISABLED')
    await expect(read(Buffer.from('a'))).rejects.toMatchObject({
      code: 'TABLE_NOT_ENABLED',
      message: `${TABLE} is disabled.`,
    })
    await cluster.onMaster('enable', OWN_CALL, (master) => master.call(ENABLE_TABLE, { tableName: NAME }))
    await reaches('ENABLED')
    expect((await read(Buffer.from('a'))).port).toBeGreaterThan(0)
  })
})
