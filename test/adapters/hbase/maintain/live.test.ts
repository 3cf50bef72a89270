/**
 * Regions, snapshots and the state of a running HBase: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,...
 * What is done to the table's regions leaves its data as it was.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/hbase-options.ts'
import { openHBaseStore } from '../../../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../../../adapters/hbase/retry/node-time.ts'
import type { Maintenance, RegionLoad } from '../../../../src/maintenance.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import type { RegionLocation, Store } from '../../../../src/store.ts'
import { allRows, putRows } from './rows.ts'

const zookeeper = /\bzookeeper:(\d+)/.exec(process.env['TIDEGATE_REAL_HBASE'] ?? '')?.[1]
const TABLE = parseTableName(`MAINTAIN_${process.pid}`)
const HALVED = parseTableName(`MAINTAIN_halved_${process.pid}`)
const CLONE = parseTableName(`MAINTAIN_clone_${process.pid}`)
const SNAPSHOT = `MAINTAIN_snapshot_${process.pid}`
const UNKNOWN = Buffer.from(`${TABLE},,1.0123456789abcdef0123456789abcdef.`)
const UNKNOWN_ENCODED = Buffer.from('0123456789abcdef0123456789abcdef')
const LATE = { timeout: 60_000, interval: 250 }

const rows = (prefix: string): string[] => Array.from({ length: 50 }, (_, i) => `${prefix}${100 + i}`)
const ROWS = [...rows('a'), ...rows('z')]

describe.skipIf(zookeeper === undefined)('a live cluster', { timeout: 120_000 }, () => {
  let store: Store
  let maintenance: Maintenance

  beforeAll(async () => {
    store = await openHBaseStore({
      cluster: {
        registry: 'either',
        servers: [{ host: '127.0.0.1', port: Number(zookeeper) }],
        znodeParent: '/hbase',
      },
      options: { ...DEFAULT_HBASE_OPTIONS, pauseMs: 20 },
      user: 'tidegate',
      time: NODE_TIME,
      random: Math.random,
      log: () => undefined,
    })
    maintenance = store.maintenance!
    for (const table of [TABLE, HALVED]) {
      await store.createTable(tableDescriptor(table, [familyDescriptor('f')]), [])
    }
  }, 60_000)

  afterAll(async () => {
    for (const { name } of await maintenance.listSnapshots()) {
      if (name.startsWith(SNAPSHOT)) await maintenance.deleteSnapshot(name)
    }
    await drop(TABLE)
    await drop(CLONE)
    await drop(HALVED)
    await store.close()
  }, 60_000)

  async function drop(table: TableName): Promise<void> {
    if (!(await store.tableExists(table))) return
    if ((await store.tableState(table)) === 'ENABLED') await store.disableTable(table)
    await store.deleteTable(table)
  }

  /** Of a table with one region. */
  async function onlyRegion(): Promise<RegionLocation> {
    const regions = await store.regions(TABLE)
    expect(regions).toHaveLength(1)
    return regions[0]!
  }

  async function loadOf({ name }: RegionLocation): Promise<RegionLoad | undefined> {
    const { liveServers } = await maintenance.clusterStatus()
    return liveServers.flatMap(({ regions }) => regions).find((load) => load.name.equals(name))
  }

  test('says who it is and what its servers have', async () => {
    const status = await maintenance.clusterStatus()
    expect(await maintenance.clusterIdentity()).toEqual({
      clusterId: status.clusterId,
      hbaseVersion: status.hbaseVersion,
    })
    expect(status.clusterId).toMatch(/^[0-9a-f-]{36}$/)
    expect(status.hbaseVersion).toMatch(/^2\./)
    expect(status.master?.startCode).toBeGreaterThan(1_500_000_000_000)
    expect(status.isBalancerOn).toBe(true)
    const region = await onlyRegion()
    const server = status.liveServers.find((load) => load.server.port === region.server.port)
    expect(server).toMatchObject({ server: region.server, requests: expect.any(Number) })
    expect(server!.heapMaxMB).toBeGreaterThan(server!.heapUsedMB)
    // Regions appear with the server's next report.
    await vi.waitFor(async () => expect(await loadOf(region)).toMatchObject({ stores: 1 }), LATE)
  })

  test('has a region split, merged again, and one store file made of all', async () => {
    // Files that lie on one side of the split are linked: a region with halves of files cannot be merged for minutes.
    for (const prefix of ['a', 'z']) {
      const { name, encodedName } = await onlyRegion()
      await putRows(store, TABLE, rows(prefix))
      await maintenance.flushRegion(prefix === 'a' ? name : Buffer.from(encodedName))
    }
    await maintenance.splitTable(TABLE, Buffer.from('m'))
    const halves = await store.regions(TABLE)
    expect(halves.map(({ startKey }) => startKey.toString())).toEqual(['', 'm'])
    expect(await allRows(store, TABLE)).toEqual(ROWS)

    await maintenance.mergeRegions([halves[0]!.name, Buffer.from(halves[1]!.encodedName)], false)
    const merged = await onlyRegion()
    expect(await allRows(store, TABLE)).toEqual(ROWS)
    await expect(maintenance.splitRegion(halves[0]!.name)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })

    const filesBecome = (count: number): Promise<void> =>
      vi.waitFor(async () => expect((await loadOf(merged))?.storeFiles).toBe(count), LATE)
    const major = { major: true, family: Buffer.from('f') }
    await maintenance.compactTable(TABLE, major)
    await filesBecome(1)
    await putRows(store, TABLE, rows('a'))
    await maintenance.flushRegion(merged.name, Buffer.from('f'))
    await filesBecome(2)
    await maintenance.compactRegion(merged.name, major)
    await filesBecome(1)
    await vi.waitFor(async () => expect(await maintenance.compactionState(TABLE)).toBe('NONE'), LATE)
    expect(await allRows(store, TABLE)).toEqual(ROWS)
  })

  test('splits a table where its data is halved', async () => {
    await putRows(store, HALVED, ROWS)
    await store.flushTable(HALVED)
    await maintenance.splitTable(HALVED)
    const regions = await store.regions(HALVED)
    expect(regions).toHaveLength(2)
    expect(ROWS).toContain(regions[1]!.startKey.toString())
    expect(await allRows(store, HALVED)).toEqual(ROWS)
  })

  test('closes a region, opens it, moves it', async () => {
    const { name } = await onlyRegion()
    await maintenance.unassignRegion(name)
    await expect(maintenance.unassignRegion(name)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    await maintenance.assignRegion(name)
    await maintenance.moveRegion(name)
    expect(await allRows(store, TABLE)).toEqual(ROWS)
  })

  test('takes snapshots, clones and restores them', async () => {
    const before = Date.now()
    await maintenance.createSnapshot(SNAPSHOT, TABLE, 'FLUSH')
    await maintenance.createSnapshot(`${SNAPSHOT}_skip`, TABLE, 'SKIPFLUSH')
    const own = (await maintenance.listSnapshots()).filter(({ name }) => name.startsWith(SNAPSHOT))
    expect(own).toMatchObject([
      { name: SNAPSHOT, table: TABLE, type: 'FLUSH', timeToLiveSeconds: 0 },
      { name: `${SNAPSHOT}_skip`, table: TABLE, type: 'SKIPFLUSH' },
    ])
    expect(Math.abs(own[0]!.createdAt - before)).toBeLessThan(60_000)
    await expect(maintenance.createSnapshot(SNAPSHOT, TABLE, 'FLUSH')).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      detail: { javaClass: 'org.apache.hadoop.hbase.snapshot.SnapshotExistsException' },
    })

    await maintenance.cloneSnapshot(SNAPSHOT, CLONE)
    expect(await allRows(store, CLONE)).toEqual(ROWS)
    await expect(maintenance.cloneSnapshot(SNAPSHOT, CLONE)).rejects.toMatchObject({ code: 'TABLE_EXISTS' })

    await putRows(store, TABLE, ['later'])
    expect(await allRows(store, TABLE)).toContain('later')
    await expect(maintenance.restoreSnapshot(SNAPSHOT)).rejects.toMatchObject({ code: 'TABLE_NOT_DISABLED' })
    await store.disableTable(TABLE)
    await maintenance.restoreSnapshot(SNAPSHOT)
    expect(await store.tableState(TABLE)).toBe('DISABLED')
    await store.enableTable(TABLE)
    expect(await allRows(store, TABLE)).toEqual(ROWS)

    await maintenance.deleteSnapshot(`${SNAPSHOT}_skip`)
    await drop(TABLE)
    await maintenance.restoreSnapshot(SNAPSHOT)
    expect(await allRows(store, TABLE)).toEqual(ROWS)
  })

  test.each<[string, string, string | undefined, (maintenance: Maintenance) => Promise<unknown>]>([
    [
      'compaction of no table',
      'TABLE_NOT_FOUND',
      undefined,
      (m) => m.compactTable(parseTableName('MAINTAIN_no'), { major: false }),
    ],
    [
      'compaction of no family',
      'NO_SUCH_COLUMN_FAMILY',
      undefined,
      (m) => m.compactTable(TABLE, { major: false, family: Buffer.from('zz') }),
    ],
    [
      'compaction of no region',
      'ILLEGAL_ARGUMENT',
      undefined,
      (m) => m.compactRegion(UNKNOWN, { major: false }),
    ],
    [
      'compaction of no encoded region',
      'ILLEGAL_ARGUMENT',
      undefined,
      (m) => m.compactRegion(UNKNOWN_ENCODED, { major: false }),
    ],
    [
      'compaction of what is no region',
      'ILLEGAL_ARGUMENT',
      undefined,
      (m) => m.compactRegion(Buffer.from('x'), { major: false }),
    ],
    ['flush of no region', 'ILLEGAL_ARGUMENT', undefined, (m) => m.flushRegion(UNKNOWN)],
    [
      'state of no table',
      'TABLE_NOT_FOUND',
      undefined,
      (m) => m.compactionState(parseTableName('MAINTAIN_no')),
    ],
    ['split of no table', 'TABLE_NOT_FOUND', undefined, (m) => m.splitTable(parseTableName('MAINTAIN_no'))],
    ['split of no region', 'DO_NOT_RETRY', 'UnknownRegionException', (m) => m.splitRegion(UNKNOWN)],
    ['split at its start', 'IO', undefined, (m) => m.splitTable(TABLE, Buffer.alloc(0))],
    ['merge of one', 'ILLEGAL_ARGUMENT', undefined, (m) => m.mergeRegions([UNKNOWN], false)],
    [
      'merge of none',
      'DO_NOT_RETRY',
      'UnknownRegionException',
      (m) => m.mergeRegions([UNKNOWN, UNKNOWN_ENCODED], false),
    ],
    ['move of none', 'DO_NOT_RETRY', 'UnknownRegionException', (m) => m.moveRegion(UNKNOWN_ENCODED)],
    [
      'snapshot of no table',
      'DO_NOT_RETRY',
      'snapshot.SnapshotCreationException',
      (m) => m.createSnapshot(`${SNAPSHOT}_no`, parseTableName('MAINTAIN_no'), 'FLUSH'),
    ],
    [
      'snapshot of a bad name',
      'ILLEGAL_ARGUMENT',
      undefined,
      (m) => m.createSnapshot('bad name', TABLE, 'FLUSH'),
    ],
    [
      'snapshot of hbase:meta',
      'ILLEGAL_ARGUMENT',
      undefined,
      (m) => m.createSnapshot(SNAPSHOT, parseTableName('hbase:meta'), 'FLUSH'),
    ],
    [
      'deletion of none',
      'DO_NOT_RETRY',
      'snapshot.SnapshotDoesNotExistException',
      (m) => m.deleteSnapshot(`${SNAPSHOT}_no`),
    ],
    [
      'restoration of none',
      'DO_NOT_RETRY',
      'snapshot.RestoreSnapshotException',
      (m) => m.restoreSnapshot(`${SNAPSHOT}_no`),
    ],
    [
      'cloning of none',
      'DO_NOT_RETRY',
      'snapshot.SnapshotDoesNotExistException',
      (m) => m.cloneSnapshot(`${SNAPSHOT}_no`, parseTableName('MAINTAIN_no')),
    ],
    [
      'cloning to no namespace',
      'NAMESPACE_NOT_FOUND',
      undefined,
      (m) => m.cloneSnapshot(SNAPSHOT, parseTableName('MAINTAIN_no:t')),
    ],
  ])('refuses the %s', async (_, code, javaClass, call) => {
    const error: unknown = await call(maintenance).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code })
    if (javaClass !== undefined) {
      expect(error).toMatchObject({ detail: { javaClass: `org.apache.hadoop.hbase.${javaClass}` } })
    }
  })
})
