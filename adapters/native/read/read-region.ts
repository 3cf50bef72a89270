/** A region, as reads see it. */

import type { Get } from '../../../src/model/query.ts'
import type { CellRun } from '../cells/cell-run.ts'
import type { FamilyRuns, ScanContext } from './family-runs.ts'
import type { FilteredGet } from './filtered-get.ts'
import type { RegionRequests } from './region-requests.ts'

/** Called when the reader must go on in another run, which has the same cells; undefined: no cell of it is left. */
export type OnReplaced = (run: CellRun, by: CellRun | undefined) => void

/** A region's runs, held for a scan. */
export interface HeldRegion {
  readonly requests: RegionRequests
  /** May change from one turn of the event loop to the next: see `hold`. */
  readonly families: readonly FamilyRuns[]
  /** Must be called before the runs are read in another turn of the event loop. */
  resume(): void
  release(): void
}

/** A scan that will hold regions later. */
export interface RegionWaiter {
  /** Called before a region holds other runs: the scan wants those that it has now. */
  beforeChange(region: ReadRegion): void
}

/** See Region, which has these. */
export interface ReadRegion {
  readonly startKey: Buffer
  readonly endKey: Buffer
  readonly requests: RegionRequests
  /** The runs that it has now, for a read that ends within the turn of the event loop. */
  families(): readonly FamilyRuns[]
  beginGet(get: Get, context: Omit<ScanContext, 'random'>): FilteredGet
  keepReadPoint(readPoint: number): () => void
  keepReadPointOfTable(readPoint: number): () => void
  addWaiter(waiter: RegionWaiter): () => void
  hold(onReplaced: OnReplaced): HeldRegion
}
