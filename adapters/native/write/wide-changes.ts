/**
 * Changes with very many cells, made in steps between which other requests have their turn. Their rows are locked meanwhile. The cells are
 * prepared, then put into the memstores, where no read sees them. One last step logs them all and makes them whole. So readers, the log and
 * a flush have all of a change or nothing.
 */

import { assert } from '../../../src/model/assert.ts'
import { CellBlock, type CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Durability, MutationBatch, Nonce, RowPart } from '../../../src/model/mutation.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import { GradualInsert } from '../region/gradual-insert.ts'
import type { Region } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import { STEP_COST } from './change-cost.ts'
import { rowOfBlock } from './checked-rows.ts'
import { greatestOfParts } from './durability.ts'
import { LargeChange } from './large-change.ts'
import { clustersOfParts } from './logged-clusters.ts'
import { MutationPreparer } from './mutation-preparer.ts'
import { partsInSteps, putTimeAfter } from './prepare-operations.ts'
import type { ConditionOutcome } from './row-condition.ts'
import { logCells } from './store-cells.ts'
import type { TableLimits } from './table-limits.ts'
import { checkNothingLost, checkOpenForWrites, checkWritable } from './write-checks.ts'
import type { WritePathParts } from './write-path-parts.ts'
import type { WriteWaits } from './write-waits.ts'
import type { WriteWatch } from './write-watch.ts'

/** A change that is made as a whole or not at all. */
export interface AtomicChange {
  readonly served: TargetRegions
  readonly parts: readonly RowPart[]
  readonly nonce?: Nonce | undefined
  readonly watch: WriteWatch
  /** The new cells of increments and appends. */
  readonly results: CellBlockBuilder | undefined
  readonly large: LargeChange
  /** A change of mutateRow: its puts are later than the cell that its condition has read. */
  readonly isOfOneRow?: boolean
  /** See RowMutation. */
  readonly withTags?: boolean | undefined
  /** The region of the rows now. */
  regionOf(): Region
  /** Makes it in one turn; false where its condition does not hold. */
  write(region: Region, durability: Durability, outcome: ConditionOutcome | undefined): boolean
}

interface WideChange extends Omit<AtomicChange, 'write' | 'isOfOneRow'> {
  /** Failures of the log when the change began. */
  readonly logFailures: number
  /** The timestamp of the cell that the condition of a single row has read. */
  readonly timestamp?: bigint | undefined
}

export class WideChanges {
  readonly #parts: WritePathParts
  readonly #waits: WriteWaits
  readonly #tableLimits: TableLimits
  readonly #stepCost: number

  constructor(parts: WritePathParts, waits: WriteWaits, tableLimits: TableLimits) {
    this.#parts = parts
    this.#waits = waits
    this.#tableLimits = tableLimits
    this.#stepCost = Math.min(STEP_COST, parts.wideCost)
  }

  /** Makes a change whose rows are locked and whose conditions hold. Throws what the preparation of its cells throws, as `checkWritable`, and UNAVAILABLE. */
  async makeAll(
    change: AtomicChange,
    logFailures: number,
    outcome: ConditionOutcome | undefined,
  ): Promise<void> {
    const timestamp = change.isOfOneRow === true ? outcome?.timestamp : undefined
    const refusal = await this.#make({ ...change, logFailures, timestamp })
    if (refusal !== undefined) throw refusal
  }

  /** Makes one mutation of a batch, whose row is not locked. Throws as makeAll, but for refused cells. */
  async mutate(
    { served, watch, logFailures }: Pick<WideChange, 'served' | 'watch' | 'logFailures'>,
    region: Region,
    batch: MutationBatch,
    index: number,
  ): Promise<MutationFailure | undefined> {
    const cells = batch.blockOf(index)
    const row = rowOfBlock(cells)
    const parts = [{ row, operations: [{ kind: 'mutate', cells }] as const, options: batch.options[index]! }]
    const regionOf = (): Region => served.regionOf(row, 0, row.length, 'batchMutate')
    const large = new LargeChange(this.#parts, watch.memory)
    region.requests.writes++
    const unlock = this.#waits.checkedRows.lock(region.table.name, parts)
    try {
      const error = await this.#make({
        served,
        watch,
        logFailures,
        parts,
        results: undefined,
        large,
        regionOf,
      })
      return error && { index, error }
    } catch (error) {
      // The other mutations of the batch do not fail with it.
      if (isHBaseError(error) && error.code === 'NOT_SERVING_REGION') return { index, error }
      throw error
    } finally {
      unlock()
    }
  }

  /** Returns the error of cells that are refused. */
  async #make(change: WideChange): Promise<HBaseError | undefined> {
    for (;;) {
      const made = await this.#attempt(change)
      if (made !== 'again') return made === 'made' ? undefined : made
    }
  }

  /** 'again': the region was replaced meanwhile. */
  async #attempt(change: WideChange): Promise<'made' | 'again' | HBaseError> {
    const region = await this.#ready(change)
    checkWritable(region, this.#parts)
    const preparer = new MutationPreparer(this.#tableLimits, this.#parts.limits)
    const { stores } = region
    const isSame = (): boolean => region.isOpen && region.stores === stores
    const prepared = await this.#prepare(change, region, preparer, isSame)
    if (prepared instanceof HBaseError) return prepared
    if (!prepared || (await this.#ready(change)) !== region || !isSame()) return 'again'
    const { cells } = preparer
    if (cells.length === 0) {
      this.#parts.nonces.add(change.nonce, this.#parts.mvcc.lastSequenceId)
      return 'made'
    }
    // In the turn of the microtasks since then, a flush or an exchange of regions may have begun.
    if (this.#waitOf(change, region) !== undefined || !isSame()) return 'again'
    const insert = new GradualInsert(region, new CellBlock(cells.buffer, 0, cells.length))
    try {
      const steps = this.#insertInSteps(region, insert)
      if (!(await this.#inTurns(change, () => !insert.isStale, steps)) || insert.isStale) return 'again'
      this.#settle(change, region, insert, cells)
    } finally {
      insert.end()
    }
    return 'made'
  }

  async #prepare(
    change: WideChange,
    region: Region,
    preparer: MutationPreparer,
    isSame: () => boolean,
  ): Promise<boolean | HBaseError> {
    const { clock, cellBytesMax, limits } = this.#parts
    const { parts, results, withTags, timestamp, large } = change
    const now = clock.now()
    preparer.start(now)
    results?.clear()
    large.readAgain()
    const putTime = putTimeAfter(timestamp, now)
    const { changeBytesMax } = limits
    const stepCost = this.#stepCost
    const context = { region, now, withTags, cellBytesMax, changeBytesMax, putTime, stepCost, large }
    let refusal: HBaseError | undefined
    function* steps(): Steps<void> {
      try {
        clustersOfParts(parts)
        yield* partsInSteps(parts, context, preparer, results)
      } catch (error) {
        if (!isHBaseError(error)) throw error
        refusal = error
      }
    }
    const isPrepared = await this.#inTurns(change, isSame, steps())
    return refusal ?? isPrepared
  }

  /** The region of the change, once nothing keeps the change from going on in it. */
  async #ready(change: WideChange): Promise<Region> {
    for (;;) {
      const region = change.regionOf()
      const wait = this.#waitOf(change, region)
      if (wait === undefined) return region
      await wait
      change.watch.check()
    }
  }

  /** The event that the change has to wait for; undefined: none. Throws UNAVAILABLE where the log has lost writes since the change began. */
  #waitOf({ served, logFailures }: WideChange, region: Region): Promise<unknown> | undefined {
    // Before the wait is made: no caller would await an attempt to restart the log.
    checkNothingLost(this.#parts.wal, logFailures)
    return this.#waits.before(served, []) ?? region.inserts.resumed
  }

  /** Does the steps in turns; false where the region was replaced between two of them. */
  #inTurns(
    { watch, logFailures }: WideChange,
    isSame: () => boolean,
    steps: Steps<unknown>,
  ): Promise<boolean> {
    const { turns, wal } = this.#parts
    return turns.run(whileSame(isSame, steps), () => {
      watch.check()
      checkNothingLost(wal, logFailures)
    })
  }

  *#insertInSteps(region: Region, insert: GradualInsert): Steps<void> {
    for (let goesOn = true; goesOn; ) {
      const before = region.memstoreBytes
      goesOn = insert.insert(this.#stepCost)
      this.#parts.limits.grew(region, region.memstoreBytes - before)
      if (goesOn) yield
    }
  }

  #settle(change: WideChange, region: Region, insert: GradualInsert, cells: CellBlockBuilder): void {
    assert(change.regionOf() === region, 'a region was replaced while cells were put into its memstores')
    checkOpenForWrites(region, this.#parts)
    const durability = greatestOfParts(region, change.parts)
    const clusters = clustersOfParts(change.parts)
    const sequenceId = logCells(this.#parts, region, cells, durability, true, clusters)
    insert.settle(sequenceId)
    this.#parts.wal.commitIfLarge()
    this.#parts.nonces.add(change.nonce, sequenceId)
  }
}

function* whileSame(isSame: () => boolean, steps: Steps<unknown>): Steps<boolean> {
  while (steps.next().done !== true) {
    yield
    if (!isSame()) return false
  }
  return true
}
