/** Reads as of a time that are evaluated here: the fake cluster answers all of its cells, as a raw scan does. */

import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import type { ScanRequest } from '../../../../adapters/hbase/messages/scan-method.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import { ALL_VERSIONS, get, type Query, type Scan, scan } from '../../../../src/model/query.ts'
import type { ScanBatch } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Target } from '../../../../src/store/target.ts'
import { bytes, columns, failure, NO_LIMITS, resultTexts } from '../../../store/suite/store-under-test.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import { settled } from '../retry/manual-time.ts'
import { start } from '../store-on-fake-cluster.ts'

let fake: FakeCluster
let store: HBaseStore

function cell(row: string, timestamp: bigint, type: number = CellType.Put, qualifier = 'q'): CellParts {
  return {
    row: bytes(row),
    family: bytes('f'),
    qualifier: bytes(type === CellType.DeleteFamily ? '' : qualifier),
    timestamp,
    type,
    value: bytes(type === CellType.Put ? `v${timestamp}` : ''),
  }
}

/** Of regions up to g, up to p and the rest. */
beforeEach(() => {
  ;({ fake, store } = start())
  fake.layOut(
    ['g', 'p'],
    [
      cell('a', 9n),
      cell('a', 3n),
      cell('b', 7n),
      cell('h', 6n, CellType.DeleteFamily),
      cell('h', 2n),
      cell('i', 4n),
      cell('i', 1n, CellType.Put, 'z'),
      cell('z', 5n),
    ],
  )
})

async function read(row: string, query: Partial<Query>, target: Target = TABLE): Promise<string> {
  const reading = store.rows.get(target, [get(bytes(row), query)], { bytes: 1_000 }, OWN_CALL)
  return resultTexts(await fake.passing(reading))[0]!
}

/** A text for each batch: its results and how it ended. */
async function batches(options: Partial<Scan>, limits: Partial<typeof NO_LIMITS> = {}): Promise<string[]> {
  const scanner = await fake.passing(openScanner(store, TABLE, scan(options), OWN_CALL))
  const texts: string[] = []
  for (let batch: ScanBatch | undefined; batch?.ended !== 'scan'; ) {
    batch = await fake.passing(scanner.next({ ...NO_LIMITS, ...limits }, OWN_CALL))
    texts.push([...resultTexts(batch.results), batch.ended].join(' | '))
  }
  await scanner.close()
  return texts
}

describe('a get', () => {
  test('sees the cells of that time', async () => {
    expect(await read('a', { asOf: 9n })).toBe('a/f:q@9=v9')
    expect(await read('a', { asOf: 8n })).toBe('a/f:q@3=v3')
    expect(await read('a', { asOf: 2n })).toBe('')
    expect(await read('h', { asOf: 5n })).toBe('h/f:q@2=v2')
    expect(await read('h', { asOf: 6n })).toBe('')
    expect(await read('none', { asOf: 6n })).toBe('')
    expect(await read('i', { asOf: 9n, ...columns('f:z') })).toBe('i/f:z@1=v1')
  })

  test('has its filter evaluated here', async () => {
    const filter: Filter = {
      kind: 'ValueFilter',
      operator: 'EQUAL',
      comparator: { kind: 'BinaryComparator', value: bytes('v4') },
    }
    expect(await read('i', { asOf: 9n, filter })).toBe('i/f:q@4=v4')
    const [request] = fake.requests as ScanRequest[]
    expect(request).toMatchObject({
      kind: 'open',
      scan: {
        raw: true,
        filter: undefined,
        asOf: undefined,
        maxVersions: ALL_VERSIONS,
        startRow: bytes('i'),
      },
    })
    expect(fake.regions.map(({ openScanners }) => openScanners)).toEqual([0, 0, 0])
  })

  test('of several stops where the bytes are reached', async () => {
    const gets = ['a', 'h', 'i'].map((row) => get(bytes(row), { asOf: 5n }))
    const answered = async (limit: number): Promise<number> =>
      (await fake.passing(store.rows.get(TABLE, gets, { bytes: limit }, OWN_CALL))).counts.length
    expect([await answered(0), await answered(40), await answered(1_000)]).toEqual([1, 2, 3])
  })

  test('of a region that does not have the row is refused', async () => {
    const [region] = await fake.passing(store.catalog.regions(TABLE, OWN_CALL))
    expect(await read('a', { asOf: 8n }, region)).toBe('a/f:q@3=v3')
    expect(await failure(read('z', { asOf: 8n }, region))).toMatch(
      /^NOT_SERVING_REGION: Requested row out of/,
    )
  })

  test('of a family that is not there is refused by the server', async () => {
    await read('a', { asOf: 8n, ...columns('x') })
    expect(fake.calls).toEqual(['Multi a'])
  })
})

describe('a scan', () => {
  test('goes through the regions, either way', async () => {
    expect(await batches({ asOf: 5n })).toEqual([
      'a/f:q@3=v3 | region',
      'h/f:q@2=v2 | i/f:q@4=v4 i/f:z@1=v1 | region',
      'z/f:q@5=v5 | scan',
    ])
    expect((await batches({ asOf: 6n, reversed: true })).join(' ')).toBe(
      'z/f:q@5=v5 | region i/f:q@4=v4 i/f:z@1=v1 | region a/f:q@3=v3 | scan',
    )
  })

  test('counts the cells that it shows', async () => {
    expect(await batches({ asOf: 5n, limit: 2 })).toEqual(['a/f:q@3=v3 | region', 'h/f:q@2=v2 | scan'])
    expect(await batches({ asOf: 5n, startRow: bytes('h'), batch: 1 }, { rows: 2 })).toEqual([
      'h/f:q@2=v2 | i/f:q@4=v4 | batch',
      'i/f:z@1=v1 | region',
      'z/f:q@5=v5 | scan',
    ])
    const filter: Filter = { kind: 'PageFilter', pageSize: 1n }
    // A filter starts anew in each region, as on a server.
    expect((await batches({ asOf: 5n, filter })).join(' ')).toContain('a/f:q@3=v3 | region h/f:q@2=v2')
  })

  test('of limited time ends with nothing where nothing has come', async () => {
    const opening = openScanner(store, TABLE, scan({ asOf: 5n }), OWN_CALL)
    const scanner = await fake.passing(opening)
    const first = await fake.passing(scanner.next({ ...NO_LIMITS, timeMs: 1_000 }, OWN_CALL))
    expect(resultTexts(first.results)).toEqual(['a/f:q@3=v3'])
    await scanner.close()
    const stuck = await fake.passing(
      openScanner(store, TABLE, scan({ asOf: 5n, startRow: bytes('b') }), OWN_CALL),
    )
    const open = fake.hold()
    const waiting = stuck.next({ ...NO_LIMITS, timeMs: 50 }, OWN_CALL)
    await settled()
    await fake.time.advance(50)
    const { results, ended, position } = await waiting
    expect([results.counts, ended, position?.toString()]).toEqual([[], 'batch', 'b'])
    open()
    // The rest of the region has nothing to show.
    expect(await fake.passing(stuck.next(NO_LIMITS, OWN_CALL))).toMatchObject({ ended: 'region' })
    const rest = await fake.passing(stuck.next(NO_LIMITS, OWN_CALL))
    expect(resultTexts(rest.results)[0]).toBe('h/f:q@2=v2')
    await stuck.close()
  })

  test('that fails has lost rows, and goes on no more', async () => {
    const scanner = await fake.passing(openScanner(store, TABLE, scan({ asOf: 5n }), OWN_CALL))
    const gone = { ...OWN_CALL, signal: AbortSignal.abort() }
    expect(await failure(scanner.next(NO_LIMITS, gone))).toMatch(/^CALLER_GONE/)
    const controller = new AbortController()
    const open = fake.hold()
    const outcome = failure(scanner.next({ ...NO_LIMITS }, { ...OWN_CALL, signal: controller.signal }))
    await settled()
    controller.abort()
    await outcome
    open()
    await scanner.close()
    expect(fake.regions.map(({ openScanners }) => openScanners)).toEqual([0, 0, 0])
  })
})
