import type { CompactionState } from '../../../src/store/region-figures.ts'
import type { Region } from '../region/region.ts'
import type { CompactionWish } from './store-choice.ts'

/** The cells of a running compaction. */
export class CompactionCells {
  /** Of the files that it reads. */
  readonly total: number
  read = 0

  constructor(total: number) {
    this.total = total
  }
}

/** The compactions of one region. */
export interface RegionCompactions {
  readonly state: CompactionState
  /** Cells of the files that the running ones read; 0 while they all wait. */
  readonly compactingCells: number
  readonly compactedCells: number
}

/** The compactions of each region that has some. `cells`: undefined for one that waits. */
export function compactionsByRegion(
  compactions: Iterable<readonly [CompactionWish, CompactionCells | undefined]>,
): Map<Region, RegionCompactions> {
  const byRegion = new Map<Region, RegionCompactions>()
  for (const [{ region, isMajor }, cells] of compactions) {
    const before = byRegion.get(region)
    const state = isMajor ? 'MAJOR' : 'MINOR'
    byRegion.set(region, {
      state: before === undefined || before.state === state ? state : 'MAJOR_AND_MINOR',
      compactingCells: (before?.compactingCells ?? 0) + (cells?.total ?? 0),
      compactedCells: (before?.compactedCells ?? 0) + (cells?.read ?? 0),
    })
  }
  return byRegion
}
