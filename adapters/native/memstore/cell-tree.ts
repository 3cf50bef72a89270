import type { CellArena } from './cell-arena.ts'
import { LeafRows } from './leaf-rows.ts'
import { LeafWalk } from './leaf-walk.ts'
import type { PublishedTree } from './published-tree.ts'
import { RowPrefix } from './row-prefix.ts'
import type { SurplusVersions } from './surplus-versions.ts'
import { NODE_LAYOUT, TreeNodes } from './tree-nodes.ts'
import { TreePlace } from './tree-place.ts'
import { toNextLeaf } from './tree-steps.ts'

const { HEADER, STRIDE, LEAF_INTS, CHILDREN, INNER_INTS, COUNT, OWN, ADDRESS } = NODE_LAYOUT
const NODE_ENTRIES: number = (LEAF_INTS - HEADER) / STRIDE
/** Entries behind the last insert's that may be older versions of its column, before the next column's. */
const NEAR_ENTRIES = 3

/** An ordered index over the cells of an arena. */
export class CellTree {
  /** Changes with every insert, so that an iterator notices that its place may have moved. */
  version = 0
  readonly nodes: TreeNodes
  readonly walk: LeafWalk
  readonly rows: LeafRows
  readonly #arena: CellArena
  #size = 0
  readonly #prefix = new RowPrefix()
  /** Where the last insert put its entry. */
  readonly #inserted = new TreePlace()

  /** `published`: see TreeNodes. */
  constructor(arena: CellArena, published?: PublishedTree) {
    this.#arena = arena
    this.nodes = new TreeNodes(published)
    this.walk = new LeafWalk(arena, this.nodes)
    this.rows = new LeafRows(arena, this.nodes, this.walk)
    this.#inserted.leaf = this.nodes.root
  }

  get size(): number {
    return this.#size
  }

  /** The place of the last insert, with its way. */
  get inserted(): TreePlace {
    const place = this.#inserted
    if (!place.hasWay) this.find(this.nodes.addressAt(place.leaf, place.slot), place)
    return place
  }

  /**
   * Adds a cell of the arena. It replaces a cell with the same key and sequence id. True if it stands in front of another
   * cell of its column, which `surplus` has not dealt with.
   */
  insert(address: number, surplus?: SurplusVersions): boolean {
    const prefix = this.#prefix
    const place = this.#inserted
    const { word0, word1, word2 } = prefix
    prefix.setToRowOf(this.#arena.bufferOf(address), this.#arena.cellOf(address))
    const { nodes } = this
    if (
      word2 === prefix.word2 &&
      word1 === prefix.word1 &&
      word0 === prefix.word0 &&
      this.#insertNear(place, address)
    )
      return this.walk.isNextOfColumn(place)
    const near = this.#slotBehind(place, address)
    if (near >= 0) place.slot = near
    else {
      this.#descend(address, place)
      place.slot = this.#lowerBoundOfWords(place.leaf)
    }
    this.version++
    if (place.slot === nodes.countOf(place.leaf) || !this.#hasWords(place)) {
      this.#add(place, address)
      return false
    }
    // Mostly it is the newest version of the only column: one cell decides, where a search would read several.
    if (this.#arena.isNewerVersion(address, nodes.addressAt(place.leaf, place.slot))) {
      if (surplus?.replacesOldest(place, address) === true) return false
      this.#add(place, address)
      return true
    }
    return this.#insertAfter(place, address)
  }

  #add(place: TreePlace, address: number): void {
    this.nodes.own(place)
    this.nodes.insert(place, this.#prefix, address)
    this.#size++
  }

  /**
   * Inserts a cell that belongs a few entries behind the last one inserted, as the columns of a wide row do, which come in order. False: it
   * is to be searched for. At the end of a leaf, but for the last one's, the separators would have to be asked.
   */
  #insertNear(place: TreePlace, address: number): boolean {
    const { nodes } = this
    const { leaf } = place
    const { leaves } = nodes
    const base = leaf * LEAF_INTS
    const count = leaves[base + COUNT]!
    if (!mayTakeNear(leaves, base, place.slot) || !this.#isBehind(base, place.slot, address)) return false
    const last = Math.min(count, place.slot + 1 + NEAR_ENTRIES)
    let slot = place.slot + 1
    while (slot < last && this.#isBehind(base, slot, address)) slot++
    const isEnd = slot === count
    if (isEnd ? leaf !== nodes.lastLeaf : slot === last || this.#isSame(leaf, slot, address)) return false
    this.version++
    place.slot = slot
    nodes.insert(place, this.#prefix, address)
    this.#size++
    return true
  }

  /**
   * The slot of a cell that belongs a few entries behind the last one inserted and is of another row, as of rows that come in order; -1: it is
   * to be searched for. Among cells with the words of its row only a place in front of the first one is known.
   */
  #slotBehind(place: TreePlace, address: number): number {
    const { leaves, lastLeaf } = this.nodes
    const { leaf } = place
    const base = leaf * LEAF_INTS
    const count = leaves[base + COUNT]!
    if (!mayTakeNear(leaves, base, place.slot)) return -1
    const entries = base + HEADER
    if (this.#comparePrefix(leaves, entries + place.slot * STRIDE) >= 0) return -1
    const last = Math.min(count, place.slot + 1 + NEAR_ENTRIES)
    let slot = place.slot + 1
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

  /** Inserts a cell whose row has the words of the one at the place, which it is no newer version of. */
  #insertAfter(place: TreePlace, address: number): boolean {
    const { nodes } = this
    place.slot = this.#lowerBound(place.leaf, address, place.slot)
    if (place.slot < nodes.countOf(place.leaf) && this.#isSame(place.leaf, place.slot, address)) {
      nodes.own(place)
      nodes.replaceAddress(place.leaf, place.slot, address)
      return false
    }
    this.#add(place, address)
    return this.walk.isNextOfColumn(place)
  }

  /** Called when the nodes have lost `count` entries. */
  dropped(count: number): void {
    this.#size -= count
    this.version++
  }

  /** Called when the nodes are others: places of iterators may have moved. */
  changed(): void {
    this.version++
  }

  /** To the first cell that does not sort before the KeyValue at key[keyCell]. */
  seek(place: TreePlace, key: Buffer, keyCell: number): void {
    this.#prefix.setToRowOf(key, keyCell)
    const { inners, depth } = this.nodes
    const { way } = place
    let node = this.nodes.root
    for (let level = 0; level < depth; level++) {
      const slot = this.#childSlotOfKey(node, key, keyCell)
      way[2 * level] = node
      way[2 * level + 1] = slot
      node = inners[node * INNER_INTS + CHILDREN + slot]!
    }
    place.hasWay = true
    this.#stopAt(place, node, this.#lowerBoundOfKey(node, key, keyCell))
  }

  /** As seek, for a key that does not sort before the entry at the place: looks in its leaf first. */
  seekFrom(place: TreePlace, key: Buffer, keyCell: number): void {
    const { leaf, slot } = place
    this.#prefix.setToRowOf(key, keyCell)
    const last = this.nodes.countOf(leaf) - 1
    if (this.#compareToKey(leaf, last, key, keyCell) < 0) this.seek(place, key, keyCell)
    else this.#stopAt(place, leaf, this.#lowerBoundOfKey(leaf, key, keyCell, slot))
  }

  #compareToKey(leaf: number, slot: number, key: Buffer, keyCell: number): number {
    const entry = leaf * LEAF_INTS + HEADER + slot * STRIDE
    const order = this.#comparePrefix(this.nodes.leaves, entry)
    return order !== 0 ? order : this.#arena.compareToKey(this.nodes.leaves[entry + ADDRESS]!, key, keyCell)
  }

  /** To the cell at an address that is in the tree; where it has been dropped, to the next one. */
  find(address: number, place: TreePlace): void {
    this.#prefix.setToRowOf(this.#arena.bufferOf(address), this.#arena.cellOf(address))
    this.#descend(address, place)
    this.#stopAt(place, place.leaf, this.#lowerBound(place.leaf, address))
  }

  #stopAt(place: TreePlace, leaf: number, slot: number): void {
    if (slot === this.nodes.countOf(leaf)) toNextLeaf(this.nodes, place)
    else {
      place.leaf = leaf
      place.slot = slot
    }
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

  /** To the cell's leaf. */
  #descend(address: number, place: TreePlace): void {
    const { inners, depth } = this.nodes
    const { way } = place
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
      way[2 * level] = node
      way[2 * level + 1] = low - 1
      node = inners[base + CHILDREN + low - 1]!
    }
    place.leaf = node
    place.hasWay = true
  }

  #hasWords({ leaf, slot }: TreePlace): boolean {
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

/** Whether an entry may be added a few entries behind the slot without its way: the leaf is the writer's own, and has room. */
function mayTakeNear(leaves: Int32Array, base: number, slot: number): boolean {
  const count = leaves[base + COUNT]!
  return count < NODE_ENTRIES && slot < count && leaves[base + OWN] === 1
}
