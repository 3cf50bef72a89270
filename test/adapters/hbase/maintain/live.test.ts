/**
 * Regions, snapshots and the state of a running HBase: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,...
 * The changes of the table's regions leave its data unchanged.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionLocation } from '../../../../src/store/catalog.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { RegionLoad, Upkeep } from '../../../../src/store/upkeep.ts'
import { openLive, zookeeper } from '../live-store.ts'
import { allRows, putRows } from './rows.ts'

const TABLE = parseTableName(`MAINTAIN_${process.pid}`)
const HALVED = parseTableName(`MAINTAIN_halved_${process.pid}`)
const CLONE = parseTableName(`MAINTAIN_clone_${process.pid}`)
const SNAPSHOT = `MAINTAIN_snapshot_${process.pid}`
const LATE = { timeout: 60_000, interval: 250 }

const rows = (prefix: string): string[] => Array.from({ length: 50 }, (_, i) => `${prefix}${100 + i}`)
const ROWS = [...rows('a'), ...rows('z')]

describe.skipIf(zookeeper === undefined)('a live cluster', { timeout: 120_000 }, () => {
  let store: Store
  let upkeep: Required<Upkeep>

  beforeAll(async () => {
    store = await openLive()
    upkeep = store.upkeep as Required<Upkeep>
    for (const table of [TABLE, HALVED]) {
      await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
    }
  }, 60_000)

  afterAll(async () => {
    for (const { name } of await upkeep.snapshots.listSnapshots(OWN_CALL)) {
      if (name.startsWith(SNAPSHOT)) await upkeep.snapshots.deleteSnapshot(name, OWN_CALL)
    }
    await drop(TABLE)
    await drop(CLONE)
    await drop(HALVED)
    await store.close()
  }, 60_000)

  async function drop(table: TableName): Promise<void> {
    if (!(await store.catalog.tableExists(table, OWN_CALL))) return
    if ((await store.catalog.tableState(table, OWN_CALL)) === 'ENABLED')
      await store.catalog.disableTable(table, OWN_CALL)
    await store.catalog.deleteTable(table, OWN_CALL)
  }

  /** Of a table with one region. */
  async function onlyRegion(): Promise<RegionLocation> {
    const regions = await store.catalog.regions(TABLE, OWN_CALL)
    expect(regions).toHaveLength(1)
    return regions[0]!
  }

  async function loadOf({ name }: RegionLocation): Promise<RegionLoad | undefined> {
    const { liveServers } = await upkeep.cluster.status(OWN_CALL)
    return liveServers.flatMap(({ regions }) => regions).find((load) => load.name.equals(name))
  }

  test('reports its id, and the regions of its servers', async () => {
    const status = await upkeep.cluster.status(OWN_CALL)
    expect(await store.clusterId()).toBe(status.clusterId)
    expect(await upkeep.cluster.hbaseVersion(OWN_CALL)).toBe(status.hbaseVersion)
    expect(status.clusterId).toMatch(/^[0-9a-f-]{36}$/)
    expect(status.hbaseVersion).toMatch(/^2\./)
    expect(status.master?.startCode).toBeGreaterThan(1_500_000_000_000)
    expect(status.isBalancerOn).toBe(true)
    const region = await onlyRegion()
    const server = status.liveServers.find((load) => load.server.port === region.server!.port)
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
      await upkeep.flushes.flushRegion(prefix === 'a' ? name : Buffer.from(encodedName), undefined, OWN_CALL)
    }
    await upkeep.regions.splitTable(TABLE, Buffer.from('m'), OWN_CALL)
    const halves = await store.catalog.regions(TABLE, OWN_CALL)
    expect(halves.map(({ startKey }) => startKey.toString())).toEqual(['', 'm'])
    expect(await allRows(store, TABLE)).toEqual(ROWS)

    await upkeep.regions.mergeRegions([halves[0]!.name, Buffer.from(halves[1]!.encodedName)], false, OWN_CALL)
    const merged = await onlyRegion()
    expect(await allRows(store, TABLE)).toEqual(ROWS)
    await expect(upkeep.regions.splitRegion(halves[0]!.name, undefined, OWN_CALL)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
    })

    const filesBecome = (count: number): Promise<void> =>
      vi.waitFor(async () => expect((await loadOf(merged))?.storeFiles).toBe(count), LATE)
    const major = { major: true, family: Buffer.from('f') }
    await upkeep.compactions.compactTable(TABLE, major, OWN_CALL)
    await filesBecome(1)
    await putRows(store, TABLE, rows('a'))
    await upkeep.flushes.flushRegion(merged.name, Buffer.from('f'), OWN_CALL)
    await filesBecome(2)
    await upkeep.compactions.compactRegion(merged.name, major, OWN_CALL)
    await filesBecome(1)
    await vi.waitFor(
      async () => expect(await upkeep.compactions.compactionState(TABLE, OWN_CALL)).toBe('NONE'),
      LATE,
    )
    expect(await allRows(store, TABLE)).toEqual(ROWS)
  })

  test('splits a table where its data is halved', async () => {
    await putRows(store, HALVED, ROWS)
    await upkeep.flushes.flushTable(HALVED, OWN_CALL)
    await upkeep.regions.splitTable(HALVED, undefined, OWN_CALL)
    const regions = await store.catalog.regions(HALVED, OWN_CALL)
    expect(regions).toHaveLength(2)
    expect(ROWS).toContain(regions[1]!.startKey.toString())
    expect(await allRows(store, HALVED)).toEqual(ROWS)
  })

  test('closes a region, opens it, moves it', async () => {
    const { name } = await onlyRegion()
    await upkeep.regions.unassignRegion(name, OWN_CALL)
    await expect(upkeep.regions.unassignRegion(name, OWN_CALL)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
    })
    await upkeep.regions.assignRegion(name, OWN_CALL)
    await upkeep.regions.moveRegion(name, undefined, OWN_CALL)
    expect(await allRows(store, TABLE)).toEqual(ROWS)
  })

  test('takes snapshots, clones and restores them', async () => {
    const before = Date.now()
    await upkeep.snapshots.createSnapshot(SNAPSHOT, TABLE, 'FLUSH', OWN_CALL)
    await upkeep.snapshots.createSnapshot(`${SNAPSHOT}_skip`, TABLE, 'SKIPFLUSH', OWN_CALL)
    const own = (await upkeep.snapshots.listSnapshots(OWN_CALL)).filter(({ name }) =>
      name.startsWith(SNAPSHOT),
    )
    expect(own).toMatchObject([
      { name: SNAPSHOT, table: TABLE, type: 'FLUSH', timeToLiveSeconds: 0n },
      { name: `${SNAPSHOT}_skip`, table: TABLE, type: 'SKIPFLUSH' },
    ])
    expect(Math.abs(own[0]!.createdAt - before)).toBeLessThan(60_000)
    await expect(upkeep.snapshots.createSnapshot(SNAPSHOT, TABLE, 'FLUSH', OWN_CALL)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      detail: { javaClass: 'org.apache.hadoop.hbase.snapshot.SnapshotExistsException' },
    })

    await upkeep.snapshots.cloneSnapshot(SNAPSHOT, CLONE, OWN_CALL)
    expect(await allRows(store, CLONE)).toEqual(ROWS)
    await expect(upkeep.snapshots.cloneSnapshot(SNAPSHOT, CLONE, OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_EXISTS',
    })

    await putRows(store, TABLE, ['later'])
    expect(await allRows(store, TABLE)).toContain('later')
    await expect(upkeep.snapshots.restoreSnapshot(SNAPSHOT, OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_DISABLED',
    })
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await upkeep.snapshots.restoreSnapshot(SNAPSHOT, OWN_CALL)
    expect(await store.catalog.tableState(TABLE, OWN_CALL)).toBe('DISABLED')
    await store.catalog.enableTable(TABLE, OWN_CALL)
    expect(await allRows(store, TABLE)).toEqual(ROWS)

    await upkeep.snapshots.deleteSnapshot(`${SNAPSHOT}_skip`, OWN_CALL)
    await drop(TABLE)
    await upkeep.snapshots.restoreSnapshot(SNAPSHOT, OWN_CALL)
    expect(await allRows(store, TABLE)).toEqual(ROWS)
  })
})
