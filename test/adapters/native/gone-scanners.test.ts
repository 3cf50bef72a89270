/** Scanners that can never be read again hold nothing, although their clients keep them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { scan } from '../../../src/model/query.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { RegionRef, Target } from '../../../src/store/target.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const ONE_ROW: ScanLimits = { rows: 1, bytes: 1 << 20, allowPartial: false }
const ALL: ScanLimits = { ...ONE_ROW, rows: 1_000_000 }

async function withRows(scanSliceCells = 1000): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ scanSliceCells })
  await session.createTable(tableOf('f'))
  await session.put(numbered(500))
  return session
}

async function regionOf({ store }: StoreUnderTest): Promise<RegionRef> {
  const [region] = await store.catalog.regions(TABLE, OWN_CALL)
  return { table: TABLE, encodedName: region!.encodedName, replica: 0 }
}

async function begun({ store }: StoreUnderTest, target: Target): Promise<number> {
  const { id } = await store.rows.openScanner(target, scan(), OWN_CALL)
  await store.handouts.next(id, ONE_ROW, OWN_CALL)
  return id
}

/** The memstores that scans hold beside their files. */
async function heldSnapshots({ store }: StoreUnderTest): Promise<number | undefined> {
  const found = (await store.metrics()).find(({ name }) => name === 'tidegate_native_held_snapshots')
  return found?.samples[0]?.value
}

async function filesLeft(session: StoreUnderTest): Promise<string[]> {
  for (let turn = 0; turn < 200 && session.paths('/s/data').length > 0; turn++) await nextTurn()
  return session.paths('/s/data')
}

describe('a scanner of a table', () => {
  it.each(['table', 'region'])('that was dropped keeps none of its files: %s', async (kind) => {
    const session = await withRows()
    await session.flush()
    const id = await begun(session, kind === 'table' ? TABLE : await regionOf(session))
    const { catalog, handouts } = session.store
    await catalog.disableTable(TABLE, OWN_CALL)
    await catalog.deleteTable(TABLE, OWN_CALL)
    expect(await filesLeft(session)).toEqual([])
    await expect(handouts.next(id, ALL, OWN_CALL)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    await session.createTable(tableOf('f'))
    await expect(handouts.next(id, ALL, OWN_CALL)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    await session.store.close()
  })

  it('that was truncated keeps none of its files', async () => {
    const session = await withRows()
    await session.flush()
    const id = await begun(session, TABLE)
    const { catalog, handouts } = session.store
    await catalog.disableTable(TABLE, OWN_CALL)
    await catalog.truncateTable(TABLE, false, OWN_CALL)
    expect(await filesLeft(session)).toEqual([])
    await expect(handouts.next(id, ALL, OWN_CALL)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    await session.store.close()
  })

  it('that was disabled goes on once it is enabled', async () => {
    const session = await withRows()
    const id = await begun(session, TABLE)
    const { catalog, handouts } = session.store
    await catalog.disableTable(TABLE, OWN_CALL)
    await expect(handouts.next(id, ALL, OWN_CALL)).rejects.toMatchObject({ code: 'TABLE_NOT_ENABLED' })
    await catalog.enableTable(TABLE, OWN_CALL)
    expect((await handouts.next(id, ALL, OWN_CALL)).results.counts).toHaveLength(499)
    await session.store.close()
  })
})

describe('a scanner of a region that was split', () => {
  it('holds nothing, and one of the whole table goes on', async () => {
    const session = await withRows()
    const { handouts, upkeep } = session.store
    const region = await regionOf(session)
    const ofRegion = await begun(session, region)
    await session.flush()
    expect(await heldSnapshots(session)).toBe(1)
    const ofTable = await begun(session, TABLE)
    await upkeep.regions!.splitRegion(Buffer.from(region.encodedName), Buffer.from('r000250'), OWN_CALL)
    expect(await heldSnapshots(session)).toBe(0)
    await expect(handouts.next(ofRegion, ALL, OWN_CALL)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    expect((await handouts.next(ofTable, ALL, OWN_CALL)).results.counts).toHaveLength(499)
    await session.store.close()
  })
})

describe('a scanner whose call ended with rows in its hands', () => {
  it('holds nothing, and is unknown from then on', async () => {
    const session = await withRows(100)
    const { handouts } = session.store
    const id = await begun(session, TABLE)
    await session.flush()
    expect(await heldSnapshots(session)).toBe(1)
    const hangUp = new AbortController()
    const call: Call = { ...OWN_CALL, signal: hangUp.signal }
    const reading = handouts.next(id, ALL, call)
    hangUp.abort()
    await expect(reading).rejects.toMatchObject({ code: 'CALLER_GONE' })
    expect(await heldSnapshots(session)).toBe(0)
    for (let time = 0; time < 2; time++)
      await expect(handouts.next(id, ALL, OWN_CALL)).rejects.toMatchObject({ code: 'UNKNOWN_SCANNER' })
    await session.store.close()
  })
})
