import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { type Get, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import type { CellRun } from '../cells/cell-run.ts'
import type { FamilyRuns, ScanContext } from './family-runs.ts'
import { Loans } from './loans.ts'
import type { ReadRegion } from './read-region.ts'
import { RegionScanner } from './region-scanner.ts'

/** Reads a row by a scan of that row: filters work on scans, and few gets are raw. */
export class FilteredGet {
  readonly #scanner: RegionScanner
  readonly #loans: Loans

  /** Throws as RegionScanner. */
  constructor(families: readonly FamilyRuns[], get: Get, context: ScanContext) {
    const ofRow = scan({ ...get, startRow: get.row, stopRow: get.row, includeStopRow: true })
    this.#loans = context.loans ?? new Loans()
    this.#scanner = new RegionScanner(families, ofRow, { ...context, loans: this.#loans })
  }

  /** Appends the cells that the get finds and returns their number; undefined: the filter has paused. */
  next(target: CellBlockBuilder): number | undefined {
    const { results, more } = this.#scanner.next({
      rows: 1,
      bytes: Number.POSITIVE_INFINITY,
      allowPartial: false,
    })
    const { cells, counts } = gathered(results)
    const [count] = counts
    if (count === undefined) return more ? undefined : 0
    const at = target.reserve(cells.byteLength)
    cells.buffer.copy(target.buffer, at, cells.start, cells.end)
    target.length += cells.byteLength
    target.count += count
    if (results.loan !== undefined) this.#loans.release(results.loan)
    return count
  }

  /** As RegionScanner.replaceRun. */
  replaceRun(run: CellRun, by: CellRun | undefined): void {
    this.#scanner.replaceRun(run, by)
  }

  close(): void {
    this.#scanner.close()
  }
}

/**
 * As Region.get, for a get with a filter, which pauses where it takes long: `pause` lets other requests have their turn, and throws
 * where the row cannot be read any more. A get that takes no longer than a turn is answered without a promise.
 */
export function filteredGet(
  region: ReadRegion,
  get: Get,
  context: Omit<ScanContext, 'random'>,
  target: CellBlockBuilder,
  pause: () => Promise<void>,
): number | Promise<number> {
  const reading = region.beginGet(get, context)
  let count: number | undefined
  try {
    count = reading.next(target)
  } catch (error) {
    reading.close()
    throw error
  }
  if (count === undefined) return restOf(reading, region, context.readPoint, target, pause)
  reading.close()
  return count
}

async function restOf(
  reading: FilteredGet,
  region: ReadRegion,
  readPoint: number,
  target: CellBlockBuilder,
  pause: () => Promise<void>,
): Promise<number> {
  const giveUpReadPoint = region.keepReadPoint(readPoint)
  const held = region.hold((run, by) => reading.replaceRun(run, by))
  try {
    for (;;) {
      await pause()
      held.resume()
      const count = reading.next(target)
      if (count !== undefined) return count
    }
  } finally {
    reading.close()
    held.release()
    giveUpReadPoint()
  }
}
