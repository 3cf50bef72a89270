import { TimeRange } from '../../../../model/time-range.ts'

/** The time range of Thrift 1's `timestamp`: all cells that are older; all cells where the client sent none. */
export function olderThan(timestamp: bigint | undefined): TimeRange {
  return timestamp === undefined ? TimeRange.ALL : TimeRange.between(0n, timestamp)
}
