import type { TableName } from '../../../src/model/table-name.ts'
import type { ReadRegion, RegionWaiter } from '../read/read-region.ts'
import { ReadPoints } from './read-points.ts'

const NOTHING = (): void => undefined

/** Open scans that have regions before them which they do not hold yet. */
export class WaitingScans {
  /** Called when a region has changed, or is about to, in this turn of the event loop. */
  onChange: (region: ReadRegion) => void = NOTHING
  readonly #waiters = new Set<RegionWaiter>()
  readonly #readPoints = new Map<TableName, ReadPoints>()

  /** The returned function ends it; it may be called again. */
  add(waiter: RegionWaiter): () => void {
    this.#waiters.add(waiter)
    return () => void this.#waiters.delete(waiter)
  }

  /** Must be called before a region changes its runs, or the rules of their families. */
  beforeChange(region: ReadRegion): void {
    this.onChange(region)
    for (const waiter of this.#waiters) waiter.beforeChange(region)
  }

  /** The read points that all regions of a table must keep. */
  readPointsOf(table: TableName): ReadPoints {
    const known = this.#readPoints.get(table)
    if (known !== undefined) return known
    const points = new ReadPoints()
    this.#readPoints.set(table, points)
    return points
  }

  /** Called once a table is gone: one of its name may come again. */
  forget(table: TableName): void {
    this.#readPoints.delete(table)
  }
}
