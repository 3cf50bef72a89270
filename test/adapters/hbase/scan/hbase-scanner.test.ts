import { describe, expect, test } from 'vitest'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { HBaseScanner } from '../../../../adapters/hbase/scan/hbase-scanner.ts'
import { ReadAhead } from '../../../../adapters/hbase/scan/read-ahead.ts'
import { ScannerOpener } from '../../../../adapters/hbase/scan/scanner-opener.ts'
import { parseFilterString } from '../../../../src/filter/language/parse-filter-string.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { resultTexts } from '../../../store/suite/store-under-test.ts'
import { FakeCluster, TABLE } from '../fake-cluster.ts'
import { FILTERED_AN_ANSWER } from '../fake-region.ts'
import { ALL, cellsOfRows, expected, opened, outline, results } from './scanned-cluster.ts'

function row(text: string): Buffer {
  return Buffer.from(text)
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
    fake.layOut(splits, cellsOfRows(sizes))
    expect(await results(fake, options)).toEqual(expected(sizes, options))
    expect(fake.time.timers).toBe(0)
    expect(fake.regions.map(({ openScanners }) => openScanners)).toEqual([0, 0, 0, 0])
  })

  test('reports how many rows its filter passed over, once each', async () => {
    const fake = new FakeCluster()
    fake.layOut(splits, cellsOfRows(sizes))
    const filter = parseFilterString(Buffer.from('KeyOnlyFilter()'))
    const limits = { ...ALL, rows: 1 }
    let filtered = 0
    const scanner = await fake.passing(opened(fake, { filter, countsRows: true }))
    for (let ended = ''; ended !== 'scan'; ) {
      const batch = await fake.passing(scanner.next(limits, OWN_CALL))
      filtered += batch.rowsFiltered ?? 0
      ended = batch.ended
    }
    const answers = fake.calls.filter((call) => call.startsWith('Scan')).length
    expect(filtered).toBe(answers * FILTERED_AN_ANSWER)
  })

  test('asks no region behind the stop row, nor behind the limit', async () => {
    const fake = new FakeCluster()
    fake.layOut(splits, cellsOfRows(sizes))
    await results(fake, { stopRow: row('n') })
    expect(fake.calls).toEqual(['Scan a', 'Scan b'])
    fake.calls.length = 0
    await results(fake, { limit: 1 })
    expect(fake.calls).toEqual(['Scan a'])
  })

  test('lets go of the scanner of the region that it is in', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 1, b: 1, c: 1 }))
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
  for (let i = 0; i < 3; i++) await fake.passing(scanner.next(ALL, OWN_CALL))
  await fake.passing(Promise.resolve())
  return fake.calls.length
}

describe('a scan that is read on', () => {
  test('is fetched ahead of its reader', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 1, b: 1, c: 1, d: 1, e: 1 }))
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    expect(await callsAfterThird(fake, scanner)).toBe(4)
    expect(resultTexts((await fake.passing(scanner.next(ALL, OWN_CALL))).results).map(outline)).toEqual([
      'd0-0',
    ])
    await scanner.close()
  })

  test('begins with as many rows as its caller has said that it takes', async () => {
    const fake = new FakeCluster()
    const names = Array.from({ length: 300 }, (_, i) => [`row${i + 100}`, 1])
    fake.layOut([], cellsOfRows(Object.fromEntries(names)))
    const taken: number[] = []
    const opener = new ScannerOpener(fake.cluster)
    for (const firstRows of [undefined, 1, 200]) {
      const scanner = await fake.passing(opener.open(TABLE, scan({ firstRows }), OWN_CALL))
      taken.push((await fake.passing(scanner.next(ALL, OWN_CALL))).results.counts.length)
      await scanner.close()
    }
    expect(taken).toEqual([128, 128, 200])
  })

  test('is not fetched ahead where too many others are', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 1, b: 1, c: 1, d: 1, e: 1 }))
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
    await fake.passing(second.next(ALL, OWN_CALL))
    await fake.passing(Promise.resolve())
    expect(fake.calls.filter((call) => call.startsWith('Scan'))).toHaveLength(5)
    await second.close()
  })

  test('does not go on trying when it has been closed', async () => {
    const fake = new FakeCluster()
    fake.layOut([], cellsOfRows({ a: 1, b: 1 }))
    const scanner = await fake.passing(opened(fake, {}, { rowsMax: 1 }))
    await fake.passing(scanner.next(ALL, OWN_CALL))
    fake.before = () => {
      throw new RpcError('CONNECTION_CLOSED', 'reset')
    }
    const pending = scanner.next(ALL, OWN_CALL).catch(({ code }: { code: string }) => code)
    await scanner.close()
    expect(await fake.passing(pending)).toBe('UNAVAILABLE')
    expect(fake.time.timers).toBe(0)
  })
})
