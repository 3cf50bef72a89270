/** The properties of a batch beside its results: how it ended, which results are parts, the position of the scan. */

import { describe, expect, test } from 'vitest'
import type { HBaseScanner } from '../../../../adapters/hbase/scan/hbase-scanner.ts'
import type { Scan } from '../../../../src/model/query.ts'
import type { ScanBatch } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { resultTexts } from '../../../store/suite/store-under-test.ts'
import { FakeCluster } from '../fake-cluster.ts'
import { settled } from '../retry/manual-time.ts'
import { ALL, cellsOfRows, opened, outline } from './scanned-cluster.ts'

const SIZES = { a: 3, b: 1, m: 2, n: 5, z: 1 }

function cluster(sizes: Readonly<Record<string, number>> = SIZES, ...splits: string[]): FakeCluster {
  const fake = new FakeCluster()
  fake.layOut(splits, cellsOfRows(sizes))
  return fake
}

/** Results, with a `+` behind those whose row goes on; how it ended, the cells that were seen, where it stands. */
function textOf({ results, partial, ended, cellsSeen, position }: ScanBatch): string {
  const texts = resultTexts(results).map((text, i) => `${outline(text)}${partial?.[i] === true ? '+' : ''}`)
  return [...texts, ended, cellsSeen, position?.toString() ?? '?'].join(' ')
}

async function batches(
  fake: FakeCluster,
  options: Partial<Scan>,
  limits: Partial<ScanLimits> = {},
): Promise<string[]> {
  const scanner = await fake.passing(opened(fake, options))
  const texts: string[] = []
  for (;;) {
    const batch = await fake.passing(scanner.next({ ...ALL, ...limits }, OWN_CALL))
    texts.push(textOf(batch))
    if (batch.ended === 'scan') return texts
  }
}

/** The text of the next batch once its time has passed. */
async function nextWithin(fake: FakeCluster, scanner: HBaseScanner, timeMs: number): Promise<string> {
  const batch = scanner.next({ ...ALL, timeMs }, OWN_CALL)
  await settled()
  await fake.time.advance(timeMs)
  return textOf(await batch)
}

const SMALL = { bytes: 100, allowPartial: true }

test('each cell of a small batch counts as its caller says', async () => {
  expect(await batches(cluster({ a: 5 }), {}, SMALL)).toHaveLength(2)
  expect(await batches(cluster({ a: 5 }), {}, { ...SMALL, cellBytes: 100 })).toHaveLength(5)
  const whole = { rows: 9, bytes: 10_000, cellBytes: 5000, allowPartial: true }
  expect(await batches(cluster({ a: 1, b: 1, c: 1 }), {}, whole)).toHaveLength(2)
})

test('a filter that decides about whole rows has no parts of them', async () => {
  const filter = { kind: 'PageFilter', pageSize: 9n } as const
  const found = await batches(cluster({ a: 5, b: 2 }), { filter }, { ...SMALL, bytes: 1 })
  expect(found).toEqual([expect.stringMatching(/^a0-4 batch/), expect.stringMatching(/^b0-1 scan/)])
})

describe('a batch ends', () => {
  test('with the scan', async () => {
    expect(await batches(cluster(), {})).toEqual(['a0-2 b0-0 m0-1 n0-4 z0-0 scan 12 z'])
  })

  test('with each region', async () => {
    expect(await batches(cluster(SIZES, 'm', 'x'), {})).toEqual([
      'a0-2 b0-0 region 4 b',
      'm0-1 n0-4 region 7 n',
      'z0-0 scan 1 z',
    ])
    expect(await batches(cluster(SIZES, 'm', 'x'), { reversed: true, stopRow: Buffer.from('a') })).toEqual([
      'z0-0 region 1 z',
      'n0-4 m0-1 region 7 m',
      'b0-0 scan 1 b',
    ])
  })

  test('but passes over a region that has nothing', async () => {
    expect(await batches(cluster(SIZES, 'c', 'd', 'm'), {})).toEqual([
      'a0-2 b0-0 region 4 b',
      'm0-1 n0-4 z0-0 scan 8 z',
    ])
    expect(await batches(cluster({}, 'c'), {})).toEqual(['scan 0 ?'])
  })

  test('where the caller has what it wants: the position of the scan comes with the last results', async () => {
    expect(await batches(cluster(SIZES, 'm'), {}, { rows: 2 })).toEqual([
      'a0-2 b0-0 region 4 b',
      'm0-1 n0-4 batch 7 ?',
      'z0-0 scan 1 z',
    ])
  })
})

describe('results', () => {
  test('of parts of rows say which rows go on', async () => {
    expect(await batches(cluster(), { batch: 2 })).toEqual([
      'a0-1+ a2-2 b0-0 m0-1 n0-1+ n2-3+ n4-4 z0-0 scan 12 z',
    ])
    expect(await batches(cluster({ a: 2, b: 1 }), { batch: 2 })).toEqual(['a0-1 b0-0 scan 3 b'])
    expect(await batches(cluster(), { batch: 2 }, { rows: 3 })).toEqual([
      'a0-1+ a2-2 b0-0 batch 4 ?',
      'm0-1 n0-1+ n2-3+ batch 6 ?',
      'n4-4 z0-0 scan 2 z',
    ])
  })

  test('whose row goes on in the next answer say so, as far as is known', async () => {
    const fake = cluster({ n: 5, z: 1 })
    fake.cellsOfAnswer = () => 3
    // Where only a part of a row is here the scan stands in it.
    expect(await batches(fake, { batch: 2 })).toEqual([
      'n0-1+ batch 2 n',
      'n2-3+ n4-4 batch 3 z',
      'z0-0 scan 1 z',
    ])
    fake.cellsOfAnswer = () => 5
    // Only the next answer shows that the row had no more cells.
    expect(await batches(fake, {}, { allowPartial: true })).toEqual(['n0-4+ batch 5 n', 'z0-0 scan 1 z'])
  })

  test('that are cut where the bytes are reached say so too', async () => {
    const limits = { bytes: 60, allowPartial: true }
    const texts = await batches(cluster({ a: 5, b: 1 }), {}, limits)
    expect(texts).toEqual(['a0-1+ batch 2 ?', 'a2-3+ batch 2 ?', 'a4-4 b0-0 scan 2 b'])
    expect(await batches(cluster({ a: 5, b: 1 }), { batch: 3 }, limits)).toEqual([
      'a0-1+ batch 2 ?',
      'a2-3+ batch 2 ?',
      'a4-4 b0-0 scan 2 b',
    ])
  })
})

describe('a read point', () => {
  test('is returned and kept only for the scan of one region', async () => {
    expect((await cluster().passing(opened(cluster(), {}))).readPoint).toBe(5n)
    const fake = cluster(SIZES, 'm')
    expect((await fake.passing(opened(fake, {}))).readPoint).toBe(0n)
    const within = { startRow: Buffer.from('n'), readPoint: 4n }
    expect((await fake.passing(opened(fake, within))).readPoint).toBe(5n)
    await fake.passing(opened(fake, { readPoint: 4n }))
    const asked = fake.requests.map((request) => (request as { part: { readPoint: bigint } }).part.readPoint)
    expect(asked).toEqual([0n, 4n, 0n])
  })
})

describe('a batch of limited time', () => {
  test('ends with nothing while the server is at work, and the next has what was found meanwhile', async () => {
    const fake = cluster({ a: 1, b: 1, c: 1 })
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    expect(textOf(await fake.passing(scanner.next(ALL, OWN_CALL)))).toBe('a0-0 batch 1 a')
    const open = fake.hold()
    expect(await nextWithin(fake, scanner, 50)).toBe('batch 0 a')
    expect(await nextWithin(fake, scanner, 50)).toBe('batch 0 a')
    open()
    expect(await nextWithin(fake, scanner, 50)).toBe('b0-0 batch 1 b')
    expect(textOf(await fake.passing(scanner.next(ALL, OWN_CALL)))).toBe('c0-0 scan 1 c')
    await scanner.close()
    expect(fake.time.timers).toBe(0)
  })

  test('stands where the server says that it has looked', async () => {
    const fake = cluster({ a: 1, b: 1, c: 1 })
    const budgets = [9, 0]
    fake.cellsOfAnswer = () => budgets.shift() ?? 9
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    expect(textOf(await fake.passing(scanner.next(ALL, OWN_CALL)))).toBe('a0-0 batch 1 a')
    // The answer to the first look has nothing; the next one is still to come when the time is over.
    fake.after = () => void fake.hold()
    expect(await nextWithin(fake, scanner, 50)).toBe('batch 0 b')
    await scanner.close()
  })

  test('has what is here even where there is no time at all', async () => {
    const fake = cluster({ a: 1, b: 1 })
    const scanner = await fake.passing(opened(fake, {}))
    expect(textOf(await scanner.next({ ...ALL, timeMs: 0 }, OWN_CALL))).toBe('a0-0 b0-0 scan 2 b')
  })
})
