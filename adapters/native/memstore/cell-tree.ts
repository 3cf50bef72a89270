/**
 * An ordered index over the cells of an arena: a B+tree of 64-entry nodes in two typed arrays.
 *
 * An entry is four int32: twelve bytes of the row (RowPrefix) and the cell's address, so that most comparisons touch
 * one cache line and no cell. Cells are never removed.
 *
 *     leaf  := count | next | previous | 0 | entry[64]
 *     inner := count | 0 | 0 | 0 | entry[64] | child[64]     entry i: a key not greater than any in child i; 0 is unused
 */

import type { CellArena } from './cell-arena.ts'
import { RowPrefix } from './row-prefix.ts'

const NODE_ENTRIES = 64
const HALF: number = NODE_ENTRIES / 2
const HEADER = 4
const STRIDE = 4
const LEAF_INTS: number = HEADER + NODE_ENTRIES * STRIDE
const CHILDREN = LEAF_INTS
const INNER_INTS: number = LEAF_INTS + NODE_ENTRIES
const COUNT = 0
const NEXT = 1
const PREVIOUS = 2
const ADDRESS = 3
/** 64 entries a node: no tree that fits memory is deeper. */
const DEPTH_MAX = 8

export const NO_LEAF = -1

export class CellTree {
  /** Changes with every insert, so that an iterator knows when its place may have moved. */
  version = 0
  /** Where the last `seek` ended: the leaf, or NO_LEAF past the last cell, and the slot in it. */
  foundLeaf: number = NO_LEAF
  foundSlot = 0
  readonly #arena: CellArena
  #leaves: Int32Array = new Int32Array(LEAF_INTS * 4)
  #inners: Int32Array = new Int32Array(INNER_INTS)
  #leafCount = 1
  #innerCount = 0
  /** Levels of inner nodes above the leaves. */
  #depth = 0
  #root = 0
  #lastLeaf = 0
  #size = 0
  readonly #prefix = new RowPrefix()
  /** The inner nodes on the way down, and the slot taken in each. */
  readonly #pathNodes = new Int32Array(DEPTH_MAX)
  readonly #pathSlots = new Int32Array(DEPTH_MAX)

  constructor(arena: CellArena) {
    this.#arena = arena
    this.#leaves[NEXT] = NO_LEAF
    this.#leaves[PREVIOUS] = NO_LEAF
  }

  get size(): number {
    return this.#size
  }

  get indexBytes(): number {
    return (this.#leafCount * LEAF_INTS + this.#innerCount * INNER_INTS) * 4
  }

  get lastLeaf(): number {
    return this.#lastLeaf
  }

  addressAt(leaf: number, slot: number): number {
    return this.#leaves[leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS]!
  }

  countOf(leaf: number): number {
    return this.#leaves[leaf * LEAF_INTS + COUNT]!
  }

  nextLeaf(leaf: number): number {
    return this.#leaves[leaf * LEAF_INTS + NEXT]!
  }

  previousLeaf(leaf: number): number {
    return this.#leaves[leaf * LEAF_INTS + PREVIOUS]!
  }

  /** Adds a cell of the arena. One with the same key and sequence id takes the other's place. */
  insert(address: number): void {
    const prefix = this.#prefix
    prefix.setToRowOf(this.#arena.bufferOf(address), this.#arena.cellOf(address))
    let leaf = this.#descend(address)
    let slot = this.#lowerBound(leaf, address)
    this.version++
    if (slot < this.countOf(leaf) && this.#isSame(leaf, slot, address)) {
      this.#leaves[leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS] = address
      return
    }
    if (this.countOf(leaf) === NODE_ENTRIES) {
      const right = this.#splitLeaf(leaf, slot, address)
      const kept = this.countOf(leaf)
      if (slot > kept || (slot === kept && kept === NODE_ENTRIES)) {
        leaf = right
        slot -= kept
      }
    }
    this.#insertIntoLeaf(leaf, slot, address)
    this.#size++
  }

  /** To the first cell that does not sort before the KeyValue at key[keyCell]: see foundLeaf and foundSlot. */
  seek(key: Buffer, keyCell: number): void {
    this.#prefix.setToRowOf(key, keyCell)
    let node = this.#root
    for (let level = 0; level < this.#depth; level++) {
      node = this.#inners[node * INNER_INTS + CHILDREN + this.#childSlotOfKey(node, key, keyCell)]!
    }
    this.#stopAt(node, this.#lowerBoundOfKey(node, key, keyCell))
  }

  /** To the cell at an address that is in the tree. */
  find(address: number): void {
    this.#prefix.setToRowOf(this.#arena.bufferOf(address), this.#arena.cellOf(address))
    const leaf = this.#descend(address)
    this.#stopAt(leaf, this.#lowerBound(leaf, address))
  }

  #stopAt(leaf: number, slot: number): void {
    const isPastLeaf = slot === this.countOf(leaf)
    this.foundLeaf = isPastLeaf ? this.nextLeaf(leaf) : leaf
    this.foundSlot = isPastLeaf ? 0 : slot
  }

  #isSame(leaf: number, slot: number, address: number): boolean {
    return this.#comparePrefix(this.#leaves, leaf * LEAF_INTS + HEADER + slot * STRIDE) === 0
      ? this.#arena.compare(this.addressAt(leaf, slot), address) === 0
      : false
  }

  /** The entry's words against #prefix. */
  #comparePrefix(nodes: Int32Array, entry: number): number {
    const prefix = this.#prefix
    const word0 = nodes[entry]!
    if (word0 !== prefix.word0) return word0 < prefix.word0 ? -1 : 1
    const word1 = nodes[entry + 1]!
    if (word1 !== prefix.word1) return word1 < prefix.word1 ? -1 : 1
    const word2 = nodes[entry + 2]!
    if (word2 !== prefix.word2) return word2 < prefix.word2 ? -1 : 1
    return 0
  }

  /** The leaf that the cell belongs to; the way there is in #pathNodes and #pathSlots. */
  #descend(address: number): number {
    const inners = this.#inners
    let node = this.#root
    for (let level = 0; level < this.#depth; level++) {
      const base = node * INNER_INTS
      let low = 1
      let high = inners[base + COUNT]!
      while (low < high) {
        const middle = (low + high) >>> 1
        const entry = base + HEADER + middle * STRIDE
        let order = this.#comparePrefix(inners, entry)
        if (order === 0) order = this.#arena.compare(inners[entry + ADDRESS]!, address)
        if (order <= 0) low = middle + 1
        else high = middle
      }
      this.#pathNodes[level] = node
      this.#pathSlots[level] = low - 1
      node = inners[base + CHILDREN + low - 1]!
    }
    return node
  }

  #lowerBound(leaf: number, address: number): number {
    const leaves = this.#leaves
    const base = leaf * LEAF_INTS
    let low = 0
    let high = leaves[base + COUNT]!
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = base + HEADER + middle * STRIDE
      let order = this.#comparePrefix(leaves, entry)
      if (order === 0) order = this.#arena.compare(leaves[entry + ADDRESS]!, address)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #childSlotOfKey(node: number, key: Buffer, keyCell: number): number {
    const inners = this.#inners
    const base = node * INNER_INTS
    let low = 1
    let high = inners[base + COUNT]!
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = base + HEADER + middle * STRIDE
      let order = this.#comparePrefix(inners, entry)
      if (order === 0) order = this.#arena.compareToKey(inners[entry + ADDRESS]!, key, keyCell)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #lowerBoundOfKey(leaf: number, key: Buffer, keyCell: number): number {
    const leaves = this.#leaves
    const base = leaf * LEAF_INTS
    let low = 0
    let high = leaves[base + COUNT]!
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = base + HEADER + middle * STRIDE
      let order = this.#comparePrefix(leaves, entry)
      if (order === 0) order = this.#arena.compareToKey(leaves[entry + ADDRESS]!, key, keyCell)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #insertIntoLeaf(leaf: number, slot: number, address: number): void {
    const leaves = this.#leaves
    const base = leaf * LEAF_INTS
    const entry = base + HEADER + slot * STRIDE
    const end = base + HEADER + leaves[base + COUNT]! * STRIDE
    leaves.copyWithin(entry + STRIDE, entry, end)
    this.#writeEntry(leaves, entry, address)
    leaves[base + COUNT]! += 1
  }

  #writeEntry(nodes: Int32Array, entry: number, address: number): void {
    nodes[entry] = this.#prefix.word0
    nodes[entry + 1] = this.#prefix.word1
    nodes[entry + 2] = this.#prefix.word2
    nodes[entry + ADDRESS] = address
  }

  /**
   * Makes room beside a full leaf and returns the new one to its right. A leaf that grows at the very end stays full, so
   * that cells which arrive in order fill their leaves.
   */
  #splitLeaf(leaf: number, slot: number, address: number): number {
    const right = this.#newLeaf()
    const leaves = this.#leaves
    const base = leaf * LEAF_INTS
    const rightBase = right * LEAF_INTS
    const isAppend = leaf === this.#lastLeaf && slot === NODE_ENTRIES
    const kept = isAppend ? NODE_ENTRIES : HALF
    leaves.copyWithin(rightBase + HEADER, base + HEADER + kept * STRIDE, base + LEAF_INTS)
    if (isAppend) this.#writeEntry(leaves, rightBase + HEADER, address)
    leaves[base + COUNT] = kept
    leaves[rightBase + COUNT] = NODE_ENTRIES - kept
    const next = leaves[base + NEXT]!
    leaves[rightBase + NEXT] = next
    leaves[rightBase + PREVIOUS] = leaf
    leaves[base + NEXT] = right
    if (next === NO_LEAF) this.#lastLeaf = right
    else leaves[next * LEAF_INTS + PREVIOUS] = right
    this.#insertChild(this.#depth - 1, leaves, rightBase + HEADER, right)
    return right
  }

  /** Adds `child` to the right of the way taken at `level`, behind the separator at keys[entry]. */
  #insertChild(level: number, keys: Int32Array, entry: number, child: number): void {
    if (level < 0) {
      this.#growRoot(keys, entry, child)
      return
    }
    const node = this.#pathNodes[level]!
    const slot = this.#pathSlots[level]! + 1
    if (this.#inners[node * INNER_INTS + COUNT]! < NODE_ENTRIES) {
      this.#insertIntoInner(node, slot, keys, entry, child)
      return
    }
    const right = this.#newInner()
    const inners = this.#inners
    const base = node * INNER_INTS
    const rightBase = right * INNER_INTS
    if (slot === NODE_ENTRIES) {
      // As with leaves: what arrives in order leaves full nodes behind.
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
    const inners = this.#inners
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
    const inners = this.#inners
    const base = root * INNER_INTS
    inners[base + COUNT] = 2
    inners.set(separator, base + HEADER + STRIDE)
    inners[base + CHILDREN] = this.#root
    inners[base + CHILDREN + 1] = child
    this.#root = root
    this.#depth++
  }

  #newLeaf(): number {
    const leaf = this.#leafCount++
    if (this.#leafCount * LEAF_INTS > this.#leaves.length) this.#leaves = doubled(this.#leaves)
    return leaf
  }

  #newInner(): number {
    const inner = this.#innerCount++
    if (this.#innerCount * INNER_INTS > this.#inners.length) this.#inners = doubled(this.#inners)
    return inner
  }
}

function doubled(nodes: Int32Array): Int32Array {
  const grown = new Int32Array(nodes.length * 2)
  grown.set(nodes)
  return grown
}
