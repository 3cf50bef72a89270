/** Servers that are busy, that forget scanners, whose connections break: nothing is lost, nothing comes twice. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { DEFAULT_SERVER_LIMITS } from '../../../adapters/servers/requests/server-options.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import type { HBaseError } from '../../../src/model/errors.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type RowMutation } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS, get, type Scan, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  type DoorsOverStore,
  openDoorsOver,
  restStoreOn,
  thriftStoreOn,
} from '../../harness/doors-over-store.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'
import { type Fault, openCuttingProxy, openFaultyHttp } from './faulty-proxy.ts'

const T = parseTableName('t')
const ROWS = 40
const limits = { ...DEFAULT_SERVER_LIMITS, pauseMs: 1, retriesMax: 8 }

let behind: Store
let doors: DoorsOverStore

beforeAll(async () => {
  behind = openMemoryStore({ clock: { now: () => 1_700_000_000_000 } })
  const family = familyDescriptor('f', [['VERSIONS', '10']])
  await behind.catalog.createTable(tableDescriptor(T, [family]), [], OWN_CALL)
  expect(await behind.rows.mutate(T, filled(), OWN_CALL)).toEqual([])
  doors = await openDoorsOver(behind)
})

afterAll(async () => {
  await doors.close()
  await behind.close()
})

/** Rows of 0 to 29 cells, some of several versions. */
function filled(): MutationBatch {
  const batch = new MutationBatch()
  for (let row = 0; row < ROWS; row++) {
    for (let i = 0; i <= (row * 7) % 30; i++)
      batch.put(
        Buffer.of(row, 0xff),
        Buffer.from('f'),
        Buffer.of(i >>> 1),
        Buffer.alloc(i, row),
        BigInt(i + 1),
      )
    batch.endMutation()
  }
  return batch
}

async function scanned({ rows, handouts }: Store, query: Scan, ofNext: ScanLimits): Promise<string[][]> {
  const { id } = await rows.openScanner(T, query, OWN_CALL)
  const found: string[][] = []
  let [row, isOpen]: [string, boolean] = ['', false]
  for (let ended = false; !ended; ) {
    const { results, partial, ended: end } = await handouts.next(id, ofNext, OWN_CALL)
    const { cells, counts } = gathered(results)
    const all = cellsOf(cells)
    let at = 0
    for (const [i, count] of counts.entries()) {
      const part = all.slice(at, (at += count))
      const key = part[0]!.row.toString('hex')
      const texts = part.map(
        ({ qualifier, timestamp, value }) => `${qualifier.toString('hex')}@${timestamp}=${value.length}`,
      )
      // Parts of a row are joined: how they are cut is the caller's affair.
      if (isOpen && key === row) found.at(-1)!.push(...texts)
      else found.push([key, ...texts])
      row = key
      isOpen = partial?.[i] === true
    }
    ended = end === 'scan'
  }
  await handouts.closeScanner(id)
  return found
}

const anyLimits: fc.Arbitrary<ScanLimits> = fc.record({
  rows: fc.integer({ min: 1, max: 12 }),
  bytes: fc.integer({ min: 1, max: 2000 }),
  allowPartial: fc.boolean(),
})
const anyQuery = fc
  .record({
    from: fc.integer({ min: 0, max: ROWS }),
    to: fc.integer({ min: 0, max: ROWS }),
    includeStartRow: fc.boolean(),
    includeStopRow: fc.boolean(),
    limit: fc.constantFrom(-1, -1, 1, 5),
    maxVersions: fc.constantFrom(1, ALL_VERSIONS),
  })
  .map(({ from, to, ...more }) =>
    scan({
      startRow: Buffer.of(Math.min(from, to), 0xff),
      stopRow: Buffer.of(Math.max(from, to), 0xff),
      ...more,
    }),
  )
const options = { numRuns: testRuns(25), ...(SEED !== undefined && { seed: SEED }) }

test('a scan over REST sees each cell once, with failures of any kind', { timeout: 120_000 }, async () => {
  const anyFaults = fc.array(
    fc.constantFrom<Fault>('none', 'none', 'cut before', 'cut behind', 'busy', 'forgotten'),
    {
      maxLength: 8,
    },
  )
  const property = fc.asyncProperty(anyFaults, anyQuery, anyLimits, async (faults, query, ofNext) => {
    const left = [...faults]
    const proxy = await openFaultyHttp(doors.ports.rest, (method, path) => {
      const fault = left.shift() ?? 'none'
      const isRead = method === 'GET' && path.includes('/scanner/')
      return fault === 'forgotten' && !isRead ? 'none' : fault
    })
    const store = restStoreOn(proxy.port, { limits })
    try {
      expect(await scanned(store, query, ofNext)).toEqual(await scanned(behind, query, ofNext))
    } finally {
      await store.close()
      await proxy.close()
    }
  })
  await fc.assert(property, options)
})

test('a scan over Thrift sees each cell once, wherever its connections break', {
  timeout: 120_000,
}, async () => {
  const cuts = fc.array(fc.integer({ min: 20, max: 3000 }), { maxLength: 4 })
  const reversed = fc.boolean()
  const property = fc.asyncProperty(
    cuts,
    anyQuery,
    anyLimits,
    reversed,
    async (bytes, query, ofNext, isReversed) => {
      const left = [...bytes]
      const proxy = await openCuttingProxy(doors.ports.thrift, () => left.shift() ?? Number.POSITIVE_INFINITY)
      const store = thriftStoreOn(proxy.port, 'framed', { limits })
      const { startRow, stopRow } = query
      const asked = isReversed ? { ...query, reversed: true, startRow: stopRow, stopRow: startRow } : query
      try {
        expect(await scanned(store, asked, ofNext)).toEqual(await scanned(behind, asked, ofNext))
      } finally {
        await store.close()
        await proxy.close()
      }
    },
  )
  await fc.assert(property, options)
})

test('puts are sent again, increments are not, and a server that stays away is reported', async () => {
  let faults: Fault[] = []
  const proxy = await openFaultyHttp(doors.ports.rest, () => faults.shift() ?? 'none')
  const store = restStoreOn(proxy.port, { limits: { ...limits, retriesMax: 2 } })
  const row = Buffer.from('p')
  const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
  const put = new MutationBatch().put(row, family, qualifier, Buffer.from('v'), 5n)
  put.endMutation()
  faults = ['busy', 'cut behind']
  expect(await store.rows.mutate(T, put, OWN_CALL)).toEqual([])
  const one = Buffer.alloc(8)
  one.writeBigInt64BE(1n)
  const timestamp = 2n ** 63n - 1n
  const added = { row, family, qualifier: Buffer.from('n'), timestamp, type: CellType.Put, value: one }
  const increment: RowMutation = {
    row,
    operations: [{ kind: 'increment', cells: blockOf([added]) }],
    options: DEFAULT_MUTATION_OPTIONS,
  }
  faults = ['cut behind']
  await expect(store.rows.mutateRow(T, increment, OWN_CALL)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const { results } = await store.rows.mutateRow(T, increment, OWN_CALL)
  expect(cellsOf(results.cells)[0]!.value.readBigInt64BE()).toBe(2n)
  faults = ['busy', 'busy', 'busy', 'busy']
  const failure = await store.rows
    .get(T, [get(row)], { bytes: 1 }, OWN_CALL)
    .catch((error: HBaseError) => error)
  expect(failure).toMatchObject({ code: 'UNAVAILABLE', detail: { attempts: 3 } })
  expect((failure as HBaseError).message).toContain('get of t failed after attempts=3: ')
  await store.close()
  await proxy.close()
})

test('of a server that closes every connection it is said that its transport may be another', async () => {
  const proxy = await openCuttingProxy(doors.ports.thrift, () => 0)
  const closing = thriftStoreOn(proxy.port, 'buffered', { limits: { ...limits, retriesMax: 1 } })
  await expect(closing.catalog.tableExists(T, OWN_CALL)).rejects.toThrow(
    /is its transport another one\? .*\/framed/,
  )
  await closing.close()
  await proxy.close()
})
