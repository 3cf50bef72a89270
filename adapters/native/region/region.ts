/** The rows of a table from one key to another, in a store for each family. */

import { assert } from '../../../src/model/assert.ts'
import { EMPTY, equalRange, readInt32 } from '../../../src/model/bytes.ts'
import {
  CELL_HEADER_BYTES,
  type CellParts,
  familyLengthOffset,
  valueOffset,
} from '../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES, CellBlock } from '../../../src/model/cell-block.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import { isSystemTable } from '../../../src/model/table-name.ts'
import type { FamilyRecord, RegionRecord } from '../manifest/manifest-edit.ts'
import type { FamilyRuns } from '../read/family-runs.ts'
import type { HeldRegion, OnReplaced } from '../read/read-region.ts'
import { RegionRequests } from '../read/region-requests.ts'
import { FamilyStore } from './family-store.ts'
import { GradualInserts } from './gradual-inserts.ts'
import { newestTags } from './newest-tags.ts'
import { ReadPoints } from './read-points.ts'
import type { RegionTools } from './region-tools.ts'
import { ServedRegion } from './served-region.ts'
import type { TargetRegions } from './target-regions.ts'

export class Region extends ServedRegion implements TargetRegions {
  /** Cells up to this sequence id are in store files. */
  flushedSequenceId: number
  /** The last write that is not in the log, as its client wished. */
  unloggedUpTo = 0
  /** The next flushedSequenceId, once the snapshot is in a file; undefined without a snapshot. */
  snapshotSequenceId: number | undefined
  /** The flushedSequenceId of its last flush; undefined where there was none since it was opened. */
  lastFlush: number | undefined
  /** In byte order of the families. */
  stores: readonly FamilyStore[]
  /** Bulk loads under way. A compaction would give cells from before them the place of cells from after them. */
  loads = 0
  exchange: Promise<void> | undefined
  readonly inserts: GradualInserts = new GradualInserts()
  /** The regions that had its rows before a split or a merge, as long as they have open scanners. */
  #predecessors: readonly Region[]
  readonly #readPointsOfTable: ReadPoints
  /** Read points of open scanners. */
  readonly #readPoints: ReadPoints
  readonly #tools: RegionTools

  constructor(
    table: TableDescriptor,
    families: readonly FamilyRecord[],
    record: RegionRecord,
    tools: RegionTools,
    predecessors: readonly Region[] = [],
  ) {
    super(table, record, tools)
    this.flushedSequenceId = record.flushedSequenceId
    this.#predecessors = predecessors
    this.#tools = tools
    this.#readPointsOfTable = tools.waiting.readPointsOf(table.name)
    this.#readPoints = new ReadPoints(this.#readPointsOfTable)
    this.stores = this.#storesFor(table, families, [])
  }

  #storesFor(
    table: TableDescriptor,
    records: readonly FamilyRecord[],
    before: readonly FamilyStore[],
  ): FamilyStore[] {
    const isLabelled = this.#tools.visibilityLabels === true && !isSystemTable(table.name)
    const beforeChange = (): void => this.#tools.waiting.beforeChange(this)
    const tools = { ...this.#tools, readPoints: this.#readPoints, isLabelled, beforeChange }
    // A table may have tens of thousands of families.
    const storeOf = new Map(before.map((store) => [keyOf(store.descriptor.name), store]))
    const recordOf = new Map(records.map((record) => [keyOf(record.name), record]))
    return table.families.map((family) => {
      const key = keyOf(family.name)
      const kept = storeOf.get(key)
      kept?.setDescriptor(family)
      return kept ?? new FamilyStore(family, recordOf.get(key)?.sinceSequenceId ?? 0, tools)
    })
  }

  /** Returns the stores of removed families, whose data the caller must release. */
  setTable(table: TableDescriptor, records: readonly FamilyRecord[]): FamilyStore[] {
    this.#tools.waiting.beforeChange(this)
    const before = this.stores
    const stores = this.#storesFor(table, records, before)
    this.table = table
    this.stores = stores
    const kept = new Set(stores)
    return before.filter((store) => !kept.has(store))
  }

  get memstoreBytes(): number {
    let bytes = 0
    for (const store of this.stores) bytes += store.memstoreBytes
    return bytes
  }

  get memstoreDataBytes(): number {
    let bytes = 0
    for (const store of this.stores) bytes += store.memstoreDataBytes
    return bytes
  }

  get hasUnflushedCells(): boolean {
    return this.stores.some((store) => store.memstore.cellCount > 0) || this.snapshotSequenceId !== undefined
  }

  /** Whether memory alone has some of its cells. */
  get hasUnloggedCells(): boolean {
    return this.unloggedUpTo > this.flushedSequenceId
  }

  /** The store of the family at buffer[offset..], or undefined if the table has no such family. */
  storeOf(buffer: Buffer, offset: number, length: number): FamilyStore | undefined {
    for (const store of this.stores) {
      const { name } = store.rules
      if (equalRange(name, 0, name.length, buffer, offset, length)) return store
    }
    return undefined
  }

  /** Puts cells into the memstores. Cells of unknown families are left out: their data was dropped. */
  insert(cells: CellBlock, sequenceId: number): void {
    assert(sequenceId > this.flushedSequenceId, 'a write is older than what its region has flushed')
    const { cursor } = this.#tools
    cursor.reset(cells)
    while (cursor.next()) {
      const { buffer, cell } = cursor
      const store = this.storeOf(buffer, cursor.familyOffset, cursor.familyLength)
      if (store === undefined || sequenceId <= store.sinceSequenceId) continue
      const cellBytes = valueOffset(buffer, cell) + cursor.valueLength - cell
      // In a block, the tags' length and the tags follow a cell that has any.
      const tagsBytes = Math.max(0, cursor.cellLength - cellBytes - 2)
      store.memstore.add(buffer, cell, cellBytes, cell + cellBytes + 2, tagsBytes, sequenceId)
    }
    // The cursor is there for good: it would keep the memory of the last write.
    cursor.reset(CellBlock.EMPTY)
  }

  /** As `insert`, of the one cell at `cell` of a cell block. */
  insertCell(buffer: Buffer, cell: number, sequenceId: number): void {
    const family = familyLengthOffset(buffer, cell)
    const store = this.storeOf(buffer, family + 1, buffer[family]!)
    if (store === undefined || sequenceId <= store.sinceSequenceId) return
    const cellBytes = CELL_HEADER_BYTES + readInt32(buffer, cell) + readInt32(buffer, cell + 4)
    const tagsBytes = Math.max(0, readInt32(buffer, cell - CELL_PREFIX_BYTES) - cellBytes - 2)
    store.memstore.add(buffer, cell, cellBytes, cell + cellBytes + 2, tagsBytes, sequenceId)
  }

  /** See FamilyStore.rollBack. */
  rollBack(readPoint: number): void {
    for (const store of this.stores) store.rollBack(readPoint)
  }

  hasFamily(family: Buffer): boolean {
    return this.storeOf(family, 0, family.length) !== undefined
  }

  families(): FamilyRuns[] {
    return this.stores.map((store) => store.runs())
  }

  /** The tags of a stored cell. If several cells have its key, the newest one counts. */
  tagsOf(cell: CellParts): Buffer {
    const store = this.storeOf(cell.family, 0, cell.family.length)
    return store?.mayHaveTags === true ? newestTags(store.runs().runs, blockOf([cell])) : EMPTY
  }

  /** The least read point of the region's open scanners; Infinity if there are none. HBase: HRegion.getSmallestReadPoint. */
  get smallestReadPoint(): number {
    const oldest = Math.min(
      this.#readPoints.oldest,
      this.#tools.otherReaders?.oldestReader ?? Number.POSITIVE_INFINITY,
    )
    if (this.#predecessors.length === 0) return oldest
    const ofEarlier = this.#predecessors.map((region) => region.smallestReadPoint)
    this.#predecessors = this.#predecessors.filter(
      (_, index) => ofEarlier[index] !== Number.POSITIVE_INFINITY,
    )
    return Math.min(oldest, ...ofEarlier)
  }

  keepReadPoint(readPoint: number): () => void {
    return this.#readPoints.keep(readPoint)
  }

  keepReadPointOfTable(readPoint: number): () => void {
    return this.#readPointsOfTable.keep(readPoint)
  }

  hold(onReplaced: OnReplaced): HeldRegion {
    const held = this.stores.map((store) => store.hold(onReplaced))
    return {
      requests: this.requests,
      get families() {
        return held.map(({ runs }) => runs)
      },
      // Reads in the thread that writes meet each change at once.
      resume: () => undefined,
      release: () => {
        for (const store of held) store.release()
      },
    }
  }

  /** Called when its table is enabled, which opens all that were closed by themselves: its figures begin anew. */
  opened(): void {
    this.setClosed(false, [])
    this.requests = new RegionRequests()
    this.lastFlush = undefined
  }

  /** Called when the table is dropped or truncated, or the store is closed. */
  close(): void {
    this.isOpen = false
    for (const store of this.stores) store.release()
  }
}

function keyOf(name: Buffer): string {
  return name.toString('latin1')
}
