import type { CellRun } from '../region/cell-run.ts'
import type { FamilyRules } from './family-rules.ts'
import type { Loans } from './loans.ts'

/** A family and everything that holds its cells: memstore, snapshots that are being flushed, store files. */
export interface FamilyRuns {
  readonly rules: FamilyRules
  /** In any order. */
  readonly runs: readonly CellRun[]
}

/** What every read of a region is told besides its query. */
export interface ReadContext {
  /** The greatest sequence id that the read sees. */
  readonly readPoint: number
  /** Milliseconds since 1970: what TTLs are reckoned against. */
  readonly now: number
  /** Where scans find memory for what they hand out. */
  readonly loans?: Loans | undefined
}
