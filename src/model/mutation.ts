/**
 * Puts, deletes, increments and appends, as cells.
 *
 * The timestamp Long.MAX_VALUE means the store's present time. A delete of a whole row is one DeleteFamily (or, for one
 * version, DeleteFamilyVersion) cell with an empty family. A Delete cell with the timestamp Long.MAX_VALUE deletes the
 * newest version of its column.
 */

import { EMPTY } from './bytes.ts'
import { CellType } from './cell.ts'
import { CellBlock, CellBlockBuilder } from './cell-block.ts'
import type { Comparator, CompareOperator, Filter } from './filter.ts'
import { checkRow } from './query.ts'
import type { TimeRange } from './time-range.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from './timestamp.ts'

/**
 * When the store answers a write. SYNC_WAL: once the log is handed to the operating system (survives kill -9); FSYNC_WAL:
 * once it is on disk (survives a power loss); ASYNC_WAL: before that; SKIP_WAL: the store does not log the write.
 */
export type Durability = 'USE_DEFAULT' | 'SKIP_WAL' | 'ASYNC_WAL' | 'SYNC_WAL' | 'FSYNC_WAL'

/** Lets a store recognise a change that a client repeats because its answer was lost. HBase: NonceGenerator. */
export interface Nonce {
  /** Identifies the client. */
  readonly group: bigint
  /** Identifies the change among the client's own; not 0n, HConstants.NO_NONCE. */
  readonly nonce: bigint
}

/** HBase's operation attributes: values that a client sends with a mutation, by name. */
export type MutationAttributes = ReadonlyMap<string, Buffer>

export interface MutationOptions {
  readonly durability: Durability
  /** Milliseconds after its timestamp at which a cell of this mutation expires. */
  readonly ttlMs?: number
  /**
   * Tags that each cell gets, see cell-tags.ts. They replace tags of their types: those that the cell came with and those that an
   * increment or append carries over from the present cell.
   */
  readonly tags?: Buffer
  readonly attributes?: MutationAttributes
}

export const DEFAULT_MUTATION_OPTIONS: MutationOptions = { durability: 'USE_DEFAULT' }

/**
 * Each cell of a change has its row, which a request states once: some hundred kilobytes can state gigabytes of cells. A batch grows
 * to so many bytes, or to this many times those that were foreseen.
 */
export const BATCH_BYTES_MAX: number = 256 * 1024 * 1024
const GROWTH_MAX = 16

export function batchBytesMax(foreseen: number): number {
  return Math.max(BATCH_BYTES_MAX, GROWTH_MAX * foreseen)
}

/**
 * Independent mutations of many rows, their cells in one block. The store applies each atomically, in their order; a
 * mutation that fails does not stop the others.
 */
export class MutationBatch {
  readonly cells: CellBlockBuilder
  /** ends[i]: byte offset in `cells` after the last cell of mutation i, which begins at ends[i - 1] (or 0). */
  readonly ends: number[]
  readonly options: MutationOptions[]
  /** True once a store has copied the cells, and refers to their memory no more. Stores that may keep it leave it false. */
  isCopied = false

  /** `memory`: as CellBlockBuilder's. */
  constructor(memory: Buffer | number = 1024, ends: number[] = [], options: MutationOptions[] = []) {
    const foreseen = typeof memory === 'number' ? memory : memory.length
    this.cells = new CellBlockBuilder(memory, batchBytesMax(foreseen))
    this.ends = ends
    this.options = options
  }

  /** A batch of mutations whose `count` cells are there already: they fill `memory`. */
  static inPlace(memory: Buffer, count: number, ends: number[], options: MutationOptions[]): MutationBatch {
    const batch = new MutationBatch(memory, ends, options)
    batch.cells.length = memory.length
    batch.cells.count = count
    return batch
  }

  get length(): number {
    return this.ends.length
  }

  /** Ends the mutation whose cells have been appended since the last one. They must all have one row. */
  endMutation(options: MutationOptions = DEFAULT_MUTATION_OPTIONS): void {
    this.ends.push(this.cells.length)
    this.options.push(options)
  }

  /** Adds the mutations of another batch after the present ones. */
  append(batch: MutationBatch): void {
    const { cells } = this
    const { length, count, buffer } = batch.cells
    const shift = cells.reserve(length)
    buffer.copy(cells.buffer, shift, 0, length)
    cells.length += length
    cells.count += count
    for (const end of batch.ends) this.ends.push(end + shift)
    for (const options of batch.options) this.options.push(options)
  }

  /** The cells of one mutation. */
  blockOf(index: number): CellBlock {
    const start = index === 0 ? 0 : this.ends[index - 1]!
    const end = this.ends[index]!
    return new CellBlock(this.cells.buffer, start, end)
  }

  put(row: Buffer, family: Buffer, qualifier: Buffer, value: Buffer, timestamp?: bigint): this {
    return this.cell(row, family, qualifier, CellType.Put, timestamp, value)
  }

  deleteRow(row: Buffer, timestamp?: bigint): this {
    return this.cell(row, EMPTY, EMPTY, CellType.DeleteFamily, timestamp)
  }

  deleteFamily(row: Buffer, family: Buffer, timestamp?: bigint): this {
    return this.cell(row, family, EMPTY, CellType.DeleteFamily, timestamp)
  }

  deleteFamilyVersion(row: Buffer, family: Buffer, timestamp: bigint): this {
    return this.cell(row, family, EMPTY, CellType.DeleteFamilyVersion, timestamp)
  }

  /** All versions of a column up to the timestamp. */
  deleteColumn(row: Buffer, family: Buffer, qualifier: Buffer, timestamp?: bigint): this {
    return this.cell(row, family, qualifier, CellType.DeleteColumn, timestamp)
  }

  /** One version of a column: the one with the timestamp, or the newest. */
  deleteVersion(row: Buffer, family: Buffer, qualifier: Buffer, timestamp?: bigint): this {
    return this.cell(row, family, qualifier, CellType.Delete, timestamp)
  }

  /** Adds one cell to the mutation that is being built. Throws ILLEGAL_ARGUMENT for an empty or too long row. */
  cell(
    row: Buffer,
    family: Buffer,
    qualifier: Buffer,
    type: number,
    timestamp: bigint = LATEST_TIMESTAMP,
    value: Buffer = EMPTY,
  ): this {
    checkRow(row)
    this.cells.append(row, family, qualifier, timestampHigh(timestamp), timestampLow(timestamp), type, value)
    return this
  }
}

/** One step of an atomic change of a row. */
export type RowOperation =
  /** Cells of puts and deletes. */
  | (OperationCells & { readonly kind: 'mutate' })
  /** Values are 8-byte big-endian signed amounts. A counter's new value is the sum, modulo 2^64. */
  | (OperationCells & AdditionFields & { readonly kind: 'increment' })
  /** Values are appended to the values of the columns. */
  | (OperationCells & AdditionFields & { readonly kind: 'append' })

interface OperationCells {
  readonly cells: CellBlock
  /** Undefined: those of the part of the change that the operation belongs to. */
  readonly options?: MutationOptions
}

interface AdditionFields {
  /** The present value is read from there. */
  readonly timeRange?: TimeRange
  /** False: the answer has none of this operation's new cells. */
  readonly returnResults?: boolean
}

/** A condition on a row that the store checks before it changes the row. */
export type Condition = ColumnCondition | FilterCondition

/**
 * The newest cell of a column is compared.
 * QUIRK engine-check-less-a-held-b: the comparator stands on the operator's left, so LESS asks whether its value is less
 * than the cell's.
 * A comparator without a value (undefined, or one of an empty value) stands for "there is none, or an empty one".
 */
export interface ColumnCondition {
  readonly kind: 'column'
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly operator: CompareOperator
  readonly comparator: Comparator | undefined
  readonly timeRange?: TimeRange | undefined
}

/** The filter lets some cell of the row through. */
export interface FilterCondition {
  readonly kind: 'filter'
  readonly filter: Filter
  readonly timeRange?: TimeRange | undefined
}

/**
 * The condition of HBase's older calls: a column's newest value compared byte by byte; undefined: the column has none.
 */
export function valueCondition(
  family: Buffer,
  qualifier: Buffer,
  operator: CompareOperator,
  value: Buffer | undefined,
): ColumnCondition {
  const comparator: Comparator | undefined = value && { kind: 'BinaryComparator', value }
  return { kind: 'column', family, qualifier, operator, comparator }
}

/** The changes of one row, and their condition. */
export interface RowPart {
  readonly row: Buffer
  readonly operations: readonly RowOperation[]
  readonly condition?: Condition | undefined
  readonly options: MutationOptions
}

/** Changes of one row that happen together or, where the condition does not hold, not at all. */
export interface RowMutation extends RowPart {
  /** A change with the nonce of one that was made is not made again; undefined: it has none. */
  readonly nonce?: Nonce | undefined
  /** False: the answer has no cells at all. */
  readonly returnResults?: boolean
  /** True: the cells of the answer have their tags behind them. */
  readonly withTags?: boolean
}

/**
 * Changes of rows of one region that happen together or, where any of their conditions does not hold, not at all. A row may
 * have several parts, and parts without operations. HBase: MultiRowMutationEndpoint.
 */
export interface RowsMutation {
  readonly parts: readonly RowPart[]
  /** The nonce, as in RowMutation. */
  readonly nonce?: Nonce | undefined
}
