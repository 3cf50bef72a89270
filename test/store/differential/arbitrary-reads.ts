/** Gets and scans of every kind, and the filters that they have. */

import fc from 'fast-check'
import type { Filter } from '../../../src/model/filter.ts'
import { ALL_VERSIONS, type Query, type Scan } from '../../../src/model/query.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { totalComparators } from '../../filter/comparator-arbitrary.ts'
import { filterArbitrary } from '../../filter/filter-arbitrary.ts'
import { bytes, columns } from '../suite/store-under-test.ts'
import {
  family,
  maybeTimeRange,
  qualifier,
  row,
  timeRange,
  timestamp,
  value,
} from './arbitrary-cell-parts.ts'

/** Filters over the drawn names and times. No filter draws random numbers, and none fails for some values. */
export const filter: fc.Arbitrary<Filter> = filterArbitrary({
  rows: row.map(bytes),
  families: family.map(bytes),
  qualifiers: qualifier.map(bytes),
  values: value.map(bytes),
  timestamps: timestamp,
  comparators: totalComparators(fc.oneof(row, qualifier, value).map(bytes)),
  without: ['RandomRowFilter'],
})

export const query: fc.Arbitrary<Partial<Query>> = fc
  .record({
    names: fc.oneof(
      { weight: 4, arbitrary: fc.constant<string[]>([]) },
      { weight: 2, arbitrary: fc.array(family, { minLength: 1, maxLength: 2 }) },
      {
        weight: 3,
        arbitrary: fc.array(
          fc.tuple(family, qualifier).map((parts) => parts.join(':')),
          { minLength: 1, maxLength: 4 },
        ),
      },
    ),
    maxVersions: fc.constantFrom(1, 1, 2, 3, ALL_VERSIONS),
    timeRange: maybeTimeRange,
    familyTimeRange: fc.option(fc.tuple(fc.constantFrom('f', 'g'), timeRange), { nil: undefined, freq: 8 }),
    familyLimit: fc.constantFrom(-1, -1, -1, 0, 1, 2),
    familyOffset: fc.constantFrom(0, 0, 0, 1, 2),
    filter: fc.option(filter, { nil: undefined, freq: 1 }),
    withTags: fc.boolean(),
  })
  .map(({ names, timeRange, familyTimeRange, ...rest }) => ({
    ...rest,
    ...columns(...names),
    ...(timeRange === undefined ? {} : { timeRange }),
    ...(familyTimeRange === undefined ? {} : { familyTimeRanges: new Map([familyTimeRange]) }),
  }))

const bound = fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: row }).map(bytes)
export const scanned: fc.Arbitrary<Partial<Scan>> = fc
  .record({
    query,
    startRow: bound,
    includeStartRow: fc.boolean(),
    stopRow: bound,
    includeStopRow: fc.boolean(),
    reversed: fc.boolean(),
    batch: fc.constantFrom(-1, -1, 1, 2, 3),
    limit: fc.constantFrom(-1, -1, 1, 2),
  })
  .map(({ query, ...rest }) => ({ ...query, ...rest }))

export const limits: fc.Arbitrary<ScanLimits> = fc.record({
  rows: fc.constantFrom(1, 2, 3, 1000),
  bytes: fc.constantFrom(1, 60, 200, 1_000_000),
  allowPartial: fc.boolean(),
})
