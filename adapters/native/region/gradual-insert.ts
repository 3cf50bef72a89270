import { valueOffset } from '../../../src/model/cell.ts'
import { type CellBlock, CellCursor, TAGS_LENGTH_BYTES } from '../../../src/model/cell-block.ts'
import type { Memstore } from '../memstore/memstore.ts'
import type { FamilyStore } from './family-store.ts'
import type { Region } from './region.ts'

const FIRST_ADDRESSES = 1024

/** The cells of one change on their way into a region's memstores. No read sees any before `settle`; cells that are never settled go with a flush. */
export class GradualInsert {
  readonly #region: Region
  readonly #stores: readonly FamilyStore[]
  readonly #pending: readonly PendingCells[]
  readonly #cursor: CellCursor
  readonly #end: () => void

  /** Between its beginning and `end` the region's memstores are not flushed. */
  constructor(region: Region, cells: CellBlock) {
    this.#region = region
    this.#stores = region.stores
    this.#pending = region.stores.map(({ memstore }) => new PendingCells(memstore))
    this.#cursor = new CellCursor(cells)
    this.#end = region.inserts.begin()
  }

  /** Whether the memstores are not the region's any more: the change must begin anew. */
  get isStale(): boolean {
    const region = this.#region
    if (!region.isOpen || region.stores !== this.#stores) return true
    return this.#pending.some(({ memstore }, index) => memstore !== this.#stores[index]!.memstore)
  }

  /** Inserts so many cells more; false once all are there. */
  insert(count: number): boolean {
    const cursor = this.#cursor
    for (let left = count; left > 0; left--) {
      if (!cursor.next()) return false
      const store = this.#region.storeOf(cursor.buffer, cursor.familyOffset, cursor.familyLength)
      if (store !== undefined) this.#pending[this.#stores.indexOf(store)]!.add(cursor)
    }
    return true
  }

  /** All are whole now, and seen by reads from the sequence id on. */
  settle(sequenceId: number): void {
    for (const cells of this.#pending) cells.settle(sequenceId)
  }

  end(): void {
    this.#end()
  }
}

/** The insert into one memstore. */
class PendingCells {
  readonly memstore: Memstore
  #addresses = new Int32Array(FIRST_ADDRESSES)
  #count = 0

  constructor(memstore: Memstore) {
    this.memstore = memstore
  }

  add({ buffer, cell, cellLength, valueLength }: CellCursor): void {
    const cellBytes = valueOffset(buffer, cell) + valueLength - cell
    const tags = cell + cellBytes + TAGS_LENGTH_BYTES
    const tagsBytes = Math.max(0, cellLength - cellBytes - TAGS_LENGTH_BYTES)
    if (this.#count === this.#addresses.length) {
      const grown = new Int32Array(2 * this.#count)
      grown.set(this.#addresses)
      this.#addresses = grown
    }
    this.#addresses[this.#count++] = this.memstore.addPending(buffer, cell, cellBytes, tags, tagsBytes)
  }

  settle(sequenceId: number): void {
    this.memstore.settle(this.#addresses, this.#count, sequenceId)
  }
}
