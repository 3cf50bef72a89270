import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import type { CellParts } from '../../../../src/model/cell.ts'
import { type Get, get, scan } from '../../../../src/model/query.ts'
import { gathered, type Results } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionRef, Target } from '../../../../src/store/target.ts'
import { bytes, failure, NO_GET_LIMITS, resultTexts } from '../../../store/suite/store-under-test.ts'
import { SERVER_A, SERVER_B } from '../cluster/fake-meta.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import type { FakeRegion } from '../fake-region.ts'
import { remote } from '../remote.ts'
import { settled } from '../retry/manual-time.ts'
import { puts, start } from '../store-on-fake-cluster.ts'

const READ_ALL = { rows: 100, bytes: 1_000_000, allowPartial: false }

let fake: FakeCluster
let store: HBaseStore
let copy: FakeRegion

/** The first region, up to g, is on a; its copy, of older cells, on b. */
beforeEach(async () => {
  ;({ fake, store } = start())
  copy = fake.addCopy(0, SERVER_B, [cell('a'), cell('b')])
  await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'c', 'h'), OWN_CALL))
  fake.calls.length = 0
})

function cell(row: string): CellParts {
  const [family, qualifier, value] = [bytes('f'), bytes('q'), bytes('old')]
  return { row: bytes(row), family, qualifier, timestamp: 5n, type: 4, value }
}

async function firstCopy(replica: number): Promise<RegionRef> {
  const [region] = await fake.passing(store.catalog.regions(TABLE, OWN_CALL))
  return { table: TABLE, encodedName: region!.encodedName, replica }
}

function read(target: Target, ...gets: Get[]): Promise<Results> {
  return fake.passing(store.rows.get(target, gets, NO_GET_LIMITS, OWN_CALL))
}

async function scanned(target: Target, replica?: number): Promise<string[]> {
  const { id } = await fake.passing(store.rows.openScanner(target, scan({ replica }), OWN_CALL))
  const texts: string[] = []
  for (let ended = false; !ended; ) {
    const batch = await fake.passing(store.handouts.next(id, READ_ALL, OWN_CALL))
    texts.push(...resultTexts(gathered(batch.results)))
    ended = batch.ended === 'scan'
  }
  return texts
}

describe('reads of a copy of a region', () => {
  test('are answered by the server of the copy, which may have less than the region', async () => {
    const ref = await firstCopy(1)
    fake.calls.length = 0
    expect(resultTexts(await read(ref, get(bytes('a'))))).toEqual(['a/f:q@5=old'])
    expect(resultTexts(await read(ref, get(bytes('b')), get(bytes('c'))))).toEqual(['b/f:q@5=old', ''])
    expect(await scanned(ref)).toEqual(['a/f:q@5=old', 'b/f:q@5=old'])
    expect(new Set(fake.calls)).toEqual(new Set(['Get b', 'Multi b', 'Scan b']))
  })

  test('follow a copy that moves', async () => {
    const ref = await firstCopy(1)
    fake.moveCopy(copy, SERVER_A)
    fake.calls.length = 0
    expect(resultTexts(await read(ref, get(bytes('a'))))).toEqual(['a/f:q@5=old'])
    expect(fake.calls).toEqual(['Get b', 'Get a'])
  })

  test('fail at once where hbase:meta says that the copy is closed', async () => {
    const ref = await firstCopy(1)
    copy.isClosed = true
    fake.moveCopy(copy, SERVER_B)
    fake.calls.length = 0
    expect(await failure(read(ref, get(bytes('a'))))).toMatch(/^NOT_SERVING_REGION/)
    expect(fake.calls).toEqual(['Get b'])
    const [region] = await fake.passing(store.catalog.regions(TABLE, OWN_CALL))
    expect(region!.closedReplicas).toEqual([1])
    expect(resultTexts(await read(TABLE, get(bytes('a'))))).toEqual(['a/f:q@5=a'])
  })

  test('fail where there is no such copy, and touch no other', async () => {
    const ref = await firstCopy(2)
    fake.calls.length = 0
    expect(await failure(read(ref, get(bytes('a'))))).toMatch(/^NOT_SERVING_REGION/)
    expect(await failure(read(ref, get(bytes('a')), get(bytes('b'))))).toMatch(/^NOT_SERVING_REGION/)
    expect(await failure(scanned(ref))).toMatch(/^NOT_SERVING_REGION/)
    expect(fake.calls).toEqual([])
  })
})

describe('the regions of a table', () => {
  test('name their copies and the servers of these', async () => {
    const regions = await fake.passing(store.catalog.regions(TABLE, OWN_CALL))
    expect(regions.map(({ copies }) => copies?.map(({ replica, server }) => [replica, server]))).toEqual([
      [[1, SERVER_B]],
      undefined,
      undefined,
    ])
  })
})

describe('reads of the copies of a table', () => {
  test('are answered by the copies of all regions', async () => {
    fake.addCopy(1, SERVER_A, [cell('h')])
    fake.addCopy(2, SERVER_A, [cell('x')])
    expect(await scanned(TABLE, 1)).toEqual(['a', 'b', 'h', 'x'].map((row) => `${row}/f:q@5=old`))
    const rows = ['x', 'a', 'h']
    const results = await read(TABLE, ...rows.map((row) => get(bytes(row), { replica: 1 })))
    expect(resultTexts(results)).toEqual(rows.map((row) => `${row}/f:q@5=old`))
    expect(results.stale).toEqual([true, true, true])
  })

  test('fail at a region without such a copy', async () => {
    expect(await failure(scanned(TABLE, 1))).toMatch(/^NOT_SERVING_REGION/)
    expect(await failure(read(TABLE, get(bytes('h'), { replica: 1 })))).toMatch(/^NOT_SERVING_REGION/)
  })

  test('may be of another copy for each get', async () => {
    const asked = [1, undefined, 0, 'any', 1] as const
    const results = await read(TABLE, ...asked.map((replica) => get(bytes('a'), { replica })))
    const [old, fresh] = ['a/f:q@5=old', 'a/f:q@5=a']
    expect(resultTexts(results)).toEqual([old, fresh, fresh, fresh, old])
    expect(results.stale).toEqual([true, false, false, false, true])
  })
})

describe('a get that may be stale', () => {
  const anyCopy = get(bytes('a'), { replica: 'any' })

  test('is of the region, where that answers soon', async () => {
    const results = await read(TABLE, anyCopy)
    expect(resultTexts(results)).toEqual(['a/f:q@5=a'])
    expect(results.stale).toEqual([false])
    expect(fake.calls).toEqual(['Multi a'])
  })

  test('is of the copy, where the region fails', async () => {
    fake.before = () => {
      if (fake.calls.at(-1)?.endsWith(' a')) throw remote('RegionTooBusyException')
    }
    const results = await read(TABLE, anyCopy)
    expect(resultTexts(results)).toEqual(['a/f:q@5=old'])
    expect(results.stale).toEqual([true])
    // The region is not asked again.
    await settled()
    expect(fake.time.timers).toBe(0)
  })

  test('fails as the region does, where its copies fail too', async () => {
    fake.refusedRows.add('a')
    expect(await failure(read(TABLE, anyCopy))).toMatch(/^NO_SUCH_COLUMN_FAMILY/)
    expect(new Set(fake.calls)).toEqual(new Set(['Multi a', 'Multi b']))
  })
})
