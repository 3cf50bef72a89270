import { CellType } from '../../../src/model/cell.ts'
import { isSameColumn } from '../../../src/model/same-column.ts'
import { CellArena } from './cell-arena.ts'
import { NO_LEAF, type TreeNodes } from './tree-nodes.ts'
import { TreePlace } from './tree-place.ts'
import { toNextLeaf } from './tree-steps.ts'

/** A family that keeps more versions drops none before a flush. */
const VERSIONS_MAX = 256
/** Most cells that one look at a column decides on. */
const CELLS_A_LOOK = 1024
/** The most overwrites from one look to the next, after looks that found nothing to drop. */
const WAIT_MAX = 1024

/** The most tombstones of family versions: with so many, no version counts any more. */
const FAMILY_VERSIONS_MAX = 1024

/** The versions that a memstore may drop of columns that are overwritten. */
export interface VersionsKept {
  /** Versions that the family keeps; Infinity: the memstore drops nothing. */
  readonly maxVersions: number
  /** Whether a tombstone hides older cells from every read: KEEP_DELETED_CELLS is FALSE. */
  readonly deletesHide: boolean
  /** Versions above maxVersions that a column may gather in a memstore of `bytes`. */
  surplusMax(bytes: number): number
  /** Writes up to this sequence id can no longer be taken back. */
  readonly published: number
  /** The least read point of an open scanner, Infinity without any; and the greatest, -1 without any. */
  readonly oldestReader: number
  readonly newestReader: number
  /** Called when so many cells were dropped. */
  noteDropped(count: number): void
}

/**
 * Drops the versions of an overwritten column that no read needs any more, as a flush would. HBase: CompactingMemStore with the
 * policy EAGER.
 *
 * A read at a point P needs the first maxVersions puts up to P. It is enough to look at two cases. A cell that a scanner may see goes if
 * the oldest scanner sees maxVersions before it: later scanners see those too. A cell written after the last scanner was opened goes if the
 * present reads see maxVersions before it. Writes that may yet be taken back neither go nor count. A cell with tags may expire and does not
 * count, nor does one with the timestamp of a DeleteFamilyVersion of any row.
 */
export class SurplusVersions {
  readonly #kept: VersionsKept
  readonly #arena: CellArena
  readonly #nodes: TreeNodes
  /** Overwrites to pass by before the next look, and their number after the last look. */
  #toPass = 0
  #wait = 0
  /** Timestamps of the DeleteFamilyVersion cells: rounded, so that some others are taken for one of them. */
  readonly #familyVersions = new Set<number>()
  // The column under the look, by what the oldest scanner and what the present reads see.
  readonly #oldest = new ColumnCount()
  readonly #present = new ColumnCount()
  readonly #place = new TreePlace()
  // The versions to keep, at the last look.
  #published = 0
  #newestReader = 0
  #maxVersions = 0
  #deletesHide = false

  constructor(kept: VersionsKept, arena: CellArena, nodes: TreeNodes) {
    this.#kept = kept
    this.#arena = arena
    this.#nodes = nodes
  }

  /**
   * Called when the cell at the place, with its way, has been inserted in front of another one of its column, in a memstore of `bytes`. Drops
   * surplus cells behind it and returns their number. The place stays that of the cell.
   */
  overwritten(inserted: TreePlace, bytes: number): number {
    const kept = this.#kept
    if (!(kept.maxVersions <= VERSIONS_MAX)) return 0
    if (this.#toPass > 0) {
      this.#toPass--
      return 0
    }
    const expected = kept.maxVersions + kept.surplusMax(bytes)
    if (!this.#hasCells(inserted, expected)) return 0
    const dropped = this.#look(inserted, expected + 1)
    kept.noteDropped(dropped)
    this.#wait = dropped > 0 ? 0 : Math.min(WAIT_MAX, 2 * this.#wait + 1)
    this.#toPass = this.#wait
    return dropped
  }

  /**
   * Called for a cell that is about to be inserted at the place, in front of an older one of its column. True: it has got it, and the oldest of
   * the column's then three cells has left, as `overwritten` would have had it. That is mostly so in a large memstore of one version, where
   * scanners are not older than the column, and moves two addresses, where the general way moves half of the leaf there and back. False: nothing was done.
   */
  replacesOldest(place: TreePlace, address: number): boolean {
    const nodes = this.#nodes
    const { leaf, slot } = place
    const last = slot + 2
    // The column ends at the third cell: the row has no other entry.
    if (last >= nodes.countOf(leaf) || !nodes.haveSameWords(leaf, slot, leaf, slot + 1)) return false
    if (this.#toPass > 0 || this.#familyVersions.size > 0 || nodes.haveSameWords(leaf, slot, leaf, last))
      return false
    const kept = this.#kept
    if (kept.maxVersions !== 1 || kept.surplusMax(this.#arena.bytes + nodes.bytes) !== 1) return false
    const newer = nodes.addressAt(leaf, slot)
    // Every reader sees the version that takes the oldest one's place.
    if (kept.oldestReader < this.#arena.sequenceIdOf(newer)) return false
    const oldest = nodes.addressAt(leaf, slot + 1)
    const { published } = kept
    // Cells that are not published may be taken back: they do not count.
    if (this.#arena.sequenceIdOf(address) <= published) return false
    if (!this.#isPublishedPut(newer, published) || !this.#isPublishedPut(oldest, published)) return false
    if (!this.#isSame(newer, oldest)) return false
    nodes.own(place)
    nodes.shiftIntoNext(place.leaf, slot, address)
    this.#arena.retire(oldest)
    this.#wait = 0
    kept.noteDropped(1)
    return true
  }

  /** Whether the cell is a put without tags that can no longer be taken back. */
  #isPublishedPut(address: number, published: number): boolean {
    const { view } = this.#arena.memoryOf(address)
    const cell = this.#arena.cellOf(address)
    if (CellArena.sequenceIdBefore(view, cell) > published || CellArena.tagsBytesBefore(view, cell) > 0)
      return false
    return view.getUint8(cell + view.getInt32(cell) + 7) === CellType.Put
  }

  /** Called for each DeleteFamilyVersion, with the halves of its timestamp. */
  familyVersionDeleted(high: number, low: number): void {
    if (this.#familyVersions.size < FAMILY_VERSIONS_MAX) this.#familyVersions.add(rounded(high, low))
  }

  #mayBeHidden(high: number, low: number): boolean {
    const { size } = this.#familyVersions
    return size > 0 && (size >= FAMILY_VERSIONS_MAX || this.#familyVersions.has(rounded(high, low)))
  }

  /** Whether the column goes on for more than so many cells behind the place. */
  #hasCells(place: TreePlace, cells: number): boolean {
    const nodes = this.#nodes
    const { leaf, slot } = place
    let at = slot + cells
    let there = leaf
    if (at >= nodes.countOf(leaf)) {
      const walk = this.#place
      walk.set(place)
      for (let count = nodes.countOf(there); at >= count; count = nodes.countOf(there)) {
        at -= count
        toNextLeaf(nodes, walk)
        there = walk.leaf
        if (there === NO_LEAF) return false
      }
    }
    if (!nodes.haveSameWords(leaf, slot, there, at)) return false
    return this.#isSame(nodes.addressAt(leaf, slot), nodes.addressAt(there, at))
  }

  #isSame(a: number, b: number): boolean {
    const arena = this.#arena
    return isSameColumn(arena.memoryOf(a).view, arena.cellOf(a), arena.memoryOf(b).view, arena.cellOf(b))
  }

  /** Looks at the column from the place on, of which so many cells are known to be of it. */
  #look(inserted: TreePlace, known: number): number {
    const nodes = this.#nodes
    const first = nodes.addressAt(inserted.leaf, inserted.slot)
    const { published, newestReader, maxVersions, deletesHide, oldestReader } = this.#kept
    // Asked once a look: what they are made of changes with no cell of it.
    this.#published = published
    this.#newestReader = newestReader
    this.#maxVersions = maxVersions
    this.#deletesHide = deletesHide
    this.#oldest.start(oldestReader)
    this.#present.start(published)
    // The leaf of the inserted cell is the writer's own, and so are the nodes on its way, which stay.
    const place = this.#place
    place.set(inserted)
    let dropped = 0
    let looked = 0
    while (place.leaf !== NO_LEAF && looked < CELLS_A_LOOK) {
      // Slot 0 stays: the inner nodes may refer to its cell. It is looked at all the same.
      let keptEnd = place.slot
      const count = nodes.countOf(place.leaf)
      let at = keptEnd
      let isColumn = true
      for (; at < count && isColumn; at++) {
        const address = nodes.addressAt(place.leaf, at)
        isColumn = looked < known || this.#isSame(first, address)
        if (!isColumn) break
        looked++
        if (this.#isSurplus(address) && at > 0) {
          nodes.own(place)
          this.#arena.retire(address)
          dropped++
        } else {
          if (keptEnd < at) nodes.moveEntry(place.leaf, at, keptEnd)
          keptEnd++
        }
      }
      if (keptEnd < at) nodes.removeRange(place.leaf, keptEnd, at)
      if (!isColumn) break
      toNextLeaf(nodes, place)
    }
    return dropped
  }

  #isSurplus(address: number): boolean {
    const { view } = this.#arena.memoryOf(address)
    const cell = this.#arena.cellOf(address)
    const sequenceId = CellArena.sequenceIdBefore(view, cell)
    if (sequenceId > this.#published) return false
    const timestamp = cell + view.getInt32(cell) - 1
    const high = view.getInt32(timestamp)
    const low = view.getInt32(timestamp + 4)
    const type = view.getUint8(timestamp + 8)
    const oldest = this.#oldest
    const present = this.#present
    const isSurplus = (sequenceId > this.#newestReader ? present : oldest).isSurplus(
      type,
      high,
      low,
      this.#maxVersions,
    )
    const counts = CellArena.tagsBytesBefore(view, cell) === 0 && !this.#mayBeHidden(high, low)
    oldest.add(sequenceId, type, high, low, counts, this.#deletesHide)
    present.add(sequenceId, type, high, low, counts, this.#deletesHide)
    return isSurplus
  }
}

function rounded(high: number, low: number): number {
  return high * 2 ** 32 + (low >>> 0)
}

/** The versions of a column that a read at one point has seen so far. */
class ColumnCount {
  #readPoint = 0
  #puts = 0
  /** A tombstone hides the rest of the column. */
  #isHidden = false
  /** Timestamp of the last put that counted. */
  #high = 0
  #low = 0
  /** Timestamp of the last tombstone of one version. */
  #hasVersionTombstone = false
  #tombstoneHigh = 0
  #tombstoneLow = 0

  start(readPoint: number): void {
    this.#readPoint = readPoint
    this.#puts = 0
    this.#isHidden = false
    this.#hasVersionTombstone = false
  }

  /** Whether no read at the point needs the next cell. Tombstones go only where a newer one hides all that they hide. */
  isSurplus(type: number, high: number, low: number, maxVersions: number): boolean {
    if (type !== CellType.Put) {
      return this.#isHidden && (type === CellType.DeleteColumn || type === CellType.Delete)
    }
    return this.#isHidden || this.#puts >= maxVersions || this.#isOverwritten(high, low)
  }

  #isOverwritten(high: number, low: number): boolean {
    return this.#puts > 0 && high === this.#high && low === this.#low
  }

  add(sequenceId: number, type: number, high: number, low: number, counts: boolean, hides: boolean): void {
    if (sequenceId > this.#readPoint) return
    if (type === CellType.Put) {
      if (!counts || this.#isOverwritten(high, low) || this.#isDeleted(high, low)) return
      this.#puts++
      this.#high = high
      this.#low = low
    } else if (type === CellType.DeleteColumn) {
      if (hides && counts) this.#isHidden = true
    } else if (type === CellType.Delete) {
      this.#hasVersionTombstone = true
      this.#tombstoneHigh = high
      this.#tombstoneLow = low
    }
  }

  #isDeleted(high: number, low: number): boolean {
    return this.#hasVersionTombstone && high === this.#tombstoneHigh && low === this.#tombstoneLow
  }
}
