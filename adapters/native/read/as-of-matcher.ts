import { readInt32 } from '../../../src/model/bytes.ts'
import { compareTimestamps, timestampHigh, timestampLow } from '../../../src/model/timestamp.ts'
import type { CellMerge } from './cell-merge.ts'
import { MatchCode } from './match-code.ts'
import type { Matcher } from './matcher.ts'

/** The timestamp as of which a query is answered: cells and tombstones after it do not count. */
export class AsOfTimestamp {
  readonly #high: number
  readonly #low: number

  constructor(timestamp: bigint) {
    this.#high = timestampHigh(timestamp)
    this.#low = timestampLow(timestamp)
  }

  /** True if the KeyValue at buffer[cell] is later than this timestamp. */
  precedes(buffer: Buffer, cell: number): boolean {
    const timestamp = cell + readInt32(buffer, cell) - 1
    const high = readInt32(buffer, timestamp)
    return compareTimestamps(high, readInt32(buffer, timestamp + 4), this.#high, this.#low) > 0
  }
}

/** Shows another matcher only the cells up to a timestamp. */
export class AsOfMatcher implements Matcher {
  readonly #matcher: Matcher
  readonly #asOf: AsOfTimestamp

  constructor(matcher: Matcher, asOf: AsOfTimestamp) {
    this.#matcher = matcher
    this.#asOf = asOf
  }

  get wantedColumn(): Buffer | undefined {
    return this.#matcher.wantedColumn
  }

  startRow(): void {
    this.#matcher.startRow()
  }

  match(cells: CellMerge): MatchCode {
    return this.#asOf.precedes(cells.buffer, cells.cell) ? MatchCode.Skip : this.#matcher.match(cells)
  }

  leaveColumn(cells: CellMerge): MatchCode {
    return this.#matcher.leaveColumn(cells)
  }
}
