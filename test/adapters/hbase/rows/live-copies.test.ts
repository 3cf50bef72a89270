/**
 * Copies of regions on a running HBase of two servers: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,... Where it has one server
 * only, the region and its copy are on the same one.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { type Get, get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionLocation } from '../../../../src/store/catalog.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { RegionRef, Target } from '../../../../src/store/target.ts'
import {
  bytes,
  failure,
  NO_GET_LIMITS,
  NO_LIMITS,
  resultTexts,
} from '../../../store/suite/store-under-test.ts'
import { openLive, zookeeper } from '../live-store.ts'

const TABLE = parseTableName(`COPIES_${process.pid}`)
const TIMEOUT = { timeout: 60_000, interval: 100 }

describe.skipIf(zookeeper === undefined)('copies of a live cluster', { timeout: 120_000 }, () => {
  let store: Store

  /** The region has a row that its copy has not: HBase's copies see what was in files when they opened. */
  beforeAll(async () => {
    store = await openLive()
    const copied = tableDescriptor(TABLE, [familyDescriptor('f')], [['REGION_REPLICATION', '2']])
    await store.catalog.createTable(copied, [], OWN_CALL)
    await put('filed')
    await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await store.catalog.enableTable(TABLE, OWN_CALL)
    await vi.waitFor(async () => expect((await copyRegion()).copies).toHaveLength(1), TIMEOUT)
    await put('fresh')
  }, 120_000)

  afterAll(async () => {
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await store.catalog.deleteTable(TABLE, OWN_CALL)
    await store.close()
  }, 60_000)

  async function put(row: string): Promise<void> {
    const batch = new MutationBatch()
    batch.put(bytes(row), bytes('f'), bytes('q'), bytes(row), 5n).endMutation()
    expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  }

  async function copyRegion(): Promise<RegionLocation> {
    const [region] = await store.catalog.regions(TABLE, OWN_CALL)
    return region!
  }

  async function copy(replica: number): Promise<RegionRef> {
    return { table: TABLE, encodedName: (await copyRegion()).encodedName, replica }
  }

  async function read(target: Target, ...gets: Get[]): Promise<string[]> {
    return resultTexts(await store.rows.get(target, gets, NO_GET_LIMITS, OWN_CALL))
  }

  async function scanned(target: Target, replica?: number): Promise<string[]> {
    const { id } = await store.rows.openScanner(target, scan({ replica }), OWN_CALL)
    const { results } = await store.handouts.next(id, NO_LIMITS, OWN_CALL)
    const texts = resultTexts(gathered(results))
    await store.handouts.closeScanner(id)
    return texts
  }

  test('the region and its copy are on two servers', async (context) => {
    const { server, copies } = await copyRegion()
    const status = await store.upkeep.cluster!.status(OWN_CALL)
    if (status.liveServers.length < 2) context.skip('one region server only')
    expect(copies![0]!.server.port).not.toBe(server!.port)
  })

  test('the copy answers for itself: the row that it has, and not the fresh one', async () => {
    const gets = [get(bytes('filed')), get(bytes('fresh'))]
    const [filed, fresh] = ['filed/f:q@5=filed', 'fresh/f:q@5=fresh']
    expect(await read(await copy(0), ...gets)).toEqual([filed, fresh])
    expect(await read(await copy(1), ...gets)).toEqual([filed, ''])
    expect(await read(await copy(1), get(bytes('fresh')))).toEqual([''])
    expect(await scanned(await copy(1))).toEqual([filed])
    expect(await scanned(TABLE, 1)).toEqual([filed])
    expect(await scanned(TABLE)).toEqual([filed, fresh])
    const mixed = [get(bytes('fresh'), { replica: 1 }), get(bytes('fresh'), { replica: 'any' })]
    expect(await read(TABLE, ...mixed)).toEqual(['', fresh])
  })

  test('there is no third one', async () => {
    expect(await failure(read(await copy(2), get(bytes('filed'))))).toMatch(/^NOT_SERVING_REGION/)
    expect(await failure(scanned(TABLE, 2))).toMatch(/^NOT_SERVING_REGION/)
  })

  test('goes with its table, which is disabled', async () => {
    const ref = await copy(1)
    await store.catalog.disableTable(TABLE, OWN_CALL)
    expect(await failure(read(ref, get(bytes('filed'))))).toMatch(/^TABLE_NOT_ENABLED/)
    await store.catalog.enableTable(TABLE, OWN_CALL)
    const again = async (): Promise<void> =>
      expect(await read(ref, get(bytes('filed')))).toEqual(['filed/f:q@5=filed'])
    await vi.waitFor(again, TIMEOUT)
  })
})
