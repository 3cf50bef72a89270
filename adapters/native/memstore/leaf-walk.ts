import { isSameColumn } from '../../../src/model/same-column.ts'
import type { CellArena } from './cell-arena.ts'
import { NO_LEAF, NODE_LAYOUT, type TreeNodes } from './tree-nodes.ts'
import type { TreePlace } from './tree-place.ts'
import { nextLeaf, toNextLeaf } from './tree-steps.ts'

const { HEADER, STRIDE, LEAF_INTS, COUNT, ADDRESS } = NODE_LAYOUT

/** Walks along the leaves of a memstore's index over whole columns. */
export class LeafWalk {
  readonly #arena: CellArena
  readonly #nodes: TreeNodes

  constructor(arena: CellArena, nodes: TreeNodes) {
    this.#arena = arena
    this.#nodes = nodes
  }

  /** Whether the next cell in the leaf is of the same column. */
  isNextOfColumn({ leaf, slot }: TreePlace): boolean {
    const { leaves } = this.#nodes
    const entry = leaf * LEAF_INTS + HEADER + slot * STRIDE
    return slot + 1 < leaves[leaf * LEAF_INTS + COUNT]! && this.#isSame(leaves, entry, entry + STRIDE)
  }

  /**
   * To the first cell after the place's that is of another column or row. Each cell that is looked at is a miss of the
   * processor's caches: of a column with many versions it is one a leaf.
   */
  leaveColumn(place: TreePlace): void {
    const { leaves } = this.#nodes
    for (;;) {
      const { leaf, slot } = place
      const base = leaf * LEAF_INTS
      const count = leaves[base + COUNT]!
      const entry = base + HEADER + slot * STRIDE
      const wordsEnd = endOfWords(leaves, base + HEADER, slot, count)
      const next = wordsEnd === count ? nextLeaf(this.#nodes, place) : NO_LEAF
      const goesOn = next !== NO_LEAF && this.#isSame(leaves, entry, next * LEAF_INTS + HEADER)
      if (!goesOn) {
        const end = this.#endInLeaf(leaves, base + HEADER, slot, wordsEnd)
        if (end < count) place.slot = end
        else toNextLeaf(this.#nodes, place)
        return
      }
      toNextLeaf(this.#nodes, place)
    }
  }

  /** The first slot after `slot` of another column, or `wordsEnd`. The cells before that one have the same words. */
  #endInLeaf(leaves: Int32Array, entries: number, slot: number, wordsEnd: number): number {
    const entry = entries + slot * STRIDE
    const next = slot + 1
    if (next === wordsEnd) return next
    // Most rows with many versions have one column: then the last cell of the row is of it, and so are all between.
    if (this.#isSame(leaves, entry, entries + (wordsEnd - 1) * STRIDE)) return wordsEnd
    let same = slot
    let other = wordsEnd - 1
    for (let step = 1; same + step < other; step *= 2) {
      if (this.#isSame(leaves, entry, entries + (same + step) * STRIDE)) same += step
      else other = same + step
    }
    while (same + 1 < other) {
      const middle = (same + other) >>> 1
      if (this.#isSame(leaves, entry, entries + middle * STRIDE)) same = middle
      else other = middle
    }
    return other
  }

  /** Whether the cells of two entries are of one column. */
  #isSame(leaves: Int32Array, a: number, b: number): boolean {
    if (leaves[a] !== leaves[b] || leaves[a + 1] !== leaves[b + 1] || leaves[a + 2] !== leaves[b + 2])
      return false
    const arena = this.#arena
    const aAddress = leaves[a + ADDRESS]!
    const bAddress = leaves[b + ADDRESS]!
    return isSameColumn(
      arena.memoryOf(aAddress).view,
      arena.cellOf(aAddress),
      arena.memoryOf(bAddress).view,
      arena.cellOf(bAddress),
    )
  }
}

/** The first slot after `slot` whose entry has other words, or `count`. It touches no cell. */
function endOfWords(leaves: Int32Array, entries: number, slot: number, count: number): number {
  const entry = entries + slot * STRIDE
  const word0 = leaves[entry]!
  const word1 = leaves[entry + 1]!
  const word2 = leaves[entry + 2]!
  let same = slot
  let other = count
  for (let step = 1; same + step < other; step *= 2) {
    const at = entries + (same + step) * STRIDE
    if (leaves[at] === word0 && leaves[at + 1] === word1 && leaves[at + 2] === word2) same += step
    else other = same + step
  }
  while (same + 1 < other) {
    const middle = (same + other) >>> 1
    const at = entries + middle * STRIDE
    if (leaves[at] === word0 && leaves[at + 1] === word1 && leaves[at + 2] === word2) same = middle
    else other = middle
  }
  return other
}
