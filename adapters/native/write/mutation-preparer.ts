/**
 * Turns a client's cells into the cells that the region stores. A whole-row tombstone becomes one for each family. The present time
 * replaces Long.MAX_VALUE. The deletion of a column's newest version gets that version's timestamp. HBase: HRegion.checkFamilies,
 * updateCellTimestamps, prepareDeleteTimestamps.
 *
 * Its reads see all earlier writes, even those that the log has not committed: if the log fails, it fails the mutations
 * prepared on top of them, too.
 */

import { EMPTY, readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { CellType, cellLength, timestampOffset } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, CellBlock, CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { checkCellSizes } from '../../../src/model/cell-size-limit.ts'
import { tagsOfMutation } from '../../../src/model/cell-tags.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { MutationOptions } from '../../../src/model/mutation.ts'
import type { Steps } from '../../../src/model/steps.ts'
import { LATEST_HIGH, LATEST_LOW, millisHigh, millisLow } from '../../../src/model/timestamp.ts'
import type { Visibility } from '../../../src/model/visibility.ts'
import { WordCopier } from '../platform/word-copier.ts'
import type { MemstoreLimits } from '../region/memstore-limits.ts'
import type { Region } from '../region/region.ts'
import { costOf } from './change-cost.ts'
import { hasCellFamily, isNegative, isOfWholeRow, isPutAfter, mutationRefusal } from './mutation-refusal.ts'
import { NewestVersions } from './newest-versions.ts'
import { TableLimits } from './table-limits.ts'

/** A batch's slice mostly needs less; what a huge cell needed is not kept. */
const KEPT_BYTES_MAX = 2 * 1024 * 1024
const FIRST_BYTES = 64 * 1024

export class MutationPreparer {
  /** The prepared cells. */
  readonly cells: CellBlockBuilder = new CellBlockBuilder(FIRST_BYTES)
  readonly #cursor = new CellCursor(CellBlock.EMPTY)
  readonly #copier = new WordCopier()
  /** Columns of which the present mutation deletes the newest version. */
  readonly #newest = new NewestVersions()
  #now = 0
  #nowHigh = 0
  #nowLow = 0
  readonly #limits: Pick<MemstoreLimits, 'changeBytesMax'>
  /** Bytes of the tags of one change's cells so far. */
  #tagsBytes = 0
  /** Tags of all cells of the present mutation that have none of their own; undefined: not made yet. */
  #ofOptions: Buffer | undefined
  readonly #tableLimits: TableLimits

  constructor(
    tableLimits: TableLimits = new TableLimits(),
    limits: Pick<MemstoreLimits, 'changeBytesMax'> = { changeBytesMax: Number.POSITIVE_INFINITY },
  ) {
    this.#limits = limits
    this.#tableLimits = tableLimits
  }

  get now(): number {
    return this.#now
  }

  /** Begins anew, at a time in milliseconds since 1970. */
  start(now: number): void {
    this.cells.clear()
    this.nextChange()
    this.#copier.reset()
    this.#now = now
    this.#nowHigh = millisHigh(now)
    this.#nowLow = millisLow(now)
  }

  /** The mutations that follow are another change than those before, with as many bytes of tags as any. */
  nextChange(): void {
    this.#tagsBytes = 0
  }

  /** Lets go of the clients' memory and of large memory of its own: it would keep them until the next write, without use. */
  rest(): void {
    this.#cursor.reset(CellBlock.EMPTY)
    this.#copier.reset()
    this.#ofOptions = undefined
    if (this.cells.buffer.length > KEPT_BYTES_MAX) this.cells.buffer = Buffer.allocUnsafe(FIRST_BYTES)
  }

  /** Leaves the memory of the prepared cells to another user. */
  handOver(): void {
    this.cells.buffer = Buffer.allocUnsafe(FIRST_BYTES)
    this.cells.clear()
  }

  /**
   * Adds one mutation's cells, all of one row of the region. Throws ILLEGAL_ARGUMENT for a negative timestamp and
   * NO_SUCH_COLUMN_FAMILY, as checkCellSizes, and TOO_LARGE for more tags than one change may have; it has added no cell then.
   * `putTime`: timestamp for puts without one, if it is not the present time.
   */
  prepare(
    region: Region,
    block: CellBlock,
    options: MutationOptions,
    putTime?: readonly [number, number],
  ): void {
    const { cells } = this
    const before = cells.length
    const countBefore = cells.count
    try {
      this.#begin(region, block)
      this.#prepareCells(region, block, options, putTime, Number.POSITIVE_INFINITY)
    } catch (error) {
      // Nothing of a refused mutation may be stored: its newest version could not be read, say.
      cells.length = before
      cells.count = countBefore
      throw error
    }
  }

  /** As prepare, in steps between which other requests may have their turn, but for changes of the row. Cells of a refused mutation stay. */
  *prepareInSteps(
    region: Region,
    block: CellBlock,
    options: MutationOptions,
    putTime: readonly [number, number] | undefined,
    stepCost: number,
  ): Steps<void> {
    this.#begin(region, block)
    while (this.#prepareCells(region, block, options, putTime, stepCost)) yield
  }

  #begin(region: Region, block: CellBlock): void {
    this.#cursor.reset(block)
    checkCellSizes(block, this.#tableLimits.of(region.table).cellBytesMax)
    this.#newest.clear()
    this.#ofOptions = undefined
  }

  /** Prepares cells that cost so much; false: all are prepared. */
  #prepareCells(
    region: Region,
    block: CellBlock,
    options: MutationOptions,
    putTime: readonly [number, number] | undefined,
    cost: number,
  ): boolean {
    const { cells } = this
    const cursor = this.#cursor
    const { tags: added, ttlMs } = options
    const { slopMs } = this.#tableLimits.of(region.table)
    const newest = this.#now + slopMs
    for (let left = cost; left > 0; left -= costOf(cursor)) {
      if (!cursor.next()) return false
      const { buffer, cell } = cursor
      const isWholeRow = isOfWholeRow(cursor)
      const isTooNew = newest < Number.POSITIVE_INFINITY && isPutAfter(cursor, newest)
      if (isTooNew || isNegative(cursor) || (!isWholeRow && !hasCellFamily(region, cursor)))
        throw mutationRefusal(region, block, newest, slopMs)
      if (isWholeRow) {
        this.#expandToFamilies(region, this.#tagsOfCell(options))
        continue
      }
      const at = cells.length
      this.#appendCell(buffer, cell)
      this.#settleTimestamp(region, at + CELL_PREFIX_BYTES, options, putTime)
      const hasTags = cursor.tagsBytes > 0
      if (hasTags || ttlMs !== undefined || added !== undefined)
        this.#appendTags(at, this.#tagsOfCell(options), cursor.tagsBytes)
    }
    return true
  }

  /** The tags of the cell at the cursor. */
  #tagsOfCell({ tags: added, ttlMs }: MutationOptions): Buffer {
    const { tags, tagsBytes } = this.#cursor
    if (tagsBytes > 0) return tagsOfMutation(tags, added, ttlMs)
    this.#ofOptions ??= tagsOfMutation(EMPTY, added, ttlMs)
    return this.#ofOptions
  }

  /** Some KB of tags are stated once, and thousands of cells have them. `own`: bytes that the cell came with, which do not count. */
  #appendTags(cell: number, tags: Buffer, own: number): void {
    const { changeBytesMax } = this.#limits
    this.#tagsBytes += Math.max(0, tags.length - own)
    if (this.#tagsBytes > changeBytesMax)
      throw new HBaseError(
        'TOO_LARGE',
        `the tags of one change's cells (permissions, labels, times to live) exceed ${changeBytesMax} bytes: ` +
          'change fewer cells together, or send shorter attributes',
      )
    this.cells.appendTags(cell, tags)
  }

  #appendCell(source: Buffer, cell: number): void {
    const { cells } = this
    const bytes = cellLength(source, cell)
    const at = cells.reserve(CELL_PREFIX_BYTES + bytes)
    writeInt32(cells.buffer, at, bytes)
    this.#copier.copy(source, cell, cells.buffer, at + CELL_PREFIX_BYTES, bytes)
    cells.length = at + CELL_PREFIX_BYTES + bytes
    cells.count++
  }

  #expandToFamilies(region: Region, tags: Buffer): void {
    const { buffer, rowOffset, rowLength, timestampOffset: time, type } = this.#cursor
    const row = buffer.subarray(rowOffset, rowOffset + rowLength)
    for (const { rules } of region.stores) {
      const at = this.cells.length
      this.cells.append(
        row,
        rules.name,
        EMPTY,
        readInt32(buffer, time),
        readInt32(buffer, time + 4),
        type,
        EMPTY,
      )
      this.#writeNow(at + CELL_PREFIX_BYTES)
      this.#appendTags(at, tags, 0)
    }
  }

  /** Replaces the timestamp Long.MAX_VALUE of the prepared cell at `cell` by the one that it stands for. */
  #settleTimestamp(
    region: Region,
    cell: number,
    options: MutationOptions,
    putTime: readonly [number, number] | undefined,
  ): void {
    const { buffer } = this.cells
    const { type } = this.#cursor
    const time = timestampOffset(buffer, cell)
    if (readInt32(buffer, time + 4) !== LATEST_LOW || readInt32(buffer, time) !== LATEST_HIGH) return
    if (type === CellType.Delete) this.#resolveNewestVersion(region, cell, options)
    else if (type === CellType.Put && putTime !== undefined) {
      writeInt32(buffer, time, putTime[0])
      writeInt32(buffer, time + 4, putTime[1])
    } else this.#writeNow(cell)
  }

  #writeNow(cell: number): void {
    const { buffer } = this.cells
    const time = timestampOffset(buffer, cell)
    if (readInt32(buffer, time + 4) !== LATEST_LOW || readInt32(buffer, time) !== LATEST_HIGH) return
    writeInt32(buffer, time, this.#nowHigh)
    writeInt32(buffer, time + 4, this.#nowLow)
  }

  /** The nth deletion of a column's newest version in one mutation deletes the nth newest. */
  #resolveNewestVersion(region: Region, cell: number, { tags: added, ttlMs }: MutationOptions): void {
    const deleted = this.#cursor
    const { buffer, familyOffset, familyLength } = deleted
    const isLabelled = region.storeOf(buffer, familyOffset, familyLength)?.rules.isLabelled === true
    const visibility: Visibility | undefined = isLabelled
      ? { kind: 'same', tags: tagsOfMutation(deleted.tags, added, ttlMs) }
      : undefined
    const found = this.#newest.next(region, deleted, this.#now, visibility)
    if (found === undefined) {
      this.#writeNow(cell)
      return
    }
    const time = timestampOffset(this.cells.buffer, cell)
    found.buffer.copy(this.cells.buffer, time, found.timestampOffset, found.timestampOffset + 8)
  }
}
