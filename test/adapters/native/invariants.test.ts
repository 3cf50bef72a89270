import { describe, expect, test } from 'vitest'
import { Catalog } from '../../../adapters/native/manifest/catalog.ts'
import type { RegionRecord, TableRecord } from '../../../adapters/native/manifest/manifest-edit.ts'
import { encodeRecord, MANIFEST_MAGIC } from '../../../adapters/native/manifest/manifest-file.ts'
import { SEQUENCE_ID_MAX } from '../../../adapters/native/memstore/cell-arena.ts'
import { DEFAULT_NATIVE_OPTIONS } from '../../../adapters/native/options/native-options.ts'
import { MemstoreLimits } from '../../../adapters/native/region/memstore-limits.ts'
import { encodeLogHeader, RECORD_CELLS_OFFSET, sealRecord } from '../../../adapters/native/wal/wal-format.ts'
import { assert, InvariantError } from '../../../src/model/assert.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

test('an invariant that does not hold is no answer to a client', () => {
  expect(() => assert(true, 'holds')).not.toThrow()
  expect(() => assert(false, 'broken')).toThrow(InvariantError)
  expect(isHBaseError(new InvariantError('broken'))).toBe(false)
})

/** A store's files with a log whose last record has this sequence id. */
function logUpTo(sequenceId: number): CrashableFileSystem {
  const fileSystem = new CrashableFileSystem()
  const counters = encodeRecord({ kind: 'counters', nextNumber: 1, nextSequenceId: 1 })
  fileSystem.replace('/s/manifest', Buffer.concat([MANIFEST_MAGIC, counters]))
  const record = Buffer.alloc(RECORD_CELLS_OFFSET)
  sealRecord(record, 0, record.length, sequenceId, 99)
  const file = fileSystem.open('/s/wal/0000000001.log', 'create')
  file.append([encodeLogHeader(1), record])
  file.close()
  return fileSystem
}

describe('a store whose sequence ids have run out', () => {
  test('takes no more writes, says so, and is read', async () => {
    const opened = await StoreUnderTest.open({}, logUpTo(SEQUENCE_ID_MAX - 1))
    const { store } = opened
    await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
    await opened.put(['first'])
    expect(await store.outage()).toBeUndefined()
    await expect(opened.put(['second'])).rejects.toBeInstanceOf(InvariantError)
    await expect(opened.put(['third'])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await store.outage()).toContain('the sequence ids have run out')
    expect(await opened.rows()).toEqual(['first=v'])
    await store.close()
  })

  test('drops the writes that no commit has brought out', async () => {
    const opened = await StoreUnderTest.open({}, logUpTo(SEQUENCE_ID_MAX - 1))
    await opened.store.catalog.createTable(tableOf('f'), [], OWN_CALL)
    const outcomes = await Promise.allSettled([opened.put(['first']), opened.put(['second'])])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await opened.rows()).toEqual([])
    const again = await opened.killed()
    expect(await again.rows()).toEqual([])
  })
})

test('memstores cannot let go of more than they hold', () => {
  const flusher = {
    flushSoon: async () => true,
    delaysFlush: () => false,
    largestRegion: () => undefined,
    failures: { errorOf: () => undefined, latestError: undefined },
  }
  const limits = new MemstoreLimits(DEFAULT_NATIVE_OPTIONS, flusher)
  limits.replayed(100)
  limits.flushed(60)
  expect(limits.bytes).toBe(40)
  expect(() => limits.dropped(41)).toThrow(InvariantError)
  expect(() => limits.flushed(-1)).toThrow(InvariantError)
  expect(limits.bytes).toBe(40)
})

function region(number: number, startKey: string, endKey: string, flushedSequenceId = 5): RegionRecord {
  const bounds = { startKey: Buffer.from(startKey), endKey: Buffer.from(endKey) }
  return { number, regionId: 1, ...bounds, flushedSequenceId, files: [] }
}

function tableWith(...regions: RegionRecord[]): TableRecord {
  return { name: TABLE, attributes: [], state: 'ENABLED', families: [], regions }
}

describe('the catalog', () => {
  test.each([
    ['none', []],
    ['a gap', [region(1, '', 'b'), region(2, 'c', '')]],
    ['an overlap', [region(1, '', 'c'), region(2, 'b', '')]],
    ['a first one with a start', [region(1, 'a', '')]],
    ['a last one with an end', [region(1, '', 'b')]],
    ['two without bounds', [region(1, '', ''), region(2, '', '')]],
    ['one that ends before it begins', [region(1, '', 'c'), region(2, 'c', 'b'), region(3, 'b', '')]],
  ])('refuses a table with %s of its regions', (_, regions) => {
    expect(() => new Catalog().check({ kind: 'table', table: tableWith(...regions) })).toThrow(InvariantError)
  })

  test('refuses a flush of a region that is not there, and one older than the last', () => {
    const catalog = new Catalog()
    const table = tableWith(region(1, '', 'm'), region(2, 'm', ''))
    catalog.check({ kind: 'table', table })
    catalog.apply({ kind: 'table', table })
    const flush = (number: number, flushedSequenceId: number): void =>
      catalog.check({ kind: 'flush', region: number, flushedSequenceId, files: [] })
    expect(() => flush(2, 5)).not.toThrow()
    expect(() => flush(2, 4)).toThrow(InvariantError)
    expect(() => flush(3, 9)).toThrow(InvariantError)
  })
})
