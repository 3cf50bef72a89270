/** A memstore's cells as bytes that can be handed to another thread: copies of the chunks, and the cells' addresses in order. */

import { CELL_HEADER_BYTES, compareCells } from '../../../src/model/cell.ts'
import { ownMemory } from '../../../src/model/mapped-memory.ts'
import { isSameColumn } from '../../../src/model/same-column.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { CellArena, ENTRY_HEADER_BYTES, OFFSET_BITS, OFFSET_MASK } from './cell-arena.ts'
import type { CellTree } from './cell-tree.ts'
import { NO_LEAF } from './tree-nodes.ts'
import { TreePlace } from './tree-place.ts'
import { toFirst, toNextLeaf } from './tree-steps.ts'

export interface PackedCells {
  /** Each over memory of its own. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[]
  readonly addresses: Int32Array<ArrayBuffer>
}

/** Addresses copied at a stretch: less than a millisecond. */
const ADDRESSES_A_PAUSE = 50_000

/**
 * `pause` is awaited after every chunk, which takes half a millisecond, and within the addresses. `isKept`: whether the cell at the address is
 * packed; undefined: all are.
 */
export async function packCells(
  chunks: readonly Buffer[],
  tree: CellTree,
  pause: () => Promise<void>,
  isKept?: (address: number) => boolean,
): Promise<PackedCells> {
  const { nodes } = tree
  let addresses = new Int32Array(tree.size)
  let count = 0
  let nextPause = ADDRESSES_A_PAUSE
  const place = new TreePlace()
  for (toFirst(nodes, place); place.leaf !== NO_LEAF; toNextLeaf(nodes, place)) {
    const { leaf } = place
    const cells = nodes.countOf(leaf)
    for (let slot = 0; slot < cells; slot++) addresses[count++] = nodes.addressAt(leaf, slot)
    if (count < nextPause) continue
    nextPause += ADDRESSES_A_PAUSE
    await pause()
  }
  if (isKept !== undefined) addresses = addresses.filter((address) => isKept(address))
  const copies: Uint8Array<ArrayBuffer>[] = []
  for (const chunk of chunks) {
    const copy = ownMemory(chunk.length)
    chunk.copy(copy)
    copies.push(copy)
    await pause()
  }
  return { chunks: copies, addresses }
}

/** Walks packed cells forwards, as a flush does. */
export class PackedCellsIterator implements CellIterator {
  readonly heldBytes = 0
  valid = false
  buffer: Buffer = ViewedBytes.EMPTY.buffer
  memory: ViewedBytes = ViewedBytes.EMPTY
  cell = 0
  cellBytes = 0
  tagsBytes = 0
  readonly #memories: readonly ViewedBytes[]
  readonly #addresses: Int32Array
  #at = 0

  constructor({ chunks, addresses }: PackedCells) {
    this.#memories = chunks.map(
      ({ buffer, byteOffset, length }) => new ViewedBytes(Buffer.from(buffer, byteOffset, length)),
    )
    this.#addresses = addresses
  }

  get tags(): number {
    return this.cell + this.cellBytes
  }

  get sequenceId(): number {
    return CellArena.sequenceIdBefore(this.memory.view, this.cell)
  }

  seekToFirst(): void {
    this.#moveTo(0)
  }

  seek(key: Buffer, keyCell: number): void {
    this.#moveTo(this.#lowerBound(0, key, keyCell))
  }

  seekForward(key: Buffer, keyCell: number): void {
    if (this.valid) this.#moveTo(this.#lowerBound(this.#at, key, keyCell))
  }

  leaveColumn(): void {
    const { memory, cell } = this
    while (this.valid && isSameColumn(memory.view, cell, this.memory.view, this.cell))
      this.#moveTo(this.#at + 1)
  }

  #lowerBound(from: number, key: Buffer, keyCell: number): number {
    let low = from
    let high = this.#addresses.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const address = this.#addresses[middle]!
      const { buffer } = this.#memories[address >> OFFSET_BITS]!
      if (compareCells(buffer, cellOf(address), key, keyCell) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  next(): void {
    if (this.valid) this.#moveTo(this.#at + 1)
  }

  seekBeforeRow(): void {
    throw new RangeError('packed cells are read forwards only')
  }

  /** Needs no agreement: the garbage collector keeps the chunks for their readers. */
  lend(): () => void {
    return () => undefined
  }

  close(): void {
    this.valid = false
    this.memory = ViewedBytes.EMPTY
    this.buffer = ViewedBytes.EMPTY.buffer
  }

  #moveTo(at: number): void {
    this.#at = at
    this.valid = at < this.#addresses.length
    if (!this.valid) return
    const address = this.#addresses[at]!
    const memory = this.#memories[address >> OFFSET_BITS]!
    const cell = cellOf(address)
    const { view } = memory
    this.memory = memory
    this.buffer = memory.buffer
    this.cell = cell
    this.cellBytes = CELL_HEADER_BYTES + view.getInt32(cell) + view.getInt32(cell + 4)
    this.tagsBytes = CellArena.tagsBytesBefore(view, cell)
  }
}

function cellOf(address: number): number {
  return ((address & OFFSET_MASK) << 3) + ENTRY_HEADER_BYTES
}
