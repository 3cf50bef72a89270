import { MIN_TIMESTAMP } from '../../../src/model/timestamp.ts'
import type { CellVisibility } from '../../../src/model/visibility.ts'

/** A tombstone of one version. */
interface VersionTombstone {
  readonly visibility: CellVisibility | undefined
  readonly timestamp: bigint
  readonly sequenceId: number
}

/** The known versions that were there when the tombstone of sequence id `until` was written. */
interface Count {
  readonly until: number
  readonly versions: Set<number>
}

/** The writes after one tombstone of a column or family, up to the next tombstone: this one. */
interface Era {
  readonly sequenceId: number
  readonly timestamp: bigint
  readonly visibility: CellVisibility | undefined
  readonly tombstones: VersionTombstone[]
  /** In order of `until`; the last has none. */
  readonly counts: Count[]
}

function era(sequenceId: number, timestamp: bigint, visibility?: CellVisibility): Era {
  const counts = [{ until: Number.POSITIVE_INFINITY, versions: new Set<number>() }]
  return { sequenceId, timestamp, visibility, tombstones: [], counts }
}

/**
 * The writes to a column in the order of their sequence ids. It gets cells in the order of their timestamps, newest first,
 * and returns the puts that no later tombstone hides and no newer version had pushed out by then.
 */
export class WriteHistory {
  readonly #maxVersions: number
  /** In order of sequence ids; the last era has none and stands for the writes after all tombstones. */
  readonly #eras: Era[]

  constructor(maxVersions: number, eras: Era[] = [era(Number.POSITIVE_INFINITY, MIN_TIMESTAMP)]) {
    this.#maxVersions = maxVersions
    this.#eras = eras
  }

  /** A copy: a column's history begins with its family's. */
  copy(): WriteHistory {
    const eras = this.#eras.map((original) => ({
      ...original,
      tombstones: [...original.tombstones],
      counts: original.counts.map(({ until, versions }) => ({ until, versions: new Set(versions) })),
    }))
    return new WriteHistory(this.#maxVersions, eras)
  }

  /** A tombstone of all versions up to the timestamp. */
  addTombstone(timestamp: bigint, sequenceId: number, visibility?: CellVisibility): void {
    const at = this.#eras.findIndex((later) => later.sequenceId >= sequenceId)
    const same = this.#eras[at]!.sequenceId === sequenceId ? 1 : 0
    this.#eras.splice(at, same, era(sequenceId, timestamp, visibility))
  }

  /** A tombstone of just the version with the timestamp. */
  addVersionTombstone(timestamp: bigint, sequenceId: number, visibility?: CellVisibility): void {
    const { tombstones, counts } = this.#eras.find((later) => later.sequenceId >= sequenceId)!
    tombstones.push({ timestamp, sequenceId, visibility })
    const at = counts.findIndex((count) => count.until >= sequenceId)
    const earlier = [...counts[at]!.versions].filter((version) => version < sequenceId)
    const same = counts[at]!.until === sequenceId ? 1 : 0
    counts.splice(at, same, { until: sequenceId, versions: new Set(earlier) })
  }

  /** `overwrittenAt`: the sequence id of a later put with the same timestamp. True where the put is there to be read. */
  addPut(
    timestamp: bigint,
    sequenceId: number,
    overwrittenAt: number = Number.POSITIVE_INFINITY,
    visibility?: CellVisibility,
  ): boolean {
    for (const present of this.#eras) {
      if (present.sequenceId < sequenceId) continue
      let deletedAt = Number.POSITIVE_INFINITY
      for (const tombstone of present.tombstones) {
        const isOfVersion = tombstone.timestamp === timestamp && tombstone.sequenceId >= sequenceId
        if (isOfVersion && isOfCell(tombstone.visibility, visibility)) {
          deletedAt = Math.min(deletedAt, tombstone.sequenceId)
        }
      }
      const until = Math.min(overwrittenAt, deletedAt)
      for (const count of present.counts) {
        if (count.until < sequenceId || count.until > until) continue
        if (count.versions.size >= this.#maxVersions) return false
        count.versions.add(sequenceId)
      }
      if (deletedAt !== Number.POSITIVE_INFINITY) return false
      if (timestamp <= present.timestamp && isOfCell(present.visibility, visibility)) return false
    }
    return overwrittenAt === Number.POSITIVE_INFINITY
  }
}

/** Where cells have no labels, a tombstone hides all kinds of cells. */
function isOfCell(tombstone: CellVisibility | undefined, cell: CellVisibility | undefined): boolean {
  return tombstone === undefined || cell === undefined || tombstone.isThatOf(cell)
}
