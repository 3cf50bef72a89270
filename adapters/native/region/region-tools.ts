import type { CellCursor } from '../../../src/model/cell-block.ts'
import type { ChunkPool } from '../memstore/chunk-pool.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { RegionClosings } from './closed-replicas.ts'
import type { HeldSnapshots } from './held-snapshots.ts'
import type { MemstoreFigures } from './kept-versions.ts'
import type { WaitingScans } from './waiting-scans.ts'

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
  readonly waiting: WaitingScans
  /** See NativeOptions.visibilityLabels. */
  readonly visibilityLabels?: boolean
}
