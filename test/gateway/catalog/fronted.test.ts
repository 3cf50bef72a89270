/** A cluster whose servers clients cannot reach: they get the gateway's address in place of any server's. */

import { create, toBinary } from '@bufbuild/protobuf'
import { beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { type AdvertisedStore, advertised } from '../../../src/gateway/catalog/advertised.ts'
import { fronted } from '../../../src/gateway/catalog/fronted.ts'
import { clusterOf } from '../../../src/gateway/catalog/own-cluster.ts'
import { withSystemTables } from '../../../src/gateway/catalog/system-tables/system-tables.ts'
import { type CellParts } from '../../../src/model/cell.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { META_TABLE } from '../../../src/model/meta-table.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { ClusterStatus, ServerLoad } from '../../../src/store/upkeep.ts'
import { ReplicationLoadSinkSchema } from '../../../src/wire/rpc/gen/cluster-status_pb.ts'

const REMOTE = { host: 'rs7.example', port: 16020, startCode: 1_795_352_091_265 }
/** Its port is known once it listens. */
const own = { host: '127.0.0.1', port: 0, startCode: 1_795_352_140_977 }
const TABLE = parseTableName('t')
const LIMITS = { rows: 2, bytes: 1_000_000, allowPartial: false }

let cluster: AdvertisedStore
let front: AdvertisedStore

beforeEach(async () => {
  const shown = withSystemTables(
    advertised(openMemoryStore({ clock: { now: () => own.startCode } }), REMOTE),
    REMOTE,
  )
  const catalog = withMethods(shown.catalog, { hasSystemTables: true })
  const upkeep = {
    ...shown.upkeep,
    cluster: {
      ...clusterOf(shown),
      regionLoads: async () => [],
      procedures: async () => [],
    },
  }
  cluster = withFacets(shown, { catalog, upkeep })
  own.port = 0
  front = fronted(cluster, own)
  own.port = 4711
  const splits = ['b', 'server', '\xff'].map((key) => Buffer.from(key, 'latin1'))
  await cluster.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), splits, OWN_CALL)
})

async function metaCells(store: AdvertisedStore): Promise<CellParts[]> {
  const { id } = await store.rows.openScanner(META_TABLE, scan({}), OWN_CALL)
  const found: CellParts[] = []
  for (let isOver = false; !isOver; ) {
    const { results, ended } = await store.handouts.next(id, LIMITS, OWN_CALL)
    found.push(...cellsOf(gathered(results).cells))
    isOver = ended === 'scan'
  }
  await store.handouts.closeScanner(id)
  return found
}

const valueAt = (qualifier: string): Buffer | undefined => {
  const started = Buffer.alloc(8)
  started.writeBigInt64BE(BigInt(own.startCode))
  const values: Record<string, Buffer> = {
    server: Buffer.from('127.0.0.1:4711'),
    sn: Buffer.from(`127.0.0.1,4711,${own.startCode}`),
    serverstartcode: started,
  }
  return values[qualifier]
}

test('hbase:meta names it for every region, and is as it was but for that', async () => {
  const shown = await metaCells(front)
  const expected = (await metaCells(cluster)).map((cell) => ({
    ...cell,
    value: valueAt(cell.qualifier.toString()) ?? cell.value,
  }))
  expect(shown).toEqual(expected)
  expect(shown.filter(({ qualifier }) => qualifier.equals(Buffer.from('server')))).toHaveLength(5)
  const rows = [...new Set(shown.map(({ row }) => row.toString('latin1')))]
  const gets = rows.map((row) => get(Buffer.from(row, 'latin1')))
  const { cells } = await front.rows.get(META_TABLE, gets, { bytes: 1 << 20 }, OWN_CALL)
  expect(cellsOf(cells)).toEqual(expected)
})

test('so do the catalog and the status', async () => {
  const servers = (await front.catalog.regions(TABLE, OWN_CALL)).map(({ server }) => server)
  expect(servers).toEqual([own, own, own, own])
  const { liveServers, master } = await front.upkeep.cluster!.status(OWN_CALL)
  expect([liveServers.map(({ server }) => server), master]).toEqual([[own], own])
  const behind = await cluster.upkeep.cluster!.status(OWN_CALL)
  expect(liveServers[0]!.regions).toEqual(behind.liveServers[0]!.regions)
})

const sinkOf = (started: bigint, applied: bigint, total: bigint): Buffer =>
  Buffer.from(
    toBinary(
      ReplicationLoadSinkSchema,
      create(ReplicationLoadSinkSchema, {
        ageOfLastAppliedOp: 0n,
        timestampStarted: started,
        timeStampsOfLastAppliedOp: applied,
        totalOpsProcessed: total,
      }),
    ),
  )

test('its one server has the coprocessors and the queues of all, and the sink of the latest change', async () => {
  const { cluster: info } = cluster.upkeep
  const status = async (call: Call): Promise<ClusterStatus> => {
    const { liveServers, ...rest } = await info!.status(call)
    const [server] = liveServers
    const each = (coprocessors: string[], queue: string, sink: Buffer): ServerLoad => ({
      ...server!,
      coprocessors,
      replication: { sources: [Buffer.from(queue)], sink },
    })
    const three = [
      each(['B', 'A'], '1', sinkOf(5n, 5n, 0n)),
      each(['A'], '2', sinkOf(1n, 4n, 2n)),
      each(['C'], '3', sinkOf(1n, 3n, 7n)),
    ]
    return { ...rest, liveServers: three }
  }
  const upkeep = { ...cluster.upkeep, cluster: { ...info!, status } }
  const { liveServers } = await fronted(
    withFacets(cluster, { catalog: cluster.catalog, upkeep }),
    own,
  ).upkeep.cluster!.status(OWN_CALL)
  expect(liveServers).toMatchObject([{ coprocessors: ['A', 'B', 'C'] }])
  expect(liveServers[0]!.replication).toEqual({
    sources: ['1', '2', '3'].map((queue) => Buffer.from(queue)),
    sink: sinkOf(1n, 4n, 9n),
  })
})

test('values of other tables stay as they are, also in columns with the same names', async () => {
  const batch = new MutationBatch()
  batch.put(Buffer.from('r'), Buffer.from('f'), Buffer.from('server'), Buffer.from('mine')).endMutation()
  await front.rows.mutate(TABLE, batch, OWN_CALL)
  const { cells } = await front.rows.get(TABLE, [get(Buffer.from('r'))], { bytes: 1000 }, OWN_CALL)
  expect(cellsOf(cells).map(({ value }) => value.toString())).toEqual(['mine'])
})

test('a store that serves its regions itself is not changed', () => {
  const store = withSystemTables(
    advertised(openMemoryStore({ clock: { now: () => own.startCode } }), REMOTE),
    REMOTE,
  )
  expect(fronted(store, own)).toBe(store)
})
