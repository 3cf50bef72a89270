/**
 * The nodes of a memstore's index: a B+tree of 64-entry nodes in two typed arrays, which grows and knows no order.
 *
 * An entry is four int32: twelve bytes of the row (RowPrefix) and the cell's address, so that most comparisons touch
 * one cache line and no cell. The first entry of a leaf is never removed: inner nodes may have its cell as a separator, and no
 * leaf becomes empty.
 *
 *     leaf  := count | own | 0 | 0 | entry[64]
 *     inner := count | own | 0 | 0 | entry[64] | child[64]     entry i: a key not greater than any in child i; 0 is unused
 *
 * A node is the writer's own (1) until it is published. A published node never changes: a change is made to a copy of it, and of
 * the nodes above it. See PublishedTree.
 */

import { assert } from '../../../src/model/assert.ts'
import { sharedMemory } from '../../../src/model/shared-memory.ts'
import { POISON } from '../platform/poison.ts'
import type { PublishedTree } from './published-tree.ts'
import type { RowPrefix } from './row-prefix.ts'
import type { TreePlace } from './tree-place.ts'

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
const OWN = 1
/** Place of the cell's address in an entry. */
const ADDRESS = 3

export const NO_LEAF = -1
/** The greatest number of levels of inner nodes. All but the last node of a level have 32 children or more, so that no tree that fits memory is deeper. */
export const DEPTH_MAX = 8

const NO_NODES = new Int32Array(0)

/**
 * For CellTree, which copies these into constants of its own: the compiler folds a module's own constants into the code
 * but loads imported ones, which makes an insert 8 % slower.
 */
export const NODE_LAYOUT: Readonly<
  Record<'HEADER' | 'STRIDE' | 'LEAF_INTS' | 'CHILDREN' | 'INNER_INTS' | 'COUNT' | 'OWN' | 'ADDRESS', number>
> = { HEADER, STRIDE, LEAF_INTS, CHILDREN, INNER_INTS, COUNT, OWN, ADDRESS }

export class TreeNodes {
  leaves: Int32Array
  inners: Int32Array
  /** Levels of inner nodes above the leaves. */
  depth = 0
  root = 0
  lastLeaf = 0
  readonly #published: PublishedTree | undefined
  #leafCount = 1
  #innerCount = 0

  /** `published`: whose readers may be in other threads; undefined: all nodes are always the writer's own. */
  constructor(published?: PublishedTree) {
    this.#published = published
    this.leaves = this.#newInts(LEAF_INTS * 4)
    this.inners = this.#newInts(INNER_INTS)
    this.leaves[OWN] = 1
    published?.leaves.made(0)
  }

  #newInts(length: number): Int32Array {
    return this.#published === undefined
      ? new Int32Array(length)
      : new Int32Array(sharedMemory(length * 4).buffer)
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

  countOf(leaf: number): number {
    return this.leaves[leaf * LEAF_INTS + COUNT]!
  }

  /** Whether two entries have the same twelve bytes of their rows. */
  haveSameWords(leaf: number, slot: number, otherLeaf: number, otherSlot: number): boolean {
    const { leaves } = this
    const a = leaf * LEAF_INTS + HEADER + slot * STRIDE
    const b = otherLeaf * LEAF_INTS + HEADER + otherSlot * STRIDE
    return leaves[a] === leaves[b] && leaves[a + 1] === leaves[b + 1] && leaves[a + 2] === leaves[b + 2]
  }

  isOwn(leaf: number): boolean {
    return this.leaves[leaf * LEAF_INTS + OWN] === 1
  }

  /** Makes the leaf of the place, which has its way, the writer's own: the place has the copy then. */
  own(place: TreePlace): void {
    if (this.isOwn(place.leaf)) return
    const { way } = place
    let parent = -1
    for (let level = 0; level < this.depth; level++) {
      const node = way[2 * level]!
      if (this.inners[node * INNER_INTS + OWN] !== 1) {
        const copy = this.#copyInner(node)
        way[2 * level] = copy
        this.#setChild(place, level, parent, copy)
      }
      parent = way[2 * level]!
    }
    const { leaf } = place
    const copy = this.#newLeaf()
    const end = leaf * LEAF_INTS + HEADER + this.countOf(leaf) * STRIDE
    this.leaves.copyWithin(copy * LEAF_INTS, leaf * LEAF_INTS, end)
    this.leaves[copy * LEAF_INTS + OWN] = 1
    this.#published?.leaves.replaced(leaf)
    if (leaf === this.lastLeaf) this.lastLeaf = copy
    place.leaf = copy
    this.#setChild(place, this.depth, parent, copy)
  }

  #copyInner(node: number): number {
    const copy = this.#newInner()
    this.inners.copyWithin(copy * INNER_INTS, node * INNER_INTS, (node + 1) * INNER_INTS)
    this.inners[copy * INNER_INTS + OWN] = 1
    this.#published?.inners.replaced(node)
    return copy
  }

  /** Puts a node of the level into its parent, at the slot of the way. */
  #setChild({ way }: TreePlace, level: number, parent: number, node: number): void {
    if (level === 0) this.root = node
    else this.inners[parent * INNER_INTS + CHILDREN + way[2 * level - 1]!] = node
  }

  /** Shows the present state to readers in other threads. */
  publish(epoch: number): void {
    const published = this.#published
    if (published === undefined) return
    const { root, depth, leaves, inners } = this
    published.leaves.publish(leaves, LEAF_INTS, OWN, epoch)
    published.inners.publish(inners, INNER_INTS, OWN, epoch)
    published.root = { root, depth, leaves, inners }
  }

  /**
   * Called when all readers have noted the epoch or a later one, or have ended: the nodes that only earlier ones needed are used again. `poisons`:
   * they are overwritten.
   */
  reclaim(epoch: number, poisons = false): void {
    const published = this.#published
    if (published === undefined) return
    const { leaves, inners } = this
    published.leaves.reclaim(epoch, poisons ? poisoning(leaves, LEAF_INTS) : undefined)
    published.inners.reclaim(epoch, poisons ? poisoning(inners, INNER_INTS) : undefined)
  }

  // The methods below change nodes, which must be the writer's own.

  replaceAddress(leaf: number, slot: number, address: number): void {
    this.leaves[leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS] = address
  }

  /** Puts the address in front of that of the slot, which takes the place of the next one's. Both entries have the words of its row. */
  shiftIntoNext(leaf: number, slot: number, address: number): void {
    const { leaves } = this
    const at = leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS
    leaves[at + STRIDE] = leaves[at]!
    leaves[at] = address
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

  /**
   * Adds an entry at the place, in front of the slot's; splits a full leaf. The place is that of the new entry then, without its way where a leaf was
   * split. A full leaf needs the way.
   */
  insert(place: TreePlace, prefix: RowPrefix, address: number): void {
    const { leaf, slot } = place
    if (this.countOf(leaf) < NODE_ENTRIES) {
      this.#insertIntoLeaf(leaf, slot, prefix, address)
      return
    }
    const right = this.#splitLeaf(place, prefix, address)
    place.hasWay = false
    const kept = this.countOf(leaf)
    if (slot > kept || (slot === kept && kept === NODE_ENTRIES)) {
      place.leaf = right
      place.slot = slot - kept
    }
    this.#insertIntoLeaf(place.leaf, place.slot, prefix, address)
  }

  #insertIntoLeaf(leaf: number, slot: number, prefix: RowPrefix, address: number): void {
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
  #splitLeaf(place: TreePlace, prefix: RowPrefix, address: number): number {
    const { leaf, slot } = place
    const right = this.#newLeaf()
    const leaves = this.leaves
    const base = leaf * LEAF_INTS
    const rightBase = right * LEAF_INTS
    const isLast = leaf === this.lastLeaf
    const isAppend = isLast && slot === NODE_ENTRIES
    const kept = isAppend ? NODE_ENTRIES : HALF
    leaves.copyWithin(rightBase + HEADER, base + HEADER + kept * STRIDE, base + LEAF_INTS)
    if (isAppend) writeEntry(leaves, rightBase + HEADER, prefix, address)
    leaves[base + COUNT] = kept
    leaves[rightBase + COUNT] = NODE_ENTRIES - kept
    leaves[rightBase + OWN] = 1
    if (isLast) this.lastLeaf = right
    this.#insertChild(place, isLast, this.depth - 1, leaves, rightBase + HEADER, right)
    return right
  }

  /**
   * Adds `child` to the right of the way's slot at `level`, behind the separator at keys[entry]. `isLast`: the way leads to the last leaf, by the
   * last node of each level.
   */
  #insertChild(
    place: TreePlace,
    isLast: boolean,
    level: number,
    keys: Int32Array,
    entry: number,
    child: number,
  ): void {
    if (level < 0) {
      this.#growRoot(keys, entry, child)
      return
    }
    const node = place.way[2 * level]!
    const slot = place.way[2 * level + 1]! + 1
    if (this.inners[node * INNER_INTS + COUNT]! < NODE_ENTRIES) {
      this.#insertIntoInner(node, slot, keys, entry, child)
      return
    }
    const right = this.#newInner()
    const inners = this.inners
    const base = node * INNER_INTS
    const rightBase = right * INNER_INTS
    inners[rightBase + OWN] = 1
    if (isLast && slot === NODE_ENTRIES) {
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
    this.#insertChild(place, isLast, level - 1, inners, rightBase + HEADER, right)
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
    assert(this.depth < DEPTH_MAX, 'the index of a memstore has too many levels')
    const separator = keys.slice(entry, entry + STRIDE)
    const root = this.#newInner()
    const inners = this.inners
    const base = root * INNER_INTS
    inners[base + COUNT] = 2
    inners[base + OWN] = 1
    inners.set(separator, base + HEADER + STRIDE)
    inners[base + CHILDREN] = this.root
    inners[base + CHILDREN + 1] = child
    this.root = root
    this.depth++
  }

  #newLeaf(): number {
    const freed = this.#published?.leaves.take()
    const leaf = freed ?? this.#leafCount++
    if (this.#leafCount * LEAF_INTS > this.leaves.length) this.leaves = this.#doubled(this.leaves)
    this.#published?.leaves.made(leaf)
    return leaf
  }

  #newInner(): number {
    const freed = this.#published?.inners.take()
    const inner = freed ?? this.#innerCount++
    if (this.#innerCount * INNER_INTS > this.inners.length) this.inners = this.#doubled(this.inners)
    this.#published?.inners.made(inner)
    return inner
  }

  /** Readers of published nodes go on in the array before. */
  #doubled(nodes: Int32Array): Int32Array {
    const grown = this.#newInts(nodes.length * 2)
    grown.set(nodes)
    return grown
  }
}

function poisoning(nodes: Int32Array, nodeInts: number): (node: number) => void {
  return (node) => void nodes.fill(POISON, node * nodeInts, (node + 1) * nodeInts)
}

function writeEntry(nodes: Int32Array, entry: number, prefix: RowPrefix, address: number): void {
  nodes[entry] = prefix.word0
  nodes[entry + 1] = prefix.word1
  nodes[entry + 2] = prefix.word2
  nodes[entry + ADDRESS] = address
}
