/**
 * Reads as of a timestamp that HBase can answer itself. Where a family keeps deleted cells, a read up to a time ignores later
 * tombstones, so it shows the state as of that time. So does a raw scan, from which tombstones hide nothing.
 */

import {
  type FamilyDescriptor,
  findFamily,
  keepDeletedCellsOf,
  type TableDescriptor,
} from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Query } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'

/** Timestamps up to `asOf`. */
export function timesUpTo(asOf: bigint): TimeRange {
  return TimeRange.between(0n, endExclusive(asOf))
}

/**
 * The same read by a time range; undefined where no time range has the same answer. A query of an unknown family goes to the server,
 * which refuses it. Throws UNSUPPORTED.
 */
export function withinTimeRange<Read extends Query & { readonly raw?: boolean }>(
  query: Read,
  table: TableDescriptor,
): Read | undefined {
  const { asOf, columns, raw = false } = query
  if (asOf === undefined) return query
  const named = columns.map(({ family }) => findFamily(table, family))
  const families = columns.length === 0 ? table.families : named
  const isAnswered = raw || families.every((family) => family === undefined || keepsDeletedCells(family))
  if (!isAnswered && !named.includes(undefined)) return undefined
  const cut = ({ min, max }: TimeRange): TimeRange => {
    const end = endExclusive(asOf)
    return TimeRange.between(min < end ? min : end, max < end ? max : end)
  }
  const { timeRange, familyTimeRanges } = query
  return {
    ...query,
    asOf: undefined,
    timeRange: cut(timeRange),
    familyTimeRanges:
      familyTimeRanges && new Map([...familyTimeRanges].map(([family, range]) => [family, cut(range)])),
  }
}

function endExclusive(asOf: bigint): bigint {
  if (asOf < 0n) return 0n
  return asOf >= LATEST_TIMESTAMP ? LATEST_TIMESTAMP : asOf + 1n
}

/** Throws UNSUPPORTED for a family in which the order of writes counts: a cluster does not report that order. */
function keepsDeletedCells(family: FamilyDescriptor): boolean {
  if (family.attributes.get('NEW_VERSION_BEHAVIOR')?.toLowerCase() === 'true') {
    const name = family.name.toString()
    throw new HBaseError(
      'UNSUPPORTED',
      `Family ${name} has NEW_VERSION_BEHAVIOR: it has no state as of a time`,
    )
  }
  return keepDeletedCellsOf(family) !== 'FALSE'
}
