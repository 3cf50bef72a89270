import type { CellArena } from './cell-arena.ts'
import { LeafRows } from './leaf-rows.ts'
import { LeafWalk } from './leaf-walk.ts'
import { RowPrefix } from './row-prefix.ts'
import type { SurplusVersions } from './surplus-versions.ts'
import { NO_LEAF, NODE_LAYOUT, TreeNodes } from './tree-nodes.ts'

const { HEADER, STRIDE, LEAF_INTS, CHILDREN, INNER_INTS, COUNT, ADDRESS } = NODE_LAYOUT
const NODE_ENTRIES: number = (LEAF_INTS - HEADER) / STRIDE
/** Entries behind the last insert's that may be older versions of its column, before the next column's. */
const NEAR_ENTRIES = 3

/** An ordered index over the cells of an arena. */
export class CellTree {
  /** Changes with every insert, so that an iterator notices that its place may have moved. */
  version = 0
  /** The leaf at which the last `seek` ended, or NO_LEAF past the last cell; foundSlot is the slot in it. */
  foundLeaf: number = NO_LEAF
  foundSlot = 0
  readonly nodes: TreeNodes = new TreeNodes()
  readonly walk: LeafWalk
  readonly rows: LeafRows
  readonly #arena: CellArena
  #size = 0
  readonly #prefix = new RowPrefix()

  constructor(arena: CellArena) {
    this.#arena = arena
    this.walk = new LeafWalk(arena, this.nodes)
    this.rows = new LeafRows(arena, this.nodes, this.walk)
  }

  get size(): number {
    return this.#size
  }

  /**
   * Adds a cell of the arena. It replaces a cell with the same key and sequence id. True if it stands in front of another
   * cell of its column, which `surplus` has not dealt with.
   */
  insert(address: number, surplus?: SurplusVersions): boolean {
    const prefix = this.#prefix
    const { word0, word1, word2 } = prefix
    prefix.setToRowOf(this.#arena.bufferOf(address), this.#arena.cellOf(address))
    const { nodes } = this
    if (
      word2 === prefix.word2 &&
      word1 === prefix.word1 &&
      word0 === prefix.word0 &&
      this.#insertNear(address)
    )
      return this.walk.isNextOfColumn(nodes.insertedLeaf, nodes.insertedSlot)
    let leaf = nodes.insertedLeaf
    let slot = this.#slotBehind(address)
    if (slot < 0) {
      leaf = this.#descend(address)
      slot = this.#lowerBoundOfWords(leaf)
    }
    this.version++
    if (slot === nodes.countOf(leaf) || !this.#hasWords(leaf, slot)) {
      nodes.insert(leaf, slot, prefix, address)
      this.#size++
      return false
    }
    // Mostly it is the newest version of the only column: one cell decides, where a search would read several.
    if (this.#arena.isNewerVersion(address, nodes.addressAt(leaf, slot))) {
      if (surplus?.replacesOldest(leaf, slot, address) === true) return false
      nodes.insert(leaf, slot, prefix, address)
      this.#size++
      return true
    }
    return this.#insertAfter(leaf, slot, address)
  }

  /**
   * Inserts a cell that belongs a few entries behind the last one inserted, as the columns of a wide row do, which come in order. False: it
   * is to be searched for. At the end of a leaf, but for the last one's, the separators would have to be asked.
   */
  #insertNear(address: number): boolean {
    const { nodes } = this
    const { insertedLeaf: leaf, leaves } = nodes
    const base = leaf * LEAF_INTS
    const count = leaves[base + COUNT]!
    if (
      count === NODE_ENTRIES ||
      nodes.insertedSlot >= count ||
      !this.#isBehind(base, nodes.insertedSlot, address)
    )
      return false
    const last = Math.min(count, nodes.insertedSlot + 1 + NEAR_ENTRIES)
    let slot = nodes.insertedSlot + 1
    while (slot < last && this.#isBehind(base, slot, address)) slot++
    const isEnd = slot === count
    if (isEnd ? leaf !== nodes.lastLeaf : slot === last || this.#isSame(leaf, slot, address)) return false
    this.version++
    nodes.insert(leaf, slot, this.#prefix, address)
    this.#size++
    return true
  }

  /**
   * The slot of a cell that belongs a few entries behind the last one inserted and is of another row, as of rows that come in order; -1: it is
   * to be searched for. Among cells with the words of its row only a place in front of the first one is known.
   */
  #slotBehind(address: number): number {
    const { insertedLeaf: leaf, insertedSlot, leaves, lastLeaf } = this.nodes
    const base = leaf * LEAF_INTS
    const count = leaves[base + COUNT]!
    if (count === NODE_ENTRIES || insertedSlot >= count) return -1
    const entries = base + HEADER
    if (this.#comparePrefix(leaves, entries + insertedSlot * STRIDE) >= 0) return -1
    const last = Math.min(count, insertedSlot + 1 + NEAR_ENTRIES)
    let slot = insertedSlot + 1
    let order = -1
    while (slot < last && (order = this.#comparePrefix(leaves, entries + slot * STRIDE)) < 0) slot++
    if (slot === count) return leaf === lastLeaf ? slot : -1
    if (order < 0) return -1
    const isFirst = order > 0 || this.#arena.isNewerVersion(address, this.nodes.addressAt(leaf, slot))
    return isFirst ? slot : -1
  }

  /** Whether the cell sorts behind the entry. */
  #isBehind(base: number, slot: number, address: number): boolean {
    const entry = base + HEADER + slot * STRIDE
    const order = this.#comparePrefix(this.nodes.leaves, entry)
    return (order !== 0 ? order : this.#arena.compare(this.nodes.leaves[entry + ADDRESS]!, address)) < 0
  }

  /** Inserts a cell whose row has the words of the one at the slot, which it is no newer version of. */
  #insertAfter(leaf: number, from: number, address: number): boolean {
    const slot = this.#lowerBound(leaf, address, from)
    if (slot < this.nodes.countOf(leaf) && this.#isSame(leaf, slot, address)) {
      this.nodes.replaceAddress(leaf, slot, address)
      return false
    }
    this.nodes.insert(leaf, slot, this.#prefix, address)
    this.#size++
    return this.walk.isNextOfColumn(this.nodes.insertedLeaf, this.nodes.insertedSlot)
  }

  /** Called when the nodes have lost `count` entries. */
  dropped(count: number): void {
    this.#size -= count
    this.version++
  }

  /** To the first cell that does not sort before the KeyValue at key[keyCell]: see foundLeaf and foundSlot. */
  seek(key: Buffer, keyCell: number): void {
    this.#prefix.setToRowOf(key, keyCell)
    const { inners, depth } = this.nodes
    let node = this.nodes.root
    for (let level = 0; level < depth; level++) {
      node = inners[node * INNER_INTS + CHILDREN + this.#childSlotOfKey(node, key, keyCell)]!
    }
    this.#stopAt(node, this.#lowerBoundOfKey(node, key, keyCell))
  }

  /** As seek, for a key that does not sort before the entry at the slot: looks in its leaf first. */
  seekFrom(leaf: number, slot: number, key: Buffer, keyCell: number): void {
    this.#prefix.setToRowOf(key, keyCell)
    const last = this.nodes.countOf(leaf) - 1
    if (this.#compareToKey(leaf, last, key, keyCell) < 0) this.seek(key, keyCell)
    else this.#stopAt(leaf, this.#lowerBoundOfKey(leaf, key, keyCell, slot))
  }

  #compareToKey(leaf: number, slot: number, key: Buffer, keyCell: number): number {
    const entry = leaf * LEAF_INTS + HEADER + slot * STRIDE
    const order = this.#comparePrefix(this.nodes.leaves, entry)
    return order !== 0 ? order : this.#arena.compareToKey(this.nodes.leaves[entry + ADDRESS]!, key, keyCell)
  }

  /** To the cell at an address that is in the tree. */
  find(address: number): void {
    this.#prefix.setToRowOf(this.#arena.bufferOf(address), this.#arena.cellOf(address))
    const leaf = this.#descend(address)
    this.#stopAt(leaf, this.#lowerBound(leaf, address))
  }

  #stopAt(leaf: number, slot: number): void {
    const isPastLeaf = slot === this.nodes.countOf(leaf)
    this.foundLeaf = isPastLeaf ? this.nodes.nextLeaf(leaf) : leaf
    this.foundSlot = isPastLeaf ? 0 : slot
  }

  #isSame(leaf: number, slot: number, address: number): boolean {
    return (
      this.#comparePrefix(this.nodes.leaves, leaf * LEAF_INTS + HEADER + slot * STRIDE) === 0 &&
      this.#arena.compare(this.nodes.addressAt(leaf, slot), address) === 0
    )
  }

  /** Order of the entry's words and #prefix. */
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

  /** The cell's leaf; the nodes' path records the way there. */
  #descend(address: number): number {
    const { inners, depth, pathNodes, pathSlots } = this.nodes
    let node = this.nodes.root
    for (let level = 0; level < depth; level++) {
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
      pathNodes[level] = node
      pathSlots[level] = low - 1
      node = inners[base + CHILDREN + low - 1]!
    }
    return node
  }

  #hasWords(leaf: number, slot: number): boolean {
    return this.#comparePrefix(this.nodes.leaves, leaf * LEAF_INTS + HEADER + slot * STRIDE) === 0
  }

  /** The first slot whose words are not less than #prefix's. It touches no cell. */
  #lowerBoundOfWords(leaf: number): number {
    const { leaves } = this.nodes
    const base = leaf * LEAF_INTS
    let low = 0
    let high = leaves[base + COUNT]!
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#comparePrefix(leaves, base + HEADER + middle * STRIDE) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #lowerBound(leaf: number, address: number, from = 0): number {
    const { leaves } = this.nodes
    const base = leaf * LEAF_INTS
    let low = from
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
    const { inners } = this.nodes
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

  #lowerBoundOfKey(leaf: number, key: Buffer, keyCell: number, from = 0): number {
    const { leaves } = this.nodes
    const base = leaf * LEAF_INTS
    let low = from
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
}
