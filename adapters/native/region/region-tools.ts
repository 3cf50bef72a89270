import type { CellCursor } from '../../../src/model/cell-block.ts'
import type { ChunkPool } from '../memstore/chunk-pool.ts'
import type { Publications } from '../memstore/published-memstore.ts'
import type { HeldSnapshots } from './held-snapshots.ts'
import type { MemstoreFigures, OtherReaders } from './kept-versions.ts'
import type { ReadTools } from './served-region.ts'

/** Tools that all regions of the engine share; one region at a time uses each. */
export interface RegionTools extends ReadTools {
  readonly pool: ChunkPool
  readonly cursor: CellCursor
  /** The greatest sequence id that reads see. */
  readonly published: () => number
  readonly heldSnapshots: HeldSnapshots
  readonly figures: MemstoreFigures
  /** Undefined: no other thread reads. */
  readonly publications?: Publications | undefined
  readonly otherReaders?: OtherReaders | undefined
  /** See NativeOptions.visibilityLabels. */
  readonly visibilityLabels?: boolean
}
