import type { MutationBatch } from '../../../src/model/mutation.ts'
import { monotonicMs } from '../platform/file-system.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import { type CheckedPart, CheckedRows, lockOfSlice } from './checked-rows.ts'
import type { WritePathParts } from './write-path-parts.ts'

/**
 * The events that a write has to wait for; undefined where there are none. The write must then begin without a pause: in a pause other
 * writes could overtake it, or its regions be replaced.
 */
export class WriteWaits {
  readonly checkedRows: CheckedRows
  readonly #parts: WritePathParts

  constructor(parts: WritePathParts) {
    this.#parts = parts
    this.checkedRows = new CheckedRows(() => monotonicMs(parts.clock), parts.turns)
  }

  /** `parts`: those whose rows may be locked. */
  before(served: TargetRegions, parts: readonly CheckedPart[]): Promise<unknown> | undefined {
    const { wal } = this.#parts
    if (wal.failure !== undefined) return wal.restart()
    return this.#pause(served) ?? this.checkedRows.waitForAny(served, parts)
  }

  /** As `before`, for the changes [start, end) of a batch. */
  beforeSlice(
    served: TargetRegions,
    batch: MutationBatch,
    start: number,
    end: number,
  ): Promise<unknown> | undefined {
    return this.#pause(served) ?? lockOfSlice(this.checkedRows, served, batch, start, end)
  }

  #pause({ exchange }: TargetRegions): Promise<unknown> | undefined {
    const { limits } = this.#parts
    return exchange ?? (limits.isFull ? limits.waitForRoom() : undefined)
  }
}
