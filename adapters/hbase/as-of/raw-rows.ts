import { EMPTY } from '../../../src/model/bytes.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { ALL_VERSIONS, type Query, type Scan, scan } from '../../../src/model/query.ts'
import { gathered, type Results } from '../../../src/model/results.ts'
import type { StoredRow } from '../../../src/query/stored-cell.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Time } from '../retry/time.ts'
import type { HBaseScanner } from '../scan/hbase-scanner.ts'
import { timesUpTo } from './within-time-range.ts'

/** The most rows and bytes held at a time. */
const ROWS = 128
const BYTES = 2 * 1024 * 1024

type RowRange = Pick<Scan, 'startRow' | 'includeStartRow' | 'stopRow' | 'includeStopRow' | 'reversed'>

/** A scan of all cells and tombstones up to `asOf` in a range of rows. It reads whole families, since raw scans cannot name columns. */
export function rawScan({ columns, cacheBlocks }: Query, asOf: bigint, range: RowRange): Scan {
  const { startRow, includeStartRow, stopRow, includeStopRow, reversed } = range
  return scan({
    columns: columns.map(({ family }) => ({ family, qualifiers: undefined })),
    timeRange: timesUpTo(asOf),
    maxVersions: ALL_VERSIONS,
    cacheBlocks,
    raw: true,
    startRow,
    includeStartRow,
    stopRow,
    includeStopRow,
    reversed,
  })
}

/** The rows of a raw scan, one after the other. */
export class RawRows implements AsyncIterator<StoredRow, undefined> {
  /** The call that reads the rows. */
  call: Call
  /** The time (of Time.now) at which the reading stops. */
  until: number = Number.POSITIVE_INFINITY
  readonly #scanner: HBaseScanner
  readonly #time: Time
  #ready: StoredRow[] = []
  #lastKey: Buffer = EMPTY
  #ended = false

  constructor(scanner: HBaseScanner, time: Time, call: Call) {
    this.#scanner = scanner
    this.#time = time
    this.call = call
  }

  /** The next row. When the time is over, a row without cells at the scan's position. */
  async next(): Promise<IteratorResult<StoredRow, undefined>> {
    while (this.#ready.length === 0) {
      if (this.#ended) return { done: true, value: undefined }
      const timeMs = this.until === Number.POSITIVE_INFINITY ? undefined : this.until - this.#time.now()
      const batch = await this.#scanner.next(
        { rows: ROWS, bytes: BYTES, allowPartial: false, timeMs },
        this.call,
      )
      this.#ended = batch.ended === 'scan'
      this.#ready = storedRows(gathered(batch.results))
      const isLate = this.#ready.length === 0 && !this.#ended && this.#time.now() >= this.until
      if (isLate) return { value: { key: batch.position ?? this.#lastKey, cells: [] } }
    }
    const value = this.#ready.shift()!
    this.#lastKey = value.key
    return { value }
  }
}

function storedRows({ cells, counts }: Results): StoredRow[] {
  const all = cellsOf(cells)
  let at = 0
  return counts.map((count) => {
    const ofRow = all.slice(at, at + count)
    at += count
    return { key: ofRow[0]!.row, cells: ofRow }
  })
}
