import { expect, test } from 'vitest'
import { ColumnsBuilder, changedRead, type Get, get, type Scan, scan } from '../../src/model/query.ts'
import { TimeRange } from '../../src/model/time-range.ts'

const [FAMILY, ROW] = [Buffer.from('f'), Buffer.from('row')]
const COLUMNS = new ColumnsBuilder().addFamily(FAMILY).build()

/** Every field has another value than the one that it has if nobody states it. */
const QUERY = {
  columns: COLUMNS,
  timeRange: TimeRange.between(1n, 7n),
  familyTimeRanges: new Map([['f', TimeRange.between(2n, 5n)]]),
  maxVersions: 3,
  familyLimit: 4,
  familyOffset: 2,
  cacheBlocks: false,
  withTags: true,
  filter: { kind: 'PageFilter', pageSize: 1n },
  visibility: { kind: 'labels', ordinals: [1] },
  attributes: new Map([['a', FAMILY]]),
  asOf: 9n,
  replica: 1,
} as const

const GET: Required<Get> = { ...QUERY, row: ROW, raw: true, existenceOnly: true }

const SCAN: Required<Scan> = {
  ...QUERY,
  startRow: ROW,
  includeStartRow: false,
  stopRow: ROW,
  includeStopRow: true,
  reversed: true,
  batch: 5,
  limit: 6,
  raw: true,
  familiesOnDemand: false,
  mayBeStale: true,
  readType: 'pread',
  readPoint: 11n,
  countsRows: true,
  firstRows: 7,
}

const CHANGES = {
  columns: [],
  filter: { kind: 'KeyOnlyFilter', lengthAsValue: false },
  visibility: { kind: 'labels', ordinals: [] },
} as const

test('a get keeps whatever is not changed', () => {
  expect(changedRead(GET, {})).toEqual(GET)
  expect(changedRead(get(ROW), {})).toEqual(get(ROW))
  expect(changedRead(GET, { ...CHANGES, familiesOnDemand: true })).toEqual({ ...GET, ...CHANGES })
})

test('a scan keeps whatever is not changed', () => {
  expect(changedRead(SCAN, {})).toEqual(SCAN)
  expect(changedRead(scan(), {})).toEqual(scan())
  expect(changedRead(SCAN, { ...CHANGES, familiesOnDemand: true })).toEqual({
    ...SCAN,
    ...CHANGES,
    familiesOnDemand: true,
  })
})
