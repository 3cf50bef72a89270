import type { PreparedFilter } from '../../../src/filter/evaluate/prepared-filter.ts'
import type { Turn } from '../../../src/filter/turns/turn.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { CellRun } from '../cells/cell-run.ts'
import type { RandomSource } from '../platform/file-system.ts'
import type { FamilyRules } from './family-rules.ts'
import type { Loans } from './loans.ts'

/** A family and the runs of its cells: memstore, snapshot under flush, store files. */
export interface FamilyRuns {
  readonly rules: FamilyRules
  /** In any order. */
  readonly runs: readonly CellRun[]
}

/** Parameters of every read of a region besides its query. */
export interface ReadContext {
  /** The greatest sequence id that the read sees. */
  readonly readPoint: number
  /** Milliseconds since 1970: the present time for TTLs. */
  readonly now: number
  /** Memory for the results of scans and filtered gets. */
  readonly loans?: Loans | undefined
}

/** Parameters of a scan of a region besides its query. */
export interface ScanContext extends ReadContext {
  /** The random source of filters that let rows through at random. */
  readonly random: RandomSource
  /** Milliseconds since any moment: a scan that takes long ends its slices by it. */
  readonly monotonicMs?: () => number
  /** Say how long a slice may take; undefined: always the same. */
  readonly turns?: LoopTurns
  /** Ends the slices of a scan; undefined: one by `monotonicMs`. */
  readonly turn?: Turn | undefined
  /** The filter of the query, where it took several turns to make. */
  readonly prepared?: PreparedFilter | undefined
  /** A slice runs without a pause, so that what it adds to the count is the slice's own. */
  readonly blocks?: BlocksRead
}

/** Counts what is read of store files. */
export interface BlocksRead {
  readonly blockBytesRead: number
}
