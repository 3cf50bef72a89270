import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import type { HBaseError } from '../../../../src/model/errors.ts'
import { DEFAULT_MUTATION_OPTIONS } from '../../../../src/model/mutation.ts'
import { get, type Scan, scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionRef } from '../../../../src/store/target.ts'
import { put } from '../../../store/suite/row-operations.ts'
import {
  bytes,
  drain,
  failure,
  failureTexts,
  NO_GET_LIMITS,
  resultTexts,
} from '../../../store/suite/store-under-test.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import { puts, start, textOf } from '../store-on-fake-cluster.ts'

let fake: FakeCluster
let store: HBaseStore
/** Up to g, up to p and the rest, on the servers a, b, a. */
let regions: readonly RegionRef[]

beforeEach(async () => {
  ;({ fake, store } = start())
  await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'h', 'i', 'z'), OWN_CALL))
  regions = await fake.passing(store.catalog.regions(TABLE, OWN_CALL))
  fake.calls.length = 0
})

async function read(region: RegionRef, ...rows: string[]): Promise<string[]> {
  const gets = rows.map((row) => get(bytes(row)))
  return resultTexts(await fake.passing(store.rows.get(region, gets, NO_GET_LIMITS, OWN_CALL)))
}

async function scanned(region: RegionRef, options: Partial<Scan> = {}): Promise<string[]> {
  const scanner = openScanner(store, region, scan(options), OWN_CALL)
  return fake.passing(drain(await fake.passing(scanner)))
}

async function classOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((thrown: HBaseError) => thrown)
  return (error as HBaseError).javaClass
}

describe('a region that is named', () => {
  test('answers of its rows', async () => {
    expect(await read(regions[1]!, 'h')).toEqual([textOf('h')])
    expect(await read(regions[1]!, 'i', 'nothing', 'h')).toEqual([textOf('i'), '', textOf('h')])
    expect(fake.calls).toEqual(['Get b', 'Multi b'])
  })

  test('bounds a scan, either way', async () => {
    expect(await scanned(regions[1]!)).toEqual([textOf('h'), textOf('i')])
    expect(await scanned(regions[0]!, { reversed: true })).toEqual([textOf('b'), textOf('a')])
    expect(await scanned(regions[1]!, { startRow: bytes('a'), stopRow: bytes('i') })).toEqual([textOf('h')])
    expect(await scanned(regions[1]!, { startRow: bytes('z'), reversed: true })).toEqual([
      textOf('i'),
      textOf('h'),
    ])
    expect(fake.calls.every((call) => call.startsWith('Scan'))).toBe(true)
    fake.calls.length = 0
    expect(await scanned(regions[1]!, { startRow: bytes('q') })).toEqual([])
    expect(await scanned(regions[1]!, { startRow: bytes('c'), reversed: true })).toEqual([])
    expect(fake.calls).toEqual([])
  })

  test('takes no row of another, and the others of a batch all the same', async () => {
    const gets = ['h', 'a'].map((row) => get(bytes(row)))
    const refused: (() => Promise<unknown>)[] = [
      () => store.rows.get(regions[1]!, gets.slice(1), NO_GET_LIMITS, OWN_CALL),
      () => store.rows.get(regions[1]!, gets, NO_GET_LIMITS, OWN_CALL),
      () =>
        store.rows.mutateRow(
          regions[1]!,
          { row: bytes('z'), operations: [put('z', 'f:q', 'v')], options: DEFAULT_MUTATION_OPTIONS },
          OWN_CALL,
        ),
    ]
    for (const request of refused) {
      expect(await failure(fake.passing(request()))).toMatch(
        /^NOT_SERVING_REGION: Requested row out of range/,
      )
      expect(await classOf(fake.passing(request()))).toMatch(/\.WrongRegionException$/)
    }
    expect(
      failureTexts(await fake.passing(store.rows.mutate(regions[1]!, puts('a', 'j', 'z'), OWN_CALL))).map(
        (text) => text.slice(0, 20),
      ),
    ).toEqual(['0 NOT_SERVING_REGION', '2 NOT_SERVING_REGION'])
    expect(
      failureTexts(await fake.passing(store.rows.mutate(regions[1]!, puts('a'), OWN_CALL))),
    ).toMatchObject([expect.stringMatching(/^0 NOT_SERVING_REGION/)])
    expect(await read(regions[1]!, 'j')).toEqual([textOf('j')])
  })

  test('is followed where it moves, and not rerouted where it was split', async () => {
    fake.move(1)
    expect(await read(regions[1]!, 'h', 'i')).toEqual([textOf('h'), textOf('i')])
    const scanner = await fake.passing(openScanner(store, regions[1]!, scan(), OWN_CALL))
    fake.split('i')
    const requests = [
      read(regions[1]!, 'h'),
      read(regions[1]!, 'h', 'i'),
      fake.passing(store.rows.mutate(regions[1]!, puts('h'), OWN_CALL)),
      fake.passing(store.rows.mutate(regions[1]!, puts('h', 'i'), OWN_CALL)),
      fake.passing(openScanner(store, regions[1]!, scan(), OWN_CALL)),
    ]
    for (const text of await Promise.all(requests.map(failure))) {
      expect(text).toMatch(new RegExp(`^NOT_SERVING_REGION: ${regions[1]!.encodedName} is not online on `))
    }
    await scanner.close()
    expect(
      resultTexts(await fake.passing(store.rows.get(TABLE, [get(bytes('h'))], NO_GET_LIMITS, OWN_CALL))),
    ).toEqual([textOf('h')])
  })

  test('is asked for even where nothing is asked of it', async () => {
    const stale = { table: TABLE, encodedName: '0123456789abcdef0123456789abcdef' }
    expect(await read(regions[0]!)).toEqual([])
    expect(await failure(read(stale))).toMatch(/^NOT_SERVING_REGION/)
  })
})
