/** Evaluates the condition of a checked mutation. HBase: HRegion.checkAndMutateInternal. */

import type { FilterPreparation, PreparedFilter } from '../../../src/filter/evaluate/prepared-filter.ts'
import { isPause, Turn } from '../../../src/filter/turns/turn.ts'
import type { CellParts } from '../../../src/model/cell.ts'
import { CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Condition } from '../../../src/model/mutation.ts'
import type { Get } from '../../../src/model/query.ts'
import { conditionGet, conditionTest } from '../../../src/query/condition.ts'
import type { FilteredGet } from '../read/filtered-get.ts'
import type { HeldRegion } from '../read/read-region.ts'
import type { Region } from '../region/region.ts'
import type { LargeChange } from './large-change.ts'

export interface ConditionOutcome {
  readonly holds: boolean
  /** Timestamp of the checked cell: the cell that replaces it must not be older. */
  readonly timestamp: bigint | undefined
}

/** The evaluation of the condition of a row, which may pause. It reads all writes so far, committed or not. */
export class ConditionRead {
  readonly #region: Region
  readonly #row: Buffer
  readonly #condition: Condition
  readonly #now: number
  readonly #monotonicMs: () => number
  readonly #turns: LoopTurns
  readonly #turn: Turn
  readonly #large: LargeChange
  readonly #found = new CellBlockBuilder(256)
  #get: FilteredGet | undefined
  #preparation: FilterPreparation | undefined
  /** Set once a condition of the change has paused: the region may have other runs by now, or none. */
  #held: HeldRegion | undefined
  #cell: CellParts | undefined
  #test: ((found: CellParts | undefined) => boolean) | undefined

  constructor(
    region: Region,
    row: Buffer,
    condition: Condition,
    now: number,
    monotonicMs: () => number,
    turns: LoopTurns,
    large: LargeChange,
  ) {
    this.#region = region
    this.#row = row
    this.#condition = condition
    this.#now = now
    this.#monotonicMs = monotonicMs
    this.#turns = turns
    this.#large = large
    this.#turn = new Turn(monotonicMs)
  }

  /** Undefined: it has paused, and goes on with the next call. Throws NotYet, NO_SUCH_COLUMN_FAMILY, and as conditionHolds. */
  next(): ConditionOutcome | undefined {
    if (this.#test === undefined) {
      if (!this.#read()) return undefined
      this.#large.readCondition(this.#found.length)
      const cursor = new CellCursor(this.#found.block())
      this.#cell = cursor.next() ? cursor.parts() : undefined
      this.#test = conditionTest(this.#condition, this.#turn)
    }
    this.#turn.begin(this.#turns.begin())
    try {
      return { holds: this.#test(this.#cell), timestamp: this.#cell?.timestamp }
    } catch (error) {
      if (isPause(error)) return undefined
      throw error
    }
  }

  /** False where the filter has paused. */
  #read(): boolean {
    const region = this.#region
    const condition = this.#condition
    if (condition.kind === 'column') region.checkFamily(condition.family)
    const get = conditionGet(this.#row, condition)
    const readPoint = Number.POSITIVE_INFINITY
    if (condition.kind === 'column') {
      region.get(get, readPoint, this.#now, this.#found, undefined, this.#held?.families)
      return true
    }
    if (this.#get === undefined) {
      const prepared = this.#prepare(get)
      if (prepared === null) return false
      const context = {
        readPoint,
        now: this.#now,
        monotonicMs: this.#monotonicMs,
        turns: this.#turns,
        prepared,
      }
      this.#get = region.beginGet(get, context, this.#held?.families)
    }
    return this.#get.next(this.#found) !== undefined
  }

  /** Undefined: the get makes its filter itself. Null: the turn is over. */
  #prepare(get: Get): PreparedFilter | undefined | null {
    const preparation = this.#preparation ?? this.#region.prepareGet(get, this.#monotonicMs)
    if (preparation === undefined) return undefined
    this.#preparation = preparation
    return preparation.next(this.#turns.begin()) ?? null
  }

  /** Keeps what the evaluation reads until it is closed. Returns the function that gives it up. */
  hold(): () => void {
    const held = this.#region.hold((run, by) => this.#get?.replaceRun(run, by))
    this.#held = held
    return () => held.release()
  }

  close(): void {
    this.#get?.close()
  }
}
