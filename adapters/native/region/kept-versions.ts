import type { VersionsKept } from '../memstore/surplus-versions.ts'
import type { FamilyRules } from '../read/family-rules.ts'
import type { ReadPoints } from './read-points.ts'

/** Versions above those that the family keeps which a column may gather in a memstore, as long as that is small. */
const SURPLUS_MAX = 16
/** From this size on a memstore keeps little that is surplus, so that overwritten rows do not fill it. */
const LARGE_MEMSTORE_BYTES = 8 * 1024 * 1024
/** The version that the newest one replaces is needed until the log has the newest. */
const SURPLUS_MIN = 1

/** Figures of all memstores together. */
export interface MemstoreFigures {
  /** Surplus versions that were dropped before a flush. */
  droppedVersions: number
}

/** Reads of which the engine knows no more than their read points. See ThreadWords. */
export interface OtherReaders {
  readonly oldestReader: number
  readonly newestReader: number
}

/** The read points that a region's cells are kept for. */
export interface ReadHorizon {
  readonly figures: MemstoreFigures
  /** The greatest sequence id that reads see. */
  readonly published: () => number
  readonly readPoints: ReadPoints
  /** The read points of other threads. */
  readonly otherReaders?: OtherReaders | undefined
}

/** The versions that the memstores of a family may drop. HBase: IN_MEMORY_COMPACTION, whose ADAPTIVE is the default here. */
export class KeptVersions implements VersionsKept {
  rules: FamilyRules
  readonly #horizon: ReadHorizon

  constructor(rules: FamilyRules, horizon: ReadHorizon) {
    this.rules = rules
    this.#horizon = horizon
  }

  get maxVersions(): number {
    const { maxVersions, newVersionBehavior, inMemoryCompaction } = this.rules
    const isNone = newVersionBehavior || inMemoryCompaction === 'NONE' || inMemoryCompaction === 'BASIC'
    return isNone ? Number.POSITIVE_INFINITY : maxVersions
  }

  get deletesHide(): boolean {
    return this.rules.keepDeletedCells === 'FALSE'
  }

  surplusMax(bytes: number): number {
    const isStrict = this.rules.inMemoryCompaction === 'EAGER' || bytes >= LARGE_MEMSTORE_BYTES
    return isStrict ? SURPLUS_MIN : SURPLUS_MAX
  }

  get published(): number {
    return this.#horizon.published()
  }

  get oldestReader(): number {
    const { readPoints, otherReaders } = this.#horizon
    return otherReaders === undefined
      ? readPoints.oldest
      : Math.min(readPoints.oldest, otherReaders.oldestReader)
  }

  get newestReader(): number {
    const { readPoints, otherReaders } = this.#horizon
    return otherReaders === undefined
      ? readPoints.newest
      : Math.max(readPoints.newest, otherReaders.newestReader)
  }

  noteDropped(count: number): void {
    this.#horizon.figures.droppedVersions += count
  }
}
