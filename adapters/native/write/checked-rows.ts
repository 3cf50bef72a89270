import { rowLength, rowOffset } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from '../../../src/model/cell-block.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Condition, MutationBatch, RowPart } from '../../../src/model/mutation.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { checkPartsAreInRegion } from '../../../src/store/refusals.ts'
import type { Region } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import type { LargeChange } from './large-change.ts'
import { type ConditionOutcome, ConditionRead } from './row-condition.ts'
import type { WriteWatch } from './write-watch.ts'

const HOLDS: ConditionOutcome = { holds: true, timestamp: undefined }

export interface CheckedPart {
  readonly row: Buffer
  readonly condition?: Condition | undefined
}

/**
 * The rows of changes that take longer than a turn of the event loop: until such a change is made, other changes of its rows wait, as
 * they wait for HBase's row locks. All rows of a change are locked at once, so that no two changes wait for each other.
 */
export class CheckedRows {
  readonly #monotonicMs: () => number
  readonly #turns: LoopTurns
  readonly #locked = new Map<string, Promise<void>>()

  constructor(monotonicMs: () => number, turns: LoopTurns) {
    this.#monotonicMs = monotonicMs
    this.#turns = turns
  }

  get isEmpty(): boolean {
    return this.#locked.size === 0
  }

  /** The end of the lock that a change of the row has to wait for; undefined where the row has none. */
  waitFor(table: TableName, row: Buffer): Promise<void> | undefined {
    return this.isEmpty ? undefined : this.#locked.get(keyOf(table, row))
  }

  waitForAny({ regions }: TargetRegions, parts: readonly CheckedPart[]): Promise<void> | undefined {
    if (this.isEmpty) return undefined
    for (const { row } of parts) {
      const wait = this.waitFor(regions[0]!.table.name, row)
      if (wait !== undefined) return wait
    }
    return undefined
  }

  /**
   * Whether all conditions of the parts hold, with the timestamp that the last one found; the check must be ended. Undefined: there
   * are no conditions, and the change is not wide.
   */
  begin(
    region: Region,
    parts: readonly CheckedPart[],
    now: number,
    isWide: boolean,
    large: LargeChange,
  ): RowsCheck | undefined {
    if (!isWide && parts.every(({ condition }) => condition === undefined)) return undefined
    const reads = parts.flatMap(({ row, condition }) =>
      condition === undefined
        ? []
        : [new ConditionRead(region, row, condition, now, this.#monotonicMs, this.#turns, large)],
    )
    return new RowsCheck(reads, this.#turns, () => this.lock(region.table.name, parts))
  }

  /** Returns the function that unlocks the rows, none of which is locked now. */
  lock(table: TableName, parts: readonly CheckedPart[]): () => void {
    let unlock: (() => void) | undefined
    const unlocked = new Promise<void>((resolve) => {
      unlock = resolve
    })
    const keys = parts.map(({ row }) => keyOf(table, row))
    for (const key of keys) this.#locked.set(key, unlocked)
    return () => {
      for (const key of keys) this.#locked.delete(key)
      unlock?.()
    }
  }
}

/** The evaluation of a change's conditions, one after the other. */
export class RowsCheck {
  /** Undefined: an evaluation has paused. */
  outcome: ConditionOutcome | undefined
  readonly #reads: readonly ConditionRead[]
  readonly #turns: LoopTurns
  readonly #lock: () => () => void
  #at = 0
  readonly #ends: (() => void)[] = []
  #isLocked = false

  constructor(reads: readonly ConditionRead[], turns: LoopTurns, lock: () => () => void) {
    this.#reads = reads
    this.#turns = turns
    this.#lock = lock
    try {
      this.#goOn()
    } catch (error) {
      this.end()
      throw error
    }
  }

  #goOn(): void {
    let outcome: ConditionOutcome = HOLDS
    for (; this.#at < this.#reads.length; this.#at++) {
      const read = this.#reads[this.#at]!.next()
      if (read === undefined) return
      outcome = read
      if (!outcome.holds) break
    }
    this.outcome = outcome
  }

  /** Other changes of the rows wait until the check is ended. */
  lock(): void {
    if (this.#isLocked) return
    this.#isLocked = true
    this.#ends.push(this.#lock())
  }

  /** Goes on until the outcome is known. The rows are locked. */
  async finish(watch: WriteWatch): Promise<ConditionOutcome> {
    this.lock()
    this.#ends.push(...this.#reads.map((read) => read.hold()))
    while (this.outcome === undefined) {
      await this.#turns.next()
      watch.check()
      this.#goOn()
    }
    return this.outcome
  }

  /** Safe to call twice. */
  end(): void {
    for (const read of this.#reads) read.close()
    for (const end of this.#ends) end()
    this.#ends.length = 0
  }
}

/** The end of a lock that the changes [start, end) of a batch have to wait for; undefined where there is none. */
export function lockOfSlice(
  rows: CheckedRows,
  { regions }: TargetRegions,
  batch: MutationBatch,
  start: number,
  end: number,
): Promise<void> | undefined {
  if (rows.isEmpty) return undefined
  const table = regions[0]!.table.name
  for (let index = start; index < end; index++) {
    const cells = batch.blockOf(index)
    if (cells.byteLength === 0) continue
    const wait = rows.waitFor(table, rowOfBlock(cells))
    if (wait !== undefined) return wait
  }
  return undefined
}

/** The row of the block's first cell. */
export function rowOfBlock({ buffer, start }: CellBlock): Buffer {
  const cell = start + CELL_PREFIX_BYTES
  return buffer.subarray(rowOffset(cell), rowOffset(cell) + rowLength(buffer, cell))
}

/** The region of all rows of an atomic change. */
export function regionOfParts(served: TargetRegions, parts: readonly RowPart[], { row }: RowPart): Region {
  const [only, other] = served.regions
  const region = other === undefined ? only! : served.regionOf(row, 0, row.length, 'batchMutate')
  region.checkServed()
  checkPartsAreInRegion(parts, region)
  return region
}

/** No name of a table has a line feed. */
function keyOf(table: TableName, row: Buffer): string {
  return `${table}\n${row.toString('latin1')}`
}
