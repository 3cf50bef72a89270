/** The tools of regions, and what a region lends. */

import type { CellCursor } from '../../../src/model/cell-block.ts'
import type { ChunkPool } from '../memstore/chunk-pool.ts'
import type { FamilyRuns } from '../read/family-runs.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { RegionClosings } from './closed-replicas.ts'
import type { HeldSnapshots } from './held-snapshots.ts'
import type { MemstoreFigures } from './kept-versions.ts'
import type { RegionRequests } from './region-requests.ts'

/** A region's runs, held for a scan. */
export interface HeldRegion {
  readonly requests: RegionRequests
  /** May change from one turn of the event loop to the next: see `hold`. */
  readonly families: readonly FamilyRuns[]
  release(): void
}

/** Tools that all regions of the engine share; one region at a time uses each. */
export interface RegionTools {
  readonly pool: ChunkPool
  readonly cursor: CellCursor
  readonly rowReader: RowReader
  /** The greatest sequence id that reads see. */
  readonly published: () => number
  readonly heldSnapshots: HeldSnapshots
  readonly figures: MemstoreFigures
  readonly closings: RegionClosings
  /** See NativeOptions.visibilityLabels. */
  readonly visibilityLabels?: boolean
}
