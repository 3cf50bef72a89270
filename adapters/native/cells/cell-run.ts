import type { TimeRange } from '../../../src/model/time-range.ts'
import type { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { BloomHash } from './bloom-hash.ts'
import type { PlainRowsTarget } from './plain-cells.ts'
import type { SeekKey } from './seek-key.ts'

/**
 * A sorted run of one family's cells, which reads merge with other runs: a memstore, a snapshot under flush, or a store
 * file. Order: compareCells, and of equal keys the greater sequence id first.
 */
export interface CellRun {
  /** If two runs have a cell of one key, the cell of the run with the greater id is newer. */
  readonly maxSequenceId: number
  /** False only if the run has no cell of the row. `hash`: the row's or a reset one; the caller asks several runs. */
  mayHaveRow(row: Buffer, hash?: BloomHash): boolean
  /** False only if the run has no cell of a row in [start, stop]; an EMPTY bound is open. */
  mayHaveRows(start: Buffer, stop: Buffer): boolean
  /** False only if the run has no cell in the range and no tombstone that hides cells in it. */
  mayHaveTimes(range: TimeRange): boolean
  /**
   * Walks the cells up to this sequence id. The iterator stands nowhere until it is moved. Without `cacheBlocks`, data that
   * is read from disk stays out of the block cache.
   */
  iterator(readPoint: number, cacheBlocks?: boolean): CellIterator
  /**
   * As `iterator`, for a read of one row, to which `seek` must move it first: cells of other rows may be missing. A run may hand
   * out the same iterator again, once it is closed. A closed one must not be used.
   */
  pointIterator(readPoint: number, cacheBlocks?: boolean): CellIterator
  /**
   * A `pointIterator` at the row's first cell; undefined where the run has no cell of it. For runs that do this faster than `mayHaveRow` and
   * a seek. `first` sorts before every cell of the row; `hash`: as for mayHaveRow.
   */
  findRow?(
    row: Buffer,
    first: SeekKey,
    hash: BloomHash,
    readPoint: number,
    cacheBlocks: boolean,
  ): CellIterator | undefined
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
  /** Offset of the cell's tags in `buffer`; tagsBytes is 0 if it has none. */
  readonly tags: number
  readonly tagsBytes: number
  readonly sequenceId: number
  /** Bytes of blocks that it keeps in memory, until it is closed. */
  readonly heldBytes: number
  seekToFirst(): void
  /** Moves to the first cell that does not sort before the KeyValue at key[keyCell], backwards if need be. */
  seek(key: Buffer, keyCell: number): void
  next(): void
  /** As seek, for a key that does not sort before the present cell: what is near is found without a search. */
  seekForward(key: Buffer, keyCell: number): void
  /** Moves to the first cell after this one that is of another column or row, however many versions lie between. */
  leaveColumn(): void
  /**
   * Adds rows of puts without tags and goes behind them, as far as the run finds them faster than a walk from cell to cell; perhaps none. It
   * must stand at the first cell of a row, and then stands at one. Of each column, only the newest cell is added.
   */
  addPlainRows?(target: PlainRowsTarget): void
  /** Moves to the last cell of the greatest row before `row`, or of the last row for EMPTY. */
  seekBeforeRow(row: Buffer): void
  /**
   * Keeps the bytes of all cells where they are, even when the iterator is closed, until the returned function is called.
   * If it is never called, the garbage collector takes the memory.
   */
  lend(): () => void
  close(): void
}
