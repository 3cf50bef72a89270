import { describe, expect, test } from 'vitest'
import { timesUpTo, withinTimeRange } from '../../../../adapters/hbase/as-of/within-time-range.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { ColumnsBuilder, get, type Query, scan } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'

const ROW = Buffer.from('r')

function table(attributes: Readonly<Record<string, [string, string][]>>): TableDescriptor {
  const families = Object.entries(attributes).map(([name, pairs]) => familyDescriptor(name, pairs))
  return tableDescriptor(parseTableName('t'), families)
}

const KEEPING = table({ f: [['KEEP_DELETED_CELLS', 'TRUE']], g: [['KEEP_DELETED_CELLS', 'TTL']] })
const FORGETTING = table({ f: [['KEEP_DELETED_CELLS', 'TRUE']], g: [] })

function rangeOf(query: Query | undefined): string {
  return query === undefined ? 'none' : `${query.timeRange.min}-${query.timeRange.max}`
}

describe('a read as of a time is one by a time range', () => {
  test('where all families that are read keep deleted cells', () => {
    const cut = withinTimeRange(get(ROW, { asOf: 7n }), KEEPING)
    expect(rangeOf(cut)).toBe('0-8')
    expect(cut!.asOf).toBeUndefined()
    expect(withinTimeRange(get(ROW, { asOf: 7n }), FORGETTING)).toBeUndefined()
    const columns = new ColumnsBuilder().addFamily(Buffer.from('f')).build()
    expect(rangeOf(withinTimeRange(get(ROW, { asOf: 7n, columns }), FORGETTING))).toBe('0-8')
  })

  test('where it is raw, and no tombstone hides anything', () => {
    expect(rangeOf(withinTimeRange(scan({ asOf: 7n, raw: true }), FORGETTING))).toBe('0-8')
  })

  test('where it names a family that is not there: the server refuses it', () => {
    const columns = new ColumnsBuilder().addFamily(Buffer.from('x')).addFamily(Buffer.from('g')).build()
    expect(withinTimeRange(get(ROW, { asOf: 7n, columns }), FORGETTING)).toMatchObject({ columns })
  })

  test('and stays as it is without a time', () => {
    const query = get(ROW)
    expect(withinTimeRange(query, FORGETTING)).toBe(query)
  })

  test('whose own ranges are cut at that time', () => {
    const ranged = (min: bigint, max: bigint): string =>
      rangeOf(withinTimeRange(get(ROW, { asOf: 7n, timeRange: TimeRange.between(min, max) }), KEEPING))
    expect([ranged(2n, 5n), ranged(2n, 50n), ranged(20n, 50n)]).toEqual(['2-5', '2-8', '8-8'])
    const familyTimeRanges = new Map([['f', TimeRange.between(3n, 9n)]])
    const cut = withinTimeRange(get(ROW, { asOf: 7n, familyTimeRanges }), KEEPING)
    expect(cut!.familyTimeRanges!.get('f')).toMatchObject({ min: 3n, max: 8n })
  })
})

test('times before all and after all', () => {
  expect([timesUpTo(-1n).max, timesUpTo(0n).max]).toEqual([0n, 1n])
  expect(timesUpTo(LATEST_TIMESTAMP).isAllTime).toBe(true)
  expect(timesUpTo(LATEST_TIMESTAMP - 1n).isAllTime).toBe(true)
})

test('where the order of the writes counts there is no state as of a time', () => {
  const ordered = table({ f: [['NEW_VERSION_BEHAVIOR', 'true']] })
  expect(() => withinTimeRange(get(ROW, { asOf: 7n }), ordered)).toThrow('NEW_VERSION_BEHAVIOR')
  expect(rangeOf(withinTimeRange(scan({ asOf: 7n, raw: true }), ordered))).toBe('0-8')
})
