/**
 * Writes: prepare the cells, append them to the log, put them into the memstores, and answer once the log has them.
 *
 * The first three happen without a pause, so that a change is atomic and sees all changes before it; there are no row
 * locks. Between the log's commits the event loop runs, and what it brings shares the next one.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { rowLength, rowOffset } from '../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, CellBlock, CellBlockBuilder } from '../../src/model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../src/model/errors.ts'
import type { Durability, MutationBatch, RowMutation } from '../../src/model/mutation.ts'
import { timestampHigh, timestampLow } from '../../src/model/timestamp.ts'
import type { MutationFailure, RowMutationOutcome } from '../../src/store.ts'
import type { Clock } from './file-system.ts'
import type { MemstoreLimits } from './memstore-limits.ts'
import { MutationPreparer } from './mutation-preparer.ts'
import type { Mvcc } from './mvcc.ts'
import type { Region } from './region.ts'
import { evaluateCondition } from './row-condition.ts'
import { prepareDeltas } from './row-deltas.ts'
import type { TableRegions } from './table-regions.ts'
import type { WriteAheadLog } from './wal/write-ahead-log.ts'

/** Mutations and bytes of one record of the log, at most; after so many the event loop runs. */
const SLICE_MUTATIONS_MAX = 2000
const SLICE_BYTES_MAX = 1024 * 1024

export interface WritePathParts {
  readonly wal: WriteAheadLog
  readonly mvcc: Mvcc
  readonly limits: MemstoreLimits
  readonly clock: Clock
  readonly cellBytesMax: number
}

export class WritePath {
  readonly #parts: WritePathParts
  readonly #preparer = new MutationPreparer()

  constructor(parts: WritePathParts) {
    this.#parts = parts
  }

  /** See Store.mutate. `checkTable` is asked again after each pause. */
  async mutate(
    table: TableRegions,
    batch: MutationBatch,
    checkTable: () => void,
  ): Promise<readonly MutationFailure[]> {
    const { limits, wal } = this.#parts
    const failures: MutationFailure[] = []
    let onDisk = false
    let turnStart = 0
    for (let index = 0; index < batch.length; ) {
      if (isTurnOver(batch, turnStart, index)) {
        await nextTurn()
        turnStart = index
      }
      while (limits.isFull) await limits.waitForRoom()
      checkTable()
      const slice = this.#writeSlice(table, batch, index, failures)
      onDisk ||= slice.durability === 'FSYNC_WAL'
      index = slice.end
    }
    await wal.committed(onDisk)
    return failures
  }

  /** Writes the mutations from `start` on that share a region and a durability, up to a slice's size. */
  #writeSlice(
    table: TableRegions,
    batch: MutationBatch,
    start: number,
    failures: MutationFailure[],
  ): { end: number; durability: Durability } {
    const preparer = this.#preparer
    preparer.start(this.#parts.clock.now())
    const durability = durabilityOf(batch.options[start]!.durability, table)
    const last = Math.min(batch.length, start + SLICE_MUTATIONS_MAX)
    let region: Region | undefined
    let index = start
    for (; index < last && preparer.cells.length < SLICE_BYTES_MAX; index++) {
      const options = batch.options[index]!
      if (options.durability !== batch.options[start]!.durability) break
      const block = batch.blockOf(index)
      if (block.byteLength === 0) continue
      const cell = block.start + CELL_PREFIX_BYTES
      const owner = table.regionOf(block.buffer, rowOffset(cell), rowLength(block.buffer, cell))
      if (region !== undefined && owner !== region) break
      if (region === undefined) this.#checkWritable(owner)
      region = owner
      try {
        preparer.prepare(region, block, options)
      } catch (error) {
        if (!isHBaseError(error)) throw error
        failures.push({ index, error })
      }
    }
    if (region !== undefined) this.#store(region, durability)
    return { end: index, durability }
  }

  /** See Store.mutateRow. */
  async mutateRow(
    table: TableRegions,
    mutation: RowMutation,
    checkTable: () => void,
  ): Promise<RowMutationOutcome> {
    const { limits, wal } = this.#parts
    while (limits.isFull) await limits.waitForRoom()
    checkTable()
    const results = new CellBlockBuilder(256)
    const applied = this.#writeRow(table, mutation, results)
    // A condition that does not hold was judged by writes that may not be safe yet.
    await wal.committed(durabilityOf(mutation.options.durability, table) === 'FSYNC_WAL')
    return { applied, results: { cells: results.block(), counts: [results.count] } }
  }

  #writeRow(table: TableRegions, mutation: RowMutation, results: CellBlockBuilder): boolean {
    const { clock, cellBytesMax } = this.#parts
    const { row, operations, condition, options } = mutation
    const region = table.regionOf(row, 0, row.length)
    this.#checkWritable(region)
    const preparer = this.#preparer
    const now = clock.now()
    preparer.start(now)
    let putTime: readonly [number, number] | undefined
    if (condition !== undefined) {
      const { holds, timestamp } = evaluateCondition(region, row, condition, now)
      if (!holds) return false
      if (timestamp !== undefined && timestamp > BigInt(now)) {
        putTime = [timestampHigh(timestamp), timestampLow(timestamp)]
      }
    }
    for (const operation of operations) {
      if (operation.kind === 'mutate') preparer.prepare(region, operation.cells, options, putTime)
      else prepareDeltas(operation, { region, row, options, now, cellBytesMax }, preparer.cells, results)
    }
    this.#store(region, durabilityOf(options.durability, table))
    return true
  }

  #checkWritable(region: Region): void {
    if (region.table.attributes.get('READONLY')?.toLowerCase() === 'true') {
      throw new HBaseError('DO_NOT_RETRY', 'region is read only')
    }
    this.#parts.limits.checkRegion(region)
  }

  /** All that has been prepared, as one change. */
  #store(region: Region, durability: Durability): void {
    const { wal, mvcc, limits } = this.#parts
    const { buffer, length } = this.#preparer.cells
    if (length === 0) return
    if (wal.failure !== undefined) throw wal.failure
    const sequenceId = mvcc.next()
    if (durability !== 'SKIP_WAL') wal.append(region.number, sequenceId, buffer, 0, length)
    const before = region.memstoreBytes
    region.insert(new CellBlock(buffer, 0, length), sequenceId)
    limits.grew(region, region.memstoreBytes - before)
  }
}

/** True where the mutations from `start` up to `end` are as much as may be written without a pause. */
function isTurnOver(batch: MutationBatch, start: number, end: number): boolean {
  if (end === start) return false
  const startByte = start === 0 ? 0 : batch.ends[start - 1]!
  return end - start >= SLICE_MUTATIONS_MAX || batch.ends[end - 1]! - startByte >= SLICE_BYTES_MAX
}

const DURABILITIES: readonly Durability[] = ['SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL']

/** The mutation's own, the table's, or SYNC_WAL. ASYNC_WAL is answered as SYNC_WAL is: handing over costs next to nothing. */
function durabilityOf(stated: Durability, table: TableRegions): Durability {
  if (stated !== 'USE_DEFAULT') return stated
  const ofTable = table.descriptor.attributes.get('DURABILITY')
  return DURABILITIES.find((durability) => durability === ofTable) ?? 'SYNC_WAL'
}
