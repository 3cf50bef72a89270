import { DEPTH_MAX, NO_LEAF } from './tree-nodes.ts'

/**
 * A place in a memstore's index: a slot of a leaf, and the way down to it. Leaves do not know their neighbours, which the way leads to. It
 * holds until the index changes.
 */
export class TreePlace {
  /** NO_LEAF: past the last cell, or before the first one. */
  leaf: number = NO_LEAF
  slot = 0
  /** False where only the leaf and the slot are known. */
  hasWay = false
  /** For each level the inner node, and the slot of the child that is the next node on the way. */
  readonly way: Int32Array = new Int32Array(2 * DEPTH_MAX)

  set({ leaf, slot, hasWay, way }: TreePlace): void {
    this.leaf = leaf
    this.slot = slot
    this.hasWay = hasWay
    this.way.set(way)
  }
}
