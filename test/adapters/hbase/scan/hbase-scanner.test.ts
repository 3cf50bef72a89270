import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScanRequest } from '../../../../adapters/hbase/messages/scan-method.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { HBaseScanner } from '../../../../adapters/hbase/scan/hbase-scanner.ts'
import { ReadAhead } from '../../../../adapters/hbase/scan/read-ahead.ts'
import { ScanSource } from '../../../../adapters/hbase/scan/scan-source.ts'
import { compareBytes } from '../../../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import type { ScanLimits } from '../../../../src/store.ts'
import { resultTexts } from '../../../store/suite/store-under-test.ts'
import { FakeCluster, TABLE } from '../fake-cluster.ts'
import { remote } from '../remote.ts'

const ALL: ScanLimits = { rows: 1_000_000, bytes: 1_000_000_000, allowPartial: false }

/** Cells q000, q001, ... of each row; `sizes` by row. */
function tableOf(sizes: Readonly<Record<string, number>>): CellParts[] {
  return Object.entries(sizes)
    .sort(([a], [b]) => compareBytes(Buffer.from(a), Buffer.from(b)))
    .flatMap(([row, size]) =>
      Array.from({ length: size }, (_, i) => ({
        row: Buffer.from(row),
        family: Buffer.from('f'),
        qualifier: Buffer.from(`q${String(i).padStart(3, '0')}`),
        timestamp: 5n,
        type: CellType.Put,
        value: Buffer.from('v'),
      })),
    )
}

/** `a0-2` for a result of the cells q000 to q002 of row a. */
function outline(text: string): string {
  const qualifiers = [...text.matchAll(/:q(\d+)@/g)].map((match) => Number(match[1]))
  return `${text.slice(0, text.indexOf('/'))}${qualifiers[0]}-${qualifiers.at(-1)}`
}

async function opened(
  fake: FakeCluster,
  options: Partial<Scan>,
  { rowsMax = 1_000, readAhead = new ReadAhead() } = {},
): Promise<HBaseScanner> {
  const wanted = scan(options)
  const source = new ScanSource(fake.cluster, TABLE, wanted)
  const scanner = new HBaseScanner({
    source,
    batch: wanted.batch,
    rowsMax,
    readAhead,
  })
  await scanner.open()
  return scanner
}

const RETRYABLE: ReadonlySet<string> = new Set(['UNAVAILABLE', 'TIMEOUT', 'IO', 'NOT_SERVING_REGION'])

/** Asks again, as clients do, where the cluster was away for longer than a call may take. */
async function persistent<T>(fake: FakeCluster, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await fake.passing(call())
    } catch (error) {
      if (!isHBaseError(error) || !RETRYABLE.has(error.code)) throw error
    }
  }
}

async function results(fake: FakeCluster, options: Partial<Scan>, limits = ALL): Promise<string[]> {
  const scanner = await persistent(fake, () => opened(fake, options))
  const texts: string[] = []
  for (;;) {
    const batch = await persistent(fake, () => scanner.next(limits))
    texts.push(...resultTexts(batch.results).map(outline))
    batch.results.release?.()
    if (!batch.more) break
  }
  await scanner.close()
  return texts
}

function row(text: string): Buffer {
  return Buffer.from(text)
}

/** What a scan finds, without servers. */
function expected(sizes: Readonly<Record<string, number>>, options: Partial<Scan>): string[] {
  const { startRow, stopRow, includeStartRow, includeStopRow, reversed, batch, limit } = scan(options)
  const direction = reversed ? -1 : 1
  let rows = Object.keys(sizes)
    .filter((row) => sizes[row]! > 0)
    .sort((a, b) => compareBytes(Buffer.from(a), Buffer.from(b)) * direction)
    .filter((row) => {
      const fromStart = startRow.length === 0 ? 1 : compareBytes(Buffer.from(row), startRow) * direction
      const toStop = stopRow.length === 0 ? -1 : compareBytes(Buffer.from(row), stopRow) * direction
      const isFrom = fromStart > 0 || (fromStart === 0 && includeStartRow)
      return isFrom && (toStop < 0 || (toStop === 0 && includeStopRow))
    })
  if (limit > 0) rows = rows.slice(0, limit)
  return rows.flatMap((row) => {
    const size = sizes[row]!
    const part = batch > 0 ? batch : size
    return Array.from({ length: Math.ceil(size / part) }, (_, i) => {
      return `${row}${i * part}-${Math.min(size, (i + 1) * part) - 1}`
    })
  })
}

describe('a scan over regions', () => {
  const sizes = { a: 1, b: 2, m: 7, n: 1, x: 3, z: 1 }
  const splits = ['b', 'n', 'y']
  test.each([
    ['all of it', {}],
    ['from within a region', { startRow: row('c') }],
    ['up to a border', { stopRow: row('n') }],
    ['up to a border and with it', { stopRow: row('n'), includeStopRow: true }],
    ['after a row', { startRow: row('m'), includeStartRow: false }],
    ['backwards', { reversed: true }],
    ['backwards from a border', { reversed: true, startRow: row('n') }],
    ['backwards before a border', { reversed: true, startRow: row('n'), includeStartRow: false }],
    ['backwards down to a border', { reversed: true, stopRow: row('n') }],
    ['backwards down to a border and with it', { reversed: true, stopRow: row('n'), includeStopRow: true }],
    ['so many rows', { limit: 4 }],
    ['parts of rows', { batch: 2 }],
  ] satisfies [string, Partial<Scan>][])('%s', async (_, options) => {
    const fake = new FakeCluster()
    fake.layOut(splits, tableOf(sizes))
    expect(await results(fake, options)).toEqual(expected(sizes, options))
    expect(fake.time.timers).toBe(0)
    expect(fake.regions.map(({ openScanners }) => openScanners)).toEqual([0, 0, 0, 0])
  })

  test('asks no region behind the stop row, nor behind the limit', async () => {
    const fake = new FakeCluster()
    fake.layOut(splits, tableOf(sizes))
    await results(fake, { stopRow: row('n') })
    expect(fake.calls).toEqual(['Scan a', 'Scan b'])
    fake.calls.length = 0
    await results(fake, { limit: 1 })
    expect(fake.calls).toEqual(['Scan a'])
  })

  test('lets go of the scanner of the region that it is in', async () => {
    const fake = new FakeCluster()
    fake.layOut([], tableOf({ a: 1, b: 1, c: 1 }))
    fake.cellsOfAnswer = () => 2
    const scanner = await fake.passing(opened(fake, {}))
    expect(fake.regions[0]!.openScanners).toBe(1)
    await scanner.close()
    await fake.passing(Promise.resolve())
    expect(fake.regions[0]!.openScanners).toBe(0)
    await scanner.close()
  })
})

/** Scan calls so far, when its third answer has been taken. */
async function callsAfterThird(fake: FakeCluster, scanner: HBaseScanner): Promise<number> {
  for (let i = 0; i < 3; i++) await fake.passing(scanner.next(ALL))
  await fake.passing(Promise.resolve())
  return fake.calls.length
}

describe('a scan that is read on', () => {
  test('is fetched ahead of who reads it', async () => {
    const fake = new FakeCluster()
    fake.layOut([], tableOf({ a: 1, b: 1, c: 1, d: 1, e: 1 }))
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    expect(await callsAfterThird(fake, scanner)).toBe(4)
    expect(resultTexts((await fake.passing(scanner.next(ALL))).results).map(outline)).toEqual(['d0-0'])
    await scanner.close()
  })

  test('is not where too many others are', async () => {
    const fake = new FakeCluster()
    fake.layOut([], tableOf({ a: 1, b: 1, c: 1, d: 1, e: 1 }))
    const readAhead = new ReadAhead(1)
    const [first, second] = [
      await fake.passing(opened(fake, {}, { rowsMax: 1, readAhead })),
      await fake.passing(opened(fake, {}, { rowsMax: 1, readAhead })),
    ]
    fake.calls.length = 0
    expect(await callsAfterThird(fake, first)).toBe(3)
    fake.calls.length = 0
    expect(await callsAfterThird(fake, second)).toBe(2)
    // One that is closed leaves its place to another.
    await first.close()
    await fake.passing(second.next(ALL))
    await fake.passing(Promise.resolve())
    expect(fake.calls.filter((call) => call.startsWith('Scan'))).toHaveLength(5)
    await second.close()
  })

  test('does not go on trying when it has been closed', async () => {
    const fake = new FakeCluster()
    fake.layOut([], tableOf({ a: 1, b: 1 }))
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    await fake.passing(scanner.next(ALL))
    fake.before = () => {
      throw new RpcError('CONNECTION_CLOSED', 'reset')
    }
    const pending = scanner.next(ALL).catch(({ code }: { code: string }) => code)
    await scanner.close()
    expect(await fake.passing(pending)).toBe('UNAVAILABLE')
    expect(fake.time.timers).toBe(0)
  })
})

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
          fake.layOut(['f'], tableOf(sizes))
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
    fake.layOut([], tableOf({ a: 1, b: 1, c: 1 }))
    fake.cellsOfAnswer = () => 1
    const scanner = await fake.passing(opened(fake, {}))
    fake.forgetScanners()
    expect(resultTexts((await fake.passing(scanner.next(ALL))).results).map(outline)).toEqual(['a0-0'])
    const before = fake.time.now()
    expect(resultTexts((await fake.passing(scanner.next(ALL))).results).map(outline)).toEqual(['b0-0'])
    expect(fake.time.now()).toBe(before)
  })

  test('reads the rest of a row of which parts were handed on as it was when they were read', async () => {
    const fake = new FakeCluster()
    fake.layOut([], tableOf({ a: 5 }))
    fake.cellsOfAnswer = () => 3
    const scanner = await fake.passing(opened(fake, { batch: 2 }))
    fake.forgetScanners()
    const texts: string[] = []
    for (let more = true; more; ) {
      const batch = await fake.passing(scanner.next(ALL))
      texts.push(...resultTexts(batch.results).map(outline))
      more = batch.more
    }
    expect(texts).toEqual(['a0-1', 'a2-3', 'a4-4'])
    const openings = fake.requests.filter((request) => (request as ScanRequest).kind === 'open')
    expect(openings).toMatchObject([{ part: { readPoint: 0n } }, { part: { readPoint: 5n } }])
  })

  test('does not tell of a failure that nobody has waited for', async () => {
    const fake = new FakeCluster()
    fake.layOut([], tableOf({ a: 1, b: 1, c: 1, d: 1 }))
    fake.cellsOfAnswer = () => 1
    const scanner = await fake.passing(opened(fake, {}))
    const next = async (): Promise<string[]> =>
      resultTexts((await fake.passing(scanner.next(ALL))).results).map(outline)
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
    fake.layOut([], tableOf({ a: 1 }))
    fake.before = () => {
      throw remote('exceptions.ScannerResetException', 'Scanner is closed on the server-side')
    }
    // That the server has lost its scanner does not mean that the caller's is lost: it may ask again.
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

  test('loses no row and gives none twice, whatever happens', async () => {
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
          fake.layOut(splits.sort(), tableOf(sizes))
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
      { numRuns: 300 },
    )
  })
})
