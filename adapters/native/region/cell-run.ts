import type { TimeRange } from '../../../src/model/time-range.ts'
import type { ViewedBytes } from '../../../src/model/viewed-bytes.ts'

/**
 * A sorted run of one family's cells that reads merge with others: a memstore, a snapshot that is being flushed, or a
 * store file. Order: compareCells, and of equal keys the greater sequence id first.
 */
export interface CellRun {
  /** Of equal keys in two runs, the one of the run with the greater id is newer. */
  readonly maxSequenceId: number
  /** False where no cell of the row can be in the run. */
  mayHaveRow(row: Buffer): boolean
  /** False where no cell of a row in [start, stop] can be in the run; EMPTY bounds are open. */
  mayHaveRows(start: Buffer, stop: Buffer): boolean
  /** False where neither a cell nor what a tombstone hides can lie in the range. */
  mayHaveTimes(range: TimeRange): boolean
  /** Cells up to this sequence id. The iterator stands nowhere until it is moved. */
  iterator(readPoint: number): CellIterator
}

/**
 * A place in a run. After a move, while `valid`, the fields describe one cell; its bytes stay where they are until the
 * iterator is closed.
 */
export interface CellIterator {
  readonly valid: boolean
  readonly buffer: Buffer
  /** `buffer`, with its view. */
  readonly memory: ViewedBytes
  /** Offset of the KeyValue in `buffer`. */
  readonly cell: number
  /** Bytes of the KeyValue, without its tags. */
  readonly cellBytes: number
  /** Offset and bytes of the cell's tags in `buffer`; tagsBytes is 0 where it has none. */
  readonly tags: number
  readonly tagsBytes: number
  readonly sequenceId: number
  seekToFirst(): void
  /** To the first cell that does not sort before the KeyValue at key[keyCell]. May move backwards. */
  seek(key: Buffer, keyCell: number): void
  next(): void
  /** To the last cell of the greatest row before `row`, or of the last row for EMPTY. */
  seekBeforeRow(row: Buffer): void
  /**
   * Keeps the bytes of all cells where they are, even when the iterator is closed, until what it returns is called. Who
   * never calls it leaves them to the garbage collector.
   */
  lend(): () => void
  close(): void
}
