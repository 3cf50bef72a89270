import { describe, expect, test } from 'vitest'
import { ALL_VERSIONS } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { columns, flushTable, type Session } from './store-under-test.ts'
import { columnDelete } from './tombstones.ts'

const DAY = 86_400_000
const ALL = { maxVersions: ALL_VERSIONS }

function between(min: bigint, max: bigint): { timeRange: TimeRange } {
  return { timeRange: TimeRange.between(min, max) }
}

async function putDaysAgo(session: Session, column: string, ...days: number[]): Promise<void> {
  for (const day of days) {
    await session.put('r', column, `${day} days`, BigInt(session.clock.time - day * DAY))
  }
}

function valuesOf(cells: string[]): string[] {
  return cells.map((cell) => cell.slice(cell.indexOf('=') + 1))
}

/** The number of versions, time ranges, and times to live. */
export function describeVersions(start: () => Promise<Session>): void {
  describe('versions', () => {
    test('the newest one, unless more are asked for, and never more than the family keeps', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '3' })
      await session.putVersions('r', 'f:q', 40n, 10n, 30n, 20n)
      await session.settle()
      expect(await session.get('r')).toEqual(['r/f:q@40=40'])
      expect(await session.get('r', { maxVersions: 2 })).toEqual(['r/f:q@40=40', 'r/f:q@30=30'])
      expect(await session.get('r', ALL)).toEqual(['r/f:q@40=40', 'r/f:q@30=30', 'r/f:q@20=20'])
      expect(await session.get('r', { ...ALL, ...columns('f:q') })).toHaveLength(3)
      expect(await session.scan(ALL)).toEqual(['r/f:q@40=40 r/f:q@30=30 r/f:q@20=20'])
    })

    test('two puts at one time are one version, that of the second', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '3' })
      await session.put('r', 'f:q', 'first', 10n)
      await session.put('r', 'f:q', 'second', 10n)
      await session.put('r', 'f:q', 'older', 9n)
      await session.settle()
      expect(await session.get('r', ALL)).toEqual(['r/f:q@10=second', 'r/f:q@9=older'])
    })

    test('a version overwritten after a flush is one version too', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '3' })
      await session.put('r', 'f:q', 'first', 10n)
      await flushTable(session.store, session.table)
      await session.put('r', 'f:q', 'second', 10n)
      await session.settle()
      expect(await session.get('r', ALL)).toEqual(['r/f:q@10=second'])
      expect(await session.get('r', { ...ALL, ...columns('f:q') })).toEqual(['r/f:q@10=second'])
    })

    test('each column has its own', async () => {
      const session = await start()
      await session.create(['f', 'g'], { VERSIONS: '2' })
      for (const column of ['f:a', 'f:b', 'g:a']) await session.putVersions('r', column, 1n, 2n, 3n)
      await session.settle()
      expect(await session.get('r', ALL)).toEqual([
        'r/f:a@3=3',
        'r/f:a@2=2',
        'r/f:b@3=3',
        'r/f:b@2=2',
        'r/g:a@3=3',
        'r/g:a@2=2',
      ])
    })
  })

  describe('time ranges', () => {
    test('the start counts, the end does not', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      await session.putVersions('r', 'f:q', 1000n, 2000n, 3000n, 4000n)
      await session.settle()
      const delta = { ...ALL, ...between(2000n, 4000n) }
      expect(await session.get('r', delta)).toEqual(['r/f:q@3000=3000', 'r/f:q@2000=2000'])
      expect(await session.scan(delta)).toEqual(['r/f:q@3000=3000 r/f:q@2000=2000'])
      expect(await session.get('r', between(2000n, 4000n))).toEqual(['r/f:q@3000=3000'])
      expect(await session.get('r', { ...columns('f:q'), ...between(0n, 1000n) })).toEqual([])
      expect(await session.get('r', between(4001n, LATEST_TIMESTAMP))).toEqual([])
    })

    test('versions outside of the range do not count', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '2' })
      await session.putVersions('r', 'f:q', 10n, 20n)
      await session.put('r', 'f:p', 'p', 15n)
      await session.settle()
      expect(await session.get('r', between(0n, 20n))).toEqual(['r/f:p@15=p', 'r/f:q@10=10'])
    })

    test('an end of Long.MAX_VALUE is exclusive as well, unless the range is all time', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      await session.putVersions('r', 'f:q', 5n, LATEST_TIMESTAMP - 1n)
      await session.settle()
      expect(await session.get('r', { ...ALL, ...between(5n, LATEST_TIMESTAMP) })).toHaveLength(2)
      expect(await session.get('r', { ...ALL, ...between(5n, LATEST_TIMESTAMP - 1n) })).toEqual(['r/f:q@5=5'])
      expect(await session.get('r', { ...ALL, ...between(0n, LATEST_TIMESTAMP) })).toHaveLength(2)
    })

    test('a range of a single family replaces that of the query', async () => {
      const session = await start()
      await session.create(['f', 'g'], { VERSIONS: '10' })
      await session.putVersions('r', 'f:q', 1n, 5n)
      await session.putVersions('r', 'g:q', 1n, 5n)
      await session.settle()
      const familyTimeRanges = new Map([['g', TimeRange.between(5n, 9n)]])
      expect(await session.get('r', { ...ALL, ...between(0n, 2n), familyTimeRanges })).toEqual([
        'r/f:q@1=1',
        'r/g:q@5=5',
      ])
      expect(await session.scan({ ...ALL, ...between(6n, 9n), familyTimeRanges })).toEqual(['r/g:q@5=5'])
    })

    test('time is a dimension of the query: a label shifted to the year 52011', async () => {
      const session = await start()
      await session.create(['m', 't'], { VERSIONS: '100' })
      const values = ['0.98', '1.02', '0.93', '0.87', '1.09']
      for (const [index, value] of values.entries())
        await session.put('e', 't:v', value, BigInt(2009 + index))
      await session.put('e', 'm:label', 'house', 52011n)
      await session.settle()
      const wanted = columns('t:v', 'm:label')
      expect(await session.get('e', { ...ALL, ...wanted, ...between(2012n, 2014n) })).toEqual([
        'e/t:v@2013=1.09',
        'e/t:v@2012=0.87',
      ])
      expect(await session.get('e', { ...ALL, ...wanted, ...between(2012n, LATEST_TIMESTAMP) })).toEqual([
        'e/m:label@52011=house',
        'e/t:v@2013=1.09',
        'e/t:v@2012=0.87',
      ])
    })
  })

  describe('time to live', () => {
    const FAMILY = { VERSIONS: '10', MIN_VERSIONS: '2', TTL: '604800 SECONDS (7 DAYS)' }

    test('what is older than the TTL is gone', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10', TTL: '604800' })
      await putDaysAgo(session, 'f:q', 0, 6, 8)
      await session.settle()
      expect(valuesOf(await session.get('r', ALL))).toEqual(['0 days', '6 days'])
      session.clock.time += 2 * DAY
      expect(valuesOf(await session.get('r', ALL))).toEqual(['0 days'])
      session.clock.time += 5 * DAY
      expect(await session.get('r', ALL)).toHaveLength(1)
      session.clock.time += 1
      expect(await session.scan(ALL)).toEqual([])
    })

    test('MIN_VERSIONS outlive it: the newest two of four expired', async () => {
      const session = await start()
      await session.create(['f'], FAMILY)
      await putDaysAgo(session, 'f:q', 8, 9, 10, 11)
      await session.settle()
      expect(valuesOf(await session.get('r', ALL))).toEqual(['8 days', '9 days'])
      expect(valuesOf(await session.get('r', { ...ALL, ...columns('f:q') }))).toEqual(['8 days', '9 days'])
    })

    test('MIN_VERSIONS counts fresh cells: one fresh and one expired', async () => {
      const session = await start()
      await session.create(['f'], FAMILY)
      await putDaysAgo(session, 'f:q', 0, 8, 9, 10)
      await session.settle()
      expect(valuesOf(await session.get('r', ALL))).toEqual(['0 days', '8 days'])
      expect(valuesOf(await session.get('r', { ...ALL, ...columns('f:q') }))).toEqual(['0 days', '8 days'])
    })

    test('more fresh cells than MIN_VERSIONS: no expired one in a read of all columns', async () => {
      const session = await start()
      await session.create(['f'], FAMILY)
      await putDaysAgo(session, 'f:q', 0, 1, 2, 8, 9)
      await session.settle()
      expect(valuesOf(await session.get('r', ALL))).toEqual(['0 days', '1 days', '2 days'])
    })

    test('a cell has a TTL of its own, in milliseconds after its timestamp', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const now = BigInt(session.clock.time)
      await session.put('r', 'f:q', 'short', now, 10)
      await session.put('r', 'f:q', 'long', now - 1n)
      await session.settle()
      expect(await session.get('r')).toEqual([`r/f:q@${now}=short`])
      session.clock.time += 10
      expect(await session.get('r', columns('f:q'))).toEqual([`r/f:q@${now}=short`])
      session.clock.time += 1
      expect(await session.get('r')).toEqual([`r/f:q@${now - 1n}=long`])
      expect(await session.get('r', columns('f:q'))).toEqual([`r/f:q@${now - 1n}=long`])
    })

    test('the sum of time and TTL wraps around: far in the future is long ago', async () => {
      const session = await start()
      await session.create()
      await session.put('r', 'f:q', 'v', LATEST_TIMESTAMP - 5n, 1000)
      await session.settle()
      expect(await session.get('r')).toEqual([])
    })
  })
}

/** HBase's behaviour until a flush drops the cells that no read finds. */
export function describeVersionsInMemory(start: () => Promise<Session>): void {
  test('a read of named columns finds the first expired version beyond MIN_VERSIONS', async () => {
    const session = await start()
    await session.create(['f'], { VERSIONS: '10', MIN_VERSIONS: '1', TTL: '86400' })
    const now = session.clock.time
    for (const age of [0, 1000, 2 * DAY, 3 * DAY]) await session.put('r', 'f:q', '', BigInt(now - age))
    expect(await session.get('r', ALL)).toEqual([`r/f:q@${now}=`, `r/f:q@${now - 1000}=`])
    expect(await session.get('r', { ...ALL, ...columns('f:q') })).toEqual([
      `r/f:q@${now}=`,
      `r/f:q@${now - 1000}=`,
      `r/f:q@${now - 2 * DAY}=`,
    ])
  })

  test('what a cell that has outlived its own TTL had overwritten is there again', async () => {
    const session = await start()
    await session.create()
    await session.put('r', 'f:q', 'five', 5n)
    await session.put('r', 'f:q', 'short', 5n, 10)
    expect(await session.get('r')).toEqual(['r/f:q@5=five'])
  })

  test('a raw get finds what a raw scan finds, and names no columns either', async () => {
    const session = await start()
    await session.create(['f'], { VERSIONS: '9' })
    await session.put('r', 'f:q', '1', 10n)
    await session.change(columnDelete(20n))
    await session.put('r', 'f:q', '3', 30n)
    const all = ['r/f:q@30=3', 'r/f:q@20 DeleteColumn', 'r/f:q@10=1']
    expect(await session.get('r', { raw: true, ...ALL })).toEqual(all)
    expect(await session.get('r', { raw: true, ...ALL, ...columns('f') })).toEqual(all)
    expect(await session.get('r', { raw: false, ...ALL })).toEqual(['r/f:q@30=3'])
    await expect(session.get('r', { raw: true, ...columns('f:q') })).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
    })
  })
}
