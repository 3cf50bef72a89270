/** Tables of thousands of regions: what is done to all of them lets others have their turn, and costs each of them little. */

import { afterEach, describe, expect, it } from 'vitest'
import type { CompactionWish } from '../../../adapters/native/compact/store-choice.ts'
import { WaitingCompactions } from '../../../adapters/native/compact/waiting-compactions.ts'
import {
  decodeEdit,
  encodeEdit,
  type ManifestEdit,
  type RegionRecord,
} from '../../../adapters/native/manifest/manifest-edit.ts'
import { ChunkPool } from '../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../adapters/native/memstore/memstore.ts'
import type { FamilyStore } from '../../../adapters/native/region/family-store.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { longestTurnOfBestTry } from './longest-turn.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const TURN_MS_MAX = 100
const REGIONS = 6000
/** One in so many regions gets a cell. */
const FILLED_EVERY = 100
const CLONE = parseTableName('clone')

let opened: StoreUnderTest

afterEach(() => opened.store.close())

const keys = (regions: number): string[] =>
  Array.from({ length: regions - 1 }, (_, index) => `k${String(index + 1).padStart(6, '0')}`)

async function withRegions(regions: number): Promise<StoreUnderTest> {
  opened = await StoreUnderTest.open()
  await opened.createTable(tableOf('f'), keys(regions))
  return opened
}

describe('a table of thousands of regions', () => {
  it('is created and dropped while others have their turn', async () => {
    opened = await StoreUnderTest.open()
    const { catalog } = opened.store
    const turnMs = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
      await opened.createTable(tableOf('f'), keys(REGIONS))
      await catalog.disableTable(TABLE, OWN_CALL)
      await catalog.truncateTable(TABLE, true, OWN_CALL)
      await catalog.disableTable(TABLE, OWN_CALL)
      await catalog.deleteTable(TABLE, OWN_CALL)
    })
    expect(turnMs).toBeLessThan(TURN_MS_MAX)
  }, 60_000)

  it('is altered, disabled, enabled, flushed and compacted while others have their turn', async () => {
    const { store } = await withRegions(REGIONS)
    const { catalog, upkeep } = store
    const turnMs = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
      await catalog.disableTable(TABLE, OWN_CALL)
      await catalog.enableTable(TABLE, OWN_CALL)
      await catalog.modifyTable(tableOf('f', 'g'), OWN_CALL)
      await catalog.modifyTable(tableOf('f'), OWN_CALL)
      await opened.flush()
      await upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    })
    expect(turnMs).toBeLessThan(TURN_MS_MAX)
  }, 60_000)

  it('is in snapshots, and made of them, while others have their turn', async () => {
    const { store } = await withRegions(REGIONS)
    const { catalog, upkeep } = store
    await opened.put(keys(REGIONS).filter((_, index) => index % FILLED_EVERY === 0))
    const turnMs = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
      await upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
      await upkeep.snapshots!.cloneSnapshot('s', CLONE, OWN_CALL)
      await catalog.disableTable(TABLE, OWN_CALL)
      await upkeep.snapshots!.restoreSnapshot('s', OWN_CALL)
      await catalog.enableTable(TABLE, OWN_CALL)
      await catalog.disableTable(CLONE, OWN_CALL)
      await catalog.deleteTable(CLONE, OWN_CALL)
      await upkeep.snapshots!.deleteSnapshot('s', OWN_CALL)
    })
    expect(turnMs).toBeLessThan(TURN_MS_MAX)
    expect(await opened.rows()).toHaveLength(REGIONS / FILLED_EVERY)
  }, 60_000)

  it('is flushed by one edit of the manifest for many of its regions', async () => {
    await withRegions(64)
    await opened.put(['a', ...keys(64)])
    const { fileSystem } = opened
    const before = fileSystem.syncs
    await opened.flush()
    // One of each store file; an edit for each region would make two more.
    expect(fileSystem.syncs - before).toBeLessThan(64 + 16)
    opened = await opened.killed()
    expect(await opened.rows()).toHaveLength(64)
  })

  it('loses the files of a family that goes, each once', async () => {
    await withRegions(50)
    await opened.store.catalog.modifyTable(tableOf('f', 'g'), OWN_CALL)
    await opened.put(['a', ...keys(50)], { family: 'g' })
    await opened.flush()
    let removals = 0
    const { fileSystem } = opened
    const removeLarge = fileSystem.removeLarge.bind(fileSystem)
    fileSystem.removeLarge = (path) => {
      if (path.startsWith('/s/data')) removals++
      return removeLarge(path)
    }
    await opened.store.catalog.modifyTable(tableOf('f'), OWN_CALL)
    await opened.store.close()
    expect(removals).toBe(50)
    opened = await opened.killed()
  })
})

it('a memstore without cells has no memory of its own', () => {
  const pool = new ChunkPool()
  const before = process.memoryUsage().arrayBuffers
  const memstores = Array.from({ length: 10_000 }, () => new Memstore(pool))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
  expect(memstores[0]!.cellCount).toBe(0)
})

function region(number: number, files = number % 100): RegionRecord {
  const file = { number, family: Buffer.from('f'), maxSequenceId: 7 }
  return {
    number,
    regionId: 1,
    startKey: Buffer.from(`k${number}`),
    endKey: Buffer.alloc(0),
    flushedSequenceId: 0,
    files: Array.from({ length: files }, () => file),
  }
}

it.each([
  ['thousands of regions', Array.from({ length: 2000 }, (_, index) => region(index))],
  ['a region of thousands of files', [region(1, 5000)]],
  ['regions of dozens of files', Array.from({ length: 50 }, (_, index) => region(index, 60))],
])('an edit with %s is encoded in steps, to what the decoder reads', (_, regions) => {
  const table = { name: 't', attributes: [['A', 'B']], state: 'ENABLED', families: [], regions } as const
  const edit: ManifestEdit = { kind: 'table', table, lastSequenceId: 5 }
  const steps = encodeEdit(edit)
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count++
  expect(count).toBeGreaterThan(5)
  expect(decodeEdit(Buffer.concat(step.value))).toEqual(edit)
})

it('a small edit is encoded at once', () => {
  const edit: ManifestEdit = { kind: 'flushes', regions: [] }
  const step = encodeEdit(edit).next()
  expect(step.done).toBe(true)
  expect(decodeEdit(Buffer.concat(atOnce(encodeEdit(edit))))).toEqual(edit)
})

function wish(store: FamilyStore, isMajor: boolean): CompactionWish {
  return { store, isMajor, isByUser: true } as CompactionWish
}

it('compactions that wait are taken by their number of files, and each is looked at a few times', () => {
  let looks = 0
  const storeOf = (files: number): FamilyStore =>
    ({
      get fileCount() {
        looks++
        return files
      },
    }) as FamilyStore
  const waiting = new WaitingCompactions()
  const stores = Array.from({ length: 20_000 }, (_, index) => storeOf(index % 10))
  for (const store of stores) expect(waiting.add(wish(store, false))).toBe(true)
  expect(waiting.add(wish(stores[0]!, false))).toBe(false)
  expect(waiting.add(wish(stores[0]!, true))).toBe(true)
  expect(waiting.add(wish(stores[0]!, false))).toBe(false)
  let taken = 0
  for (const next of waiting) {
    if (taken++ < 2000) expect(stores.indexOf(next.store) % 10).toBe(9)
    waiting.delete(next)
  }
  expect([taken, waiting.size]).toEqual([20_001, 0])
  expect(looks).toBeLessThan(60_000)
})
