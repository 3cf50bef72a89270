/** Tidegate replicates to a running HBase, and the HBase to Tidegate at the same time: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,... */

import { create, toBinary } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { tag } from '../../src/model/cell-tags.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { ReplicationPeerSchema } from '../../src/wire/rpc/gen/replication_pb.ts'
import { openLive, zookeeper } from '../adapters/hbase/live-store.ts'
import { bytes, cellsIn, Server } from './two-servers.ts'

const TABLE = parseTableName(`both_ways_${process.pid}`)
/** A table that the HBase lacks at first. */
const LATE = parseTableName(`both_ways_late_${process.pid}`)
const PEER = `tidegate_source_${process.pid}`
const SOON = { timeout: 30_000, interval: 100 }
const [F, Q] = [bytes('f'), bytes('q')]

function descriptorOf(table: typeof TABLE): ReturnType<typeof tableDescriptor> {
  const attributes: [string, string][] = [
    ['VERSIONS', '100'],
    ['REPLICATION_SCOPE', '1'],
    ['KEEP_DELETED_CELLS', 'TRUE'],
  ]
  return tableDescriptor(table, [familyDescriptor('f', attributes)])
}

describe.skipIf(zookeeper === undefined)('Tidegate and a live cluster', { timeout: 90_000 }, () => {
  let hbase: Store
  const tidegate = new Server()

  beforeAll(async () => {
    hbase = await openLive()
    await tidegate.start()
    await hbase.catalog.createTable(descriptorOf(TABLE), [bytes('m')], OWN_CALL)
    await tidegate.store.catalog.createTable(descriptorOf(TABLE), [], OWN_CALL)
    await tidegate.follow('hbase', `127.0.0.1:${zookeeper}:/hbase`)
    const message = create(ReplicationPeerSchema, {
      clusterkey: tidegate.clusterKey,
      replicateAll: true,
      configuration: [
        {
          name: 'hbase.replication.rpc.codec',
          value: 'org.apache.hadoop.hbase.codec.KeyValueCodecWithTags',
        },
        // Its log may have changes of tables that other suites have dropped.
        { name: 'hbase.replication.drop.on.deleted.table', value: 'true' },
      ],
    })
    const config = Buffer.from(toBinary(ReplicationPeerSchema, message))
    await hbase.upkeep.peers!.changePeer(PEER, { kind: 'ADD', config, isEnabled: true }, OWN_CALL)
  }, 90_000)

  afterAll(async () => {
    await hbase.upkeep.peers!.changePeer(PEER, { kind: 'REMOVE' }, OWN_CALL)
    for (const table of [TABLE, LATE]) {
      if (!(await hbase.catalog.tableExists(table, OWN_CALL))) continue
      await hbase.catalog.disableTable(table, OWN_CALL)
      await hbase.catalog.deleteTable(table, OWN_CALL)
    }
    await hbase.close()
    await tidegate.remove()
  }, 60_000)

  async function agree(count: number): Promise<void> {
    await vi.waitFor(async () => {
      const cells = await cellsIn(hbase, TABLE)
      expect(cells.length).toBe(count)
      expect(await tidegate.cells(TABLE)).toEqual(cells)
    }, SOON)
  }

  test('have the same cells after writes to both, of every kind', async () => {
    for (let i = 0; i < 50; i++) {
      await tidegate.put(`t${i}`, `of Tidegate ${i}`, undefined, TABLE)
      const batch = new MutationBatch().put(bytes(`h${i}`), F, Q, bytes(`of HBase ${i}`))
      batch.endMutation()
      expect(await hbase.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
    }
    await agree(100)
    const row = bytes('times')
    for (const time of [0n, 1n, 2n, 0x7ffffffffffffffen]) await tidegate.put('times', `${time}`, time, TABLE)
    await tidegate.mutate((batch) => batch.put(bytes('brief'), F, Q, bytes('v')), { ttlMs: 3_600_000 }, TABLE)
    await tidegate.mutate(
      (batch) => {
        const start = batch.cells.length
        batch.put(bytes('tagged'), F, Q, bytes('v'))
        batch.cells.appendTags(start, tag(65, bytes('own')))
      },
      {},
      TABLE,
    )
    await agree(106)
    await tidegate.mutate((batch) => batch.deleteVersion(row, F, Q, 1n), {}, TABLE)
    await tidegate.mutate((batch) => batch.deleteColumn(bytes('t1'), F, Q), {}, TABLE)
    await tidegate.mutate((batch) => batch.deleteFamilyVersion(row, F, 2n), {}, TABLE)
    await tidegate.mutate((batch) => batch.deleteFamily(bytes('t2'), F), {}, TABLE)
    await tidegate.mutate((batch) => batch.deleteRow(bytes('h3')), {}, TABLE)
    await agree(111)
    // Nothing has gone round: Tidegate has sent its own changes alone.
    expect(await tidegate.page('/metrics')).toMatch(/shipped_cells_total\{peer="hbase"\} 61\n/)
  })

  test('a load into Tidegate comes to the HBase as puts', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => `loaded${String(index).padStart(4, '0')}`)
    await tidegate.load(rows, 'v', TABLE)
    await agree(2111)
  })

  test('a table that the HBase lacks waits until it is there', async () => {
    await tidegate.store.catalog.createTable(descriptorOf(LATE), [], OWN_CALL)
    await tidegate.put('r', 'late', undefined, LATE)
    await tidegate.put('after', 'v', undefined, TABLE)
    await vi.waitFor(async () => {
      expect(await tidegate.page('/metrics')).toMatch(/failures_total\{peer="hbase"\} [1-9]/)
    }, SOON)
    await hbase.catalog.createTable(descriptorOf(LATE), [], OWN_CALL)
    await vi.waitFor(async () => {
      expect(await cellsIn(hbase, LATE)).toEqual(await tidegate.cells(LATE))
    }, SOON)
    await agree(2112)
  })
})
