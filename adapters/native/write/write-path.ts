/**
 * A write prepares the cells, appends them to the log, puts them into the memstores, and answers once the log has them.
 *
 * The first three happen without a pause, so that a change is atomic and sees all changes before it. Only changes that take longer lock
 * rows, by CheckedRows: slow conditions, and WideChanges. The event loop runs between the log's commits, and the writes of one turn share a
 * commit.
 */
import { CellBlock, CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import type {
  Durability,
  MutationBatch,
  Nonce,
  RowMutation,
  RowPart,
  RowsMutation,
} from '../../../src/model/mutation.ts'
import { EMPTY_RESULT } from '../../../src/model/results.ts'
import type { MutationFailure, RowMutationOutcome } from '../../../src/store/rows.ts'
import type { Region } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import { indexesByRegion, sliceEnd } from './batch-slices.ts'
import { isWideChange, isWideMutation } from './change-cost.ts'
import { regionOfParts } from './checked-rows.ts'
import { greatestDurability, greatestOfParts } from './durability.ts'
import { LargeChange, onceReady } from './large-change.ts'
import { areSameClusters, clustersOf, clustersOfParts } from './logged-clusters.ts'
import { MutationPreparer } from './mutation-preparer.ts'
import { prepareOperations, putTimeAfter } from './prepare-operations.ts'
import type { ConditionOutcome } from './row-condition.ts'
import { appendRepeatedAnswer } from './row-deltas.ts'
import { insertCells, logCells, storePlainCells } from './store-cells.ts'
import { appendStored, areStored } from './stored-results.ts'
import { TableLimits } from './table-limits.ts'
import { tagGrowth } from './tag-growth.ts'
import { type AtomicChange, WideChanges } from './wide-changes.ts'
import { checkNothingLost, checkWritable } from './write-checks.ts'
import type { WritePathParts } from './write-path-parts.ts'
import { WriteWaits } from './write-waits.ts'
import type { WriteWatch } from './write-watch.ts'

export class WritePath {
  readonly #parts: WritePathParts
  readonly #tableLimits: TableLimits
  readonly #preparer: MutationPreparer
  readonly #waits: WriteWaits
  readonly #wide: WideChanges

  constructor(parts: WritePathParts) {
    this.#parts = parts
    this.#waits = new WriteWaits(parts)
    this.#tableLimits = new TableLimits(parts.timestampSlopMs, parts.cellBytesMax)
    this.#preparer = new MutationPreparer(this.#tableLimits, parts.limits)
    this.#wide = new WideChanges(parts, this.#waits, this.#tableLimits)
  }

  /** See Rows.mutate. */
  async mutate(
    served: TargetRegions,
    batch: MutationBatch,
    watch: WriteWatch,
  ): Promise<readonly MutationFailure[]> {
    const { wal, turns, wideCost } = this.#parts
    const failures: MutationFailure[] = []
    const counted = tagGrowth(batch)
    const growth = counted instanceof Promise ? await counted : counted
    let onDisk = false
    let isCopied = true
    if (wal.failure !== undefined) await wal.restart()
    const logFailures = wal.failures
    for (let start = 0; start < batch.length; ) {
      if (start > 0) await turns.next()
      watch.check()
      const end = sliceEnd(batch, start, growth, wideCost)
      const wait = (): Promise<unknown> | undefined => this.#waits.beforeSlice(served, batch, start, end)
      for (let pause = wait(); pause !== undefined; pause = wait()) {
        await pause
        watch.check()
      }
      checkNothingLost(wal, logFailures)
      const slice = indexesByRegion(served, batch, start, end, failures)
      for (const [region, indexes] of slice.groups) {
        checkWritable(region, this.#parts)
        const durability = greatestDurability(region, batch, indexes)
        if (end === start + 1 && isWideMutation(batch.blockOf(start), wideCost)) {
          isCopied = false
          const failure = await this.#wide.mutate({ served, watch, logFailures }, region, batch, start)
          if (failure !== undefined) failures.push(failure)
        } else this.#storeAll(region, batch, indexes, failures, durability)
        onDisk ||= durability === 'FSYNC_WAL'
      }
      start = slice.end
    }
    watch.stored?.()
    await wal.committed(onDisk)
    checkNothingLost(wal, logFailures)
    batch.isCopied = isCopied
    return failures.sort((a, b) => a.index - b.index)
  }

  #storeAll(
    region: Region,
    batch: MutationBatch,
    indexes: readonly number[],
    failures: MutationFailure[],
    durability: Durability,
  ): void {
    const preparer = this.#preparer
    const now = this.#parts.clock.now()
    region.requests.writes += indexes.length
    const { slopMs, cellBytesMax } = this.#tableLimits.of(region.table)
    const mayBePlain = durability !== 'SKIP_WAL' && slopMs === Number.POSITIVE_INFINITY
    if (mayBePlain && storePlainCells(this.#parts, region, batch, indexes, now, cellBytesMax)) return
    preparer.start(now)
    let clusters: Buffer | undefined
    try {
      for (const index of indexes) {
        try {
          const stated = clustersOf(batch.options[index]!)
          if (!areSameClusters(stated, clusters)) {
            this.#store(region, durability, clusters)
            preparer.start(now)
            clusters = stated
          }
          preparer.nextChange()
          preparer.prepare(region, batch.blockOf(index), batch.options[index]!)
        } catch (error) {
          if (!isHBaseError(error)) throw error
          failures.push({ index, error })
        }
      }
      this.#store(region, durability, clusters)
    } finally {
      preparer.rest()
    }
  }

  /** See Rows.mutateRow. */
  async mutateRow(
    served: TargetRegions,
    mutation: RowMutation,
    watch: WriteWatch,
  ): Promise<RowMutationOutcome> {
    const { row, condition, nonce, returnResults, withTags } = mutation
    const operation = condition === undefined ? 'batchMutate' : 'doCheckAndRowMutate'
    const results = returnResults === false ? undefined : new CellBlockBuilder(256)
    const large = new LargeChange(this.#parts, watch.memory)
    const applied = await this.#changeOnceReady({
      served,
      parts: [mutation],
      isOfOneRow: true,
      nonce,
      watch,
      results,
      large,
      withTags,
      regionOf: () => served.regionOf(row, 0, row.length, operation),
      write: (region, durability, outcome) =>
        this.#writeRow(region, mutation, { results, large }, durability, outcome),
    })
    if (results === undefined) return { applied, results: EMPTY_RESULT }
    return { applied, results: { cells: results.block(), counts: [results.count] } }
  }

  /** See Rows.mutateRows, and `mutate` for `check`. */
  async mutateRows(
    served: TargetRegions,
    { parts, nonce }: RowsMutation,
    watch: WriteWatch,
  ): Promise<boolean> {
    const [first] = parts
    if (first === undefined) return true
    const large = new LargeChange(this.#parts, watch.memory)
    return this.#changeOnceReady({
      served,
      parts,
      nonce,
      watch,
      results: undefined,
      large,
      regionOf: () => regionOfParts(served, parts, first),
      write: (region, durability, outcome) =>
        outcome?.holds === false ? false : this.#writeRows(region, parts, nonce, large, durability),
    })
  }

  #changeOnceReady(change: AtomicChange): Promise<boolean> {
    return onceReady(change.large, change.watch, () => {
      change.results?.clear()
      return this.#change(change)
    })
  }

  /** Makes one atomic change, which may take several turns of the event loop. */
  async #change(change: AtomicChange): Promise<boolean> {
    const { served, parts, nonce, watch } = change
    const waits = this.#waits
    for (let wait = waits.before(served, parts); wait !== undefined; wait = waits.before(served, parts)) {
      await wait
      watch.check()
    }
    const { nonces, clock, wal, wideCost } = this.#parts
    const logFailures = wal.failures
    let region = change.regionOf()
    const durability = greatestOfParts(region, parts)
    checkWritable(region, this.#parts)
    this.#tableLimits.of(region.table).checkSizes(parts)
    const isMade = nonces.readPoint(nonce) !== undefined
    const isWide = !isMade && isWideChange(parts, wideCost)
    const check = isMade
      ? undefined
      : waits.checkedRows.begin(region, parts, clock.now(), isWide, change.large)
    let applied: boolean
    try {
      if (check !== undefined && check.outcome === undefined) {
        await check.finish(watch)
        for (let wait = waits.before(served, []); wait !== undefined; wait = waits.before(served, [])) {
          await wait
          watch.check()
        }
        // The condition may have read a write that the log has refused meanwhile.
        checkNothingLost(wal, logFailures)
        region = change.regionOf()
      }
      if (isWide && check?.outcome?.holds !== false) {
        check?.lock()
        await this.#wide.makeAll(change, logFailures, check?.outcome)
        applied = true
      } else applied = change.write(region, durability, check?.outcome)
    } finally {
      check?.end()
      this.#preparer.rest()
    }
    region.requests.writes += parts.length
    watch.stored?.()
    // The condition may have been refuted by a write that is not committed yet.
    await this.#committed(nonce, durability === 'FSYNC_WAL')
    return applied
  }

  async #committed(nonce: Nonce | undefined, onDisk: boolean): Promise<void> {
    const { wal, mvcc, nonces } = this.#parts
    const { lastSequenceId } = mvcc
    try {
      await wal.committed(onDisk)
    } catch (error) {
      // A change that the log has dropped may be sent again; one that is only not known to be on disk may not.
      if (mvcc.readPoint < lastSequenceId) nonces.remove(nonce)
      throw error
    }
  }

  #writeRow(
    region: Region,
    mutation: RowMutation,
    { results, large }: Pick<AtomicChange, 'results' | 'large'>,
    durability: Durability,
    outcome: ConditionOutcome | undefined,
  ): boolean {
    const { clock, nonces, cellBytesMax, limits } = this.#parts
    const { row, options, nonce, withTags } = mutation
    checkWritable(region, this.#parts)
    const preparer = this.#preparer
    const now = clock.now()
    const putTime = putTimeAfter(outcome?.timestamp, now)
    const { changeBytesMax } = limits
    const context = { region, now, withTags, cellBytesMax, changeBytesMax, putTime, large }
    const madeAt = nonces.readPoint(nonce)
    if (madeAt !== undefined) {
      if (results !== undefined) appendRepeatedAnswer(mutation, { ...context, row, options }, madeAt, results)
      return true
    }
    if (outcome?.holds === false) return false
    const clusters = clustersOfParts([mutation])
    preparer.start(now)
    const shares = areStored(mutation)
    prepareOperations(mutation, context, preparer, shares ? undefined : results)
    this.#store(region, durability, clusters)
    if (shares && results !== undefined) appendStored(preparer, results)
    nonces.add(nonce, this.#parts.mvcc.lastSequenceId)
    return true
  }

  #writeRows(
    region: Region,
    parts: readonly RowPart[],
    nonce: Nonce | undefined,
    large: LargeChange,
    durability: Durability,
  ): boolean {
    const { clock, nonces, cellBytesMax, limits, mvcc } = this.#parts
    checkWritable(region, this.#parts)
    if (nonces.readPoint(nonce) !== undefined) return true
    const clusters = clustersOfParts(parts)
    const preparer = this.#preparer
    const now = clock.now()
    preparer.start(now)
    const context = { region, now, cellBytesMax, changeBytesMax: limits.changeBytesMax, large }
    for (const part of parts) prepareOperations(part, context, preparer, undefined)
    this.#store(region, durability, clusters)
    nonces.add(nonce, mvcc.lastSequenceId)
    return true
  }

  /** Stores all prepared cells as one change. */
  #store(region: Region, durability: Durability, clusters: Buffer | undefined): void {
    const { cells } = this.#preparer
    if (cells.length === 0) return
    const sequenceId = logCells(this.#parts, region, cells, durability, false, clusters)
    insertCells(this.#parts, region, new CellBlock(cells.buffer, 0, cells.length), sequenceId)
  }
}
