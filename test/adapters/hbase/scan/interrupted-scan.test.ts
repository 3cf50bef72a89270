import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScanRequest } from '../../../../adapters/hbase/messages/scan-method.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { resultTexts } from '../../../store/suite/store-under-test.ts'
import { FakeCluster } from '../fake-cluster.ts'
import { remote } from '../remote.ts'
import { ALL, cellsOfRows, expected, opened, outline, results } from './scanned-cluster.ts'

describe('a scan that is cut off', () => {
  const sizes = { a: 3, b: 3, c: 3, d: 3, e: 3, f: 3 }
  test.each([
    ['moved', (fake: FakeCluster) => fake.move(0)],
    ['split behind where it is', (fake: FakeCluster) => fake.split('b')],
    ['split at the row in which it is', (fake: FakeCluster) => fake.split('c')],
    ['split before where it is', (fake: FakeCluster) => fake.split('e')],
    ['merged with the next', (fake: FakeCluster) => fake.merge('a')],
  ])('within a row goes on when its region is %s', async (_, change) => {
    for (const reversed of [false, true]) {
      for (const batch of [-1, 1, 2]) {
        for (let at = 2; at < 10; at++) {
          const fake = new FakeCluster()
          fake.layOut(['f'], cellsOfRows(sizes))
          fake.cellsOfAnswer = () => 2
          let calls = 0
          fake.before = () => {
            if (++calls === at) change(fake)
          }
          expect(await results(fake, { batch, reversed })).toEqual(expected(sizes, { batch, reversed }))
        }
      }
    }
  })

  test('is taken up on the server that has the region now, without a pause where a scanner was lost', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 1, b: 1, c: 1 }))
    fake.cellsOfAnswer = () => 1
    const scanner = await fake.passing(opened(fake, {}))
    fake.forgetScanners()
    expect(resultTexts((await fake.passing(scanner.next(ALL, OWN_CALL))).results).map(outline)).toEqual([
      'a0-0',
    ])
    const before = fake.time.now()
    expect(resultTexts((await fake.passing(scanner.next(ALL, OWN_CALL))).results).map(outline)).toEqual([
      'b0-0',
    ])
    expect(fake.time.now()).toBe(before)
  })

  test('reads the rest of a row of which parts were handed on as it was when they were read', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 5 }))
    fake.cellsOfAnswer = () => 3
    const scanner = await fake.passing(opened(fake, { batch: 2 }))
    fake.forgetScanners()
    const texts: string[] = []
    for (let more = true; more; ) {
      const batch = await fake.passing(scanner.next(ALL, OWN_CALL))
      texts.push(...resultTexts(batch.results).map(outline))
      more = batch.ended !== 'scan'
    }
    expect(texts).toEqual(['a0-1', 'a2-3', 'a4-4'])
    const openings = fake.requests.filter((request) => (request as ScanRequest).kind === 'open')
    expect(openings).toMatchObject([{ part: { readPoint: 0n } }, { part: { readPoint: 5n } }])
  })

  test('does not report a failure that no caller has waited for', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 1, b: 1, c: 1, d: 1 }))
    fake.cellsOfAnswer = () => 1
    const scanner = await fake.passing(opened(fake, {}))
    const next = async (): Promise<string[]> =>
      resultTexts((await fake.passing(scanner.next(ALL, OWN_CALL))).results).map(outline)
    expect(await next()).toEqual(['a0-0'])
    // The next row has been fetched ahead; what is fetched behind it fails for good, long before it is asked for.
    fake.before = () => {
      throw new RpcError('CALL_TIMEOUT', 'late')
    }
    expect(await next()).toEqual(['b0-0'])
    await fake.time.advance(120_000)
    fake.before = () => undefined
    expect([await next(), await next()]).toEqual([['c0-0'], ['d0-0']])
    await scanner.close()
  })

  test('ends with the last failure when there is no time left', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 1 }))
    fake.before = () => {
      throw remote('exceptions.ScannerResetException', 'Scanner is closed on the server-side')
    }
    // The server lost its scanner, the caller's scanner lives: it may ask again.
    await expect(fake.passing(opened(fake, {}))).rejects.toMatchObject({ code: 'IO' })
    fake.before = () => {
      throw new RpcError('CALL_TIMEOUT', 'late', { sent: true })
    }
    await expect(fake.passing(opened(fake, {}))).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  test('ends at once where nothing can help', async () => {
    const fake = new FakeCluster()
    fake.layOut([], [])
    fake.before = () => {
      throw remote('regionserver.NoSuchColumnFamilyException', 'Column family x does not exist')
    }
    const failure = { code: 'NO_SUCH_COLUMN_FAMILY', message: 'Column family x does not exist' }
    await expect(fake.passing(opened(fake, {}))).rejects.toMatchObject(failure)
    fake.meta.states.set('t', 'DISABLED')
    fake.before = () => {
      throw remote('NotServingRegionException')
    }
    await expect(fake.passing(opened(fake, {}))).rejects.toMatchObject({ code: 'TABLE_NOT_ENABLED' })
    fake.meta.regions = []
    await expect(fake.passing(opened(fake, {}))).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
  })

  test('loses no row and repeats none, in any course of events', async () => {
    const keys = ['a', 'aa', 'b', 'c', 'd', 'e', 'f', 'g']
    const someSizes = fc.record(Object.fromEntries(keys.map((key) => [key, fc.nat(12)])))
    const someKey = fc.constantFrom(...keys)
    const someScan = fc.record({
      startRow: fc.oneof(fc.constant(''), someKey).map((key) => Buffer.from(key)),
      stopRow: fc.oneof(fc.constant(''), someKey).map((key) => Buffer.from(key)),
      includeStartRow: fc.boolean(),
      includeStopRow: fc.boolean(),
      reversed: fc.boolean(),
      batch: fc.constantFrom(-1, 1, 2, 5),
      limit: fc.constantFrom(-1, 1, 3),
    })
    const someLimits = fc.record({
      rows: fc.constantFrom(1, 3, 1_000),
      bytes: fc.constantFrom(1, 100, 1_000_000),
      allowPartial: fc.constant(false),
    })
    const mishaps = [
      'none',
      'none',
      'move',
      'split',
      'merge',
      'outage',
      'forget',
      'reset',
      'closed',
      'lost answer',
      'order',
    ] as const
    const someMishaps = fc.array(fc.tuple(fc.constantFrom(...mishaps), fc.nat(7)), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        someSizes,
        fc.uniqueArray(someKey, { maxLength: 4 }),
        someScan,
        someLimits,
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        someMishaps,
        async (sizes, splits, options, limits, cellCounts, events) => {
          const fake = new FakeCluster()
          fake.layOut(splits.sort(), cellsOfRows(sizes))
          fake.cellsOfAnswer = () => cellCounts.next().value
          const left = [...events]
          let lost = false
          let awayUntil = 0
          fake.before = (_, request) => {
            if ((request as { kind: string }).kind === 'close') return
            if (fake.time.now() < awayUntil) throw new RpcError('CONNECT_FAILED', 'refused')
            const [mishap, where] = left.shift() ?? ['none', 0]
            lost = mishap === 'lost answer'
            if (mishap === 'move') fake.move(where)
            else if (mishap === 'split') fake.split(keys[where]!)
            else if (mishap === 'merge') fake.merge(keys[where]!)
            else if (mishap === 'outage') awayUntil = fake.time.now() + 100_000
            else if (mishap === 'forget') fake.forgetScanners()
            else if (mishap === 'reset') throw remote('exceptions.ScannerResetException')
            else if (mishap === 'order') throw remote('exceptions.OutOfOrderScannerNextException')
            else if (mishap === 'closed') throw new RpcError('CONNECTION_CLOSED', 'reset')
          }
          fake.after = () => {
            if (lost) throw new RpcError('CALL_TIMEOUT', 'late', { sent: true })
          }
          expect(await results(fake, options, limits)).toEqual(expected(sizes, options))
        },
      ),
      { numRuns: testRuns(300) },
    )
  })
})
