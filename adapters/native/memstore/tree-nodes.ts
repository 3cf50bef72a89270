/**
 * The nodes of a memstore's index: a B+tree of 64-entry nodes in two typed arrays, which grows and knows no order.
 *
 * An entry is four int32: twelve bytes of the row (RowPrefix) and the cell's address, so that most comparisons touch
 * one cache line and no cell. The first entry of a leaf is never removed: inner nodes may have its cell as a separator, and no
 * leaf becomes empty.
 *
 *     leaf  := count | next | previous | 0 | entry[64]
 *     inner := count | 0 | 0 | 0 | entry[64] | child[64]     entry i: a key not greater than any in child i; 0 is unused
 */

import type { RowPrefix } from './row-prefix.ts'

const NODE_ENTRIES = 64
const HALF: number = NODE_ENTRIES / 2
/** Offset of a node's entries, in int32. */
const HEADER = 4
/** Size of an entry, in int32. */
const STRIDE = 4
const LEAF_INTS: number = HEADER + NODE_ENTRIES * STRIDE
const CHILDREN: number = LEAF_INTS
const INNER_INTS: number = LEAF_INTS + NODE_ENTRIES
const COUNT = 0
const NEXT = 1
const PREVIOUS = 2
/** Place of the cell's address in an entry. */
const ADDRESS = 3
/** The greatest depth: with 64 entries a node, no tree that fits memory is deeper. */
const DEPTH_MAX = 8

export const NO_LEAF = -1

const NO_NODES = new Int32Array(0)

/**
 * For CellTree, which copies these into constants of its own: the compiler folds a module's own constants into the code
 * but loads imported ones, which makes an insert 8 % slower.
 */
export const NODE_LAYOUT: Readonly<
  Record<'HEADER' | 'STRIDE' | 'LEAF_INTS' | 'CHILDREN' | 'INNER_INTS' | 'COUNT' | 'ADDRESS', number>
> = { HEADER, STRIDE, LEAF_INTS, CHILDREN, INNER_INTS, COUNT, ADDRESS }

export class TreeNodes {
  leaves: Int32Array = new Int32Array(LEAF_INTS * 4)
  inners: Int32Array = new Int32Array(INNER_INTS)
  /** Levels of inner nodes above the leaves. */
  depth = 0
  root = 0
  lastLeaf = 0
  /** The inner nodes on the way down to a leaf, and the slot taken in each. CellTree writes them as it descends. */
  readonly pathNodes: Int32Array = new Int32Array(DEPTH_MAX)
  readonly pathSlots: Int32Array = new Int32Array(DEPTH_MAX)
  /** Where the last insert put its entry. */
  insertedLeaf = 0
  insertedSlot = 0
  #leafCount = 1
  #innerCount = 0

  constructor() {
    this.leaves[NEXT] = NO_LEAF
    this.leaves[PREVIOUS] = NO_LEAF
  }

  get bytes(): number {
    return (this.#leafCount * LEAF_INTS + this.#innerCount * INNER_INTS) * 4
  }

  /** Frees the memory. The nodes must not be used after that. */
  free(): void {
    this.leaves = NO_NODES
    this.inners = NO_NODES
  }

  addressAt(leaf: number, slot: number): number {
    return this.leaves[leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS]!
  }

  replaceAddress(leaf: number, slot: number, address: number): void {
    this.leaves[leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS] = address
  }

  /** Puts the address in front of that of the slot, which takes the place of the next one's. Both entries have the words of its row. */
  shiftIntoNext(leaf: number, slot: number, address: number): void {
    const { leaves } = this
    const at = leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS
    leaves[at + STRIDE] = leaves[at]!
    leaves[at] = address
    this.insertedLeaf = leaf
    this.insertedSlot = slot
  }

  countOf(leaf: number): number {
    return this.leaves[leaf * LEAF_INTS + COUNT]!
  }

  nextLeaf(leaf: number): number {
    return this.leaves[leaf * LEAF_INTS + NEXT]!
  }

  previousLeaf(leaf: number): number {
    return this.leaves[leaf * LEAF_INTS + PREVIOUS]!
  }

  /** Adds an entry before `slot` of the leaf at the end of the path; splits a full leaf. */
  insert(leaf: number, slot: number, prefix: RowPrefix, address: number): void {
    if (this.countOf(leaf) < NODE_ENTRIES) {
      this.#insertIntoLeaf(leaf, slot, prefix, address)
      return
    }
    const right = this.#splitLeaf(leaf, slot, prefix, address)
    const kept = this.countOf(leaf)
    if (slot > kept || (slot === kept && kept === NODE_ENTRIES)) {
      this.#insertIntoLeaf(right, slot - kept, prefix, address)
    } else {
      this.#insertIntoLeaf(leaf, slot, prefix, address)
    }
  }

  /** Moves an entry to an earlier slot of its leaf, whose own entry goes. */
  moveEntry(leaf: number, from: number, to: number): void {
    const entries = leaf * LEAF_INTS + HEADER
    const entry = entries + from * STRIDE
    this.leaves.copyWithin(entries + to * STRIDE, entry, entry + STRIDE)
  }

  /** Removes the entries of slots [from, to), of which slot 0 is none. */
  removeRange(leaf: number, from: number, to: number): void {
    const { leaves } = this
    const base = leaf * LEAF_INTS
    const entries = base + HEADER
    const count = leaves[base + COUNT]!
    leaves.copyWithin(entries + from * STRIDE, entries + to * STRIDE, entries + count * STRIDE)
    leaves[base + COUNT] = count - (to - from)
  }

  /** Whether two entries have the same twelve bytes of their rows. */
  haveSameWords(leaf: number, slot: number, otherLeaf: number, otherSlot: number): boolean {
    const { leaves } = this
    const a = leaf * LEAF_INTS + HEADER + slot * STRIDE
    const b = otherLeaf * LEAF_INTS + HEADER + otherSlot * STRIDE
    return leaves[a] === leaves[b] && leaves[a + 1] === leaves[b + 1] && leaves[a + 2] === leaves[b + 2]
  }

  #insertIntoLeaf(leaf: number, slot: number, prefix: RowPrefix, address: number): void {
    this.insertedLeaf = leaf
    this.insertedSlot = slot
    const leaves = this.leaves
    const base = leaf * LEAF_INTS
    const entry = base + HEADER + slot * STRIDE
    const end = base + HEADER + leaves[base + COUNT]! * STRIDE
    leaves.copyWithin(entry + STRIDE, entry, end)
    writeEntry(leaves, entry, prefix, address)
    leaves[base + COUNT]! += 1
  }

  /**
   * Splits a full leaf and returns the new one to its right. The last leaf stays full if the entry goes to its end, so that
   * cells which arrive in order fill their leaves.
   */
  #splitLeaf(leaf: number, slot: number, prefix: RowPrefix, address: number): number {
    const right = this.#newLeaf()
    const leaves = this.leaves
    const base = leaf * LEAF_INTS
    const rightBase = right * LEAF_INTS
    const isAppend = leaf === this.lastLeaf && slot === NODE_ENTRIES
    const kept = isAppend ? NODE_ENTRIES : HALF
    leaves.copyWithin(rightBase + HEADER, base + HEADER + kept * STRIDE, base + LEAF_INTS)
    if (isAppend) writeEntry(leaves, rightBase + HEADER, prefix, address)
    leaves[base + COUNT] = kept
    leaves[rightBase + COUNT] = NODE_ENTRIES - kept
    const next = leaves[base + NEXT]!
    leaves[rightBase + NEXT] = next
    leaves[rightBase + PREVIOUS] = leaf
    leaves[base + NEXT] = right
    if (next === NO_LEAF) this.lastLeaf = right
    else leaves[next * LEAF_INTS + PREVIOUS] = right
    this.#insertChild(this.depth - 1, leaves, rightBase + HEADER, right)
    return right
  }

  /** Adds `child` to the right of the path's slot at `level`, behind the separator at keys[entry]. */
  #insertChild(level: number, keys: Int32Array, entry: number, child: number): void {
    if (level < 0) {
      this.#growRoot(keys, entry, child)
      return
    }
    const node = this.pathNodes[level]!
    const slot = this.pathSlots[level]! + 1
    if (this.inners[node * INNER_INTS + COUNT]! < NODE_ENTRIES) {
      this.#insertIntoInner(node, slot, keys, entry, child)
      return
    }
    const right = this.#newInner()
    const inners = this.inners
    const base = node * INNER_INTS
    const rightBase = right * INNER_INTS
    if (slot === NODE_ENTRIES) {
      // As with leaves: children that arrive in order leave full nodes behind.
      inners.set(keys.subarray(entry, entry + STRIDE), rightBase + HEADER)
      inners[rightBase + CHILDREN] = child
      inners[rightBase + COUNT] = 1
    } else {
      inners.copyWithin(rightBase + HEADER, base + HEADER + HALF * STRIDE, base + LEAF_INTS)
      inners.copyWithin(rightBase + CHILDREN, base + CHILDREN + HALF, base + INNER_INTS)
      inners[base + COUNT] = HALF
      inners[rightBase + COUNT] = NODE_ENTRIES - HALF
      if (slot <= HALF) this.#insertIntoInner(node, slot, keys, entry, child)
      else this.#insertIntoInner(right, slot - HALF, keys, entry, child)
    }
    this.#insertChild(level - 1, inners, rightBase + HEADER, right)
  }

  #insertIntoInner(node: number, slot: number, keys: Int32Array, entry: number, child: number): void {
    const inners = this.inners
    const base = node * INNER_INTS
    const count = inners[base + COUNT]!
    const at = base + HEADER + slot * STRIDE
    inners.copyWithin(at + STRIDE, at, base + HEADER + count * STRIDE)
    for (let i = 0; i < STRIDE; i++) inners[at + i] = keys[entry + i]!
    const children = base + CHILDREN
    inners.copyWithin(children + slot + 1, children + slot, children + count)
    inners[children + slot] = child
    inners[base + COUNT] = count + 1
  }

  #growRoot(keys: Int32Array, entry: number, child: number): void {
    const separator = keys.slice(entry, entry + STRIDE)
    const root = this.#newInner()
    const inners = this.inners
    const base = root * INNER_INTS
    inners[base + COUNT] = 2
    inners.set(separator, base + HEADER + STRIDE)
    inners[base + CHILDREN] = this.root
    inners[base + CHILDREN + 1] = child
    this.root = root
    this.depth++
  }

  #newLeaf(): number {
    const leaf = this.#leafCount++
    if (this.#leafCount * LEAF_INTS > this.leaves.length) this.leaves = doubled(this.leaves)
    return leaf
  }

  #newInner(): number {
    const inner = this.#innerCount++
    if (this.#innerCount * INNER_INTS > this.inners.length) this.inners = doubled(this.inners)
    return inner
  }
}

function doubled(nodes: Int32Array): Int32Array {
  const grown = new Int32Array(nodes.length * 2)
  grown.set(nodes)
  return grown
}

function writeEntry(nodes: Int32Array, entry: number, prefix: RowPrefix, address: number): void {
  nodes[entry] = prefix.word0
  nodes[entry + 1] = prefix.word1
  nodes[entry + 2] = prefix.word2
  nodes[entry + ADDRESS] = address
}
