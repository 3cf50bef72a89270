import type { FilterPreparation } from '../../../src/filter/evaluate/prepared-filter.ts'
import type { HeldRegion, OnReplaced, RegionWaiter } from '../read/read-region.ts'
/** The rows of a table from one key to another, in a store for each family. */

import { assert } from '../../../src/model/assert.ts'
import { compareRange, EMPTY, equalRange, readInt32 } from '../../../src/model/bytes.ts'
import {
  CELL_HEADER_BYTES,
  type CellParts,
  familyLengthOffset,
  valueOffset,
} from '../../../src/model/cell.ts'
import {
  blockOf,
  CELL_PREFIX_BYTES,
  CellBlock,
  type CellBlockBuilder,
} from '../../../src/model/cell-block.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { Get, Query } from '../../../src/model/query.ts'
import { regionName, replicaName } from '../../../src/model/region-name.ts'
import { replication } from '../../../src/model/region-replication.ts'
import { noSuchColumnFamily } from '../../../src/model/table-description.ts'
import { isSystemTable } from '../../../src/model/table-name.ts'
import { checkRowIsInRegion, type RowOperationName, regionNotOnline } from '../../../src/store/refusals.ts'
import type { FamilyRecord, RegionRecord } from '../manifest/manifest-edit.ts'
import type { FamilyRuns, ScanContext } from '../read/family-runs.ts'
import type { FilteredGet } from '../read/filtered-get.ts'
import type { Loans } from '../read/loans.ts'
import { RegionRequests } from '../read/region-requests.ts'
import { ClosedReplicas } from './closed-replicas.ts'
import { FamilyStore } from './family-store.ts'
import { GradualInserts } from './gradual-inserts.ts'
import { newestTags } from './newest-tags.ts'
import { ReadPoints } from './read-points.ts'
import type { RegionTools } from './region-tools.ts'
import type { TargetRegions } from './target-regions.ts'

/** The replica that answers: the region itself (0 or undefined), its copy of a number, or whichever of them is open. */
export type ReplicaChoice = Query['replica']

export class Region implements TargetRegions {
  /** This region as the target of a request. */
  readonly regions: readonly [Region]
  readonly number: number
  readonly regionId: number
  readonly startKey: Buffer
  readonly endKey: Buffer
  readonly name: Buffer
  readonly encodedName: string
  /** Cells up to this sequence id are in store files. */
  flushedSequenceId: number
  /** The last write that is not in the log, as its client wished. */
  unloggedUpTo = 0
  /** The next flushedSequenceId, once the snapshot is in a file; undefined without a snapshot. */
  snapshotSequenceId: number | undefined
  requests: RegionRequests = new RegionRequests()
  /** The flushedSequenceId of its last flush; undefined where there was none since it was opened. */
  lastFlush: number | undefined
  /** In byte order of the families. */
  stores: readonly FamilyStore[]
  table: TableDescriptor
  /** False once the region's table was dropped or truncated, or the region split or merged. */
  isOpen = true
  readonly closed: ClosedReplicas
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
    const { name, encodedName } = regionName(table.name, record.startKey, record.regionId)
    this.regions = [this]
    this.number = record.number
    this.regionId = record.regionId
    this.startKey = record.startKey
    this.endKey = record.endKey
    this.name = name
    this.encodedName = encodedName
    this.flushedSequenceId = record.flushedSequenceId
    this.table = table
    this.closed = new ClosedReplicas(tools.closings, record.isClosed, record.closedCopies)
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
    return table.families.map((family) => {
      const kept = before.find((store) => store.descriptor.name.equals(family.name))
      kept?.setDescriptor(family)
      const record = records.find((candidate) => candidate.name.equals(family.name))
      return kept ?? new FamilyStore(family, record?.sinceSequenceId ?? 0, tools)
    })
  }

  /** Returns the stores of removed families, whose data the caller must release. */
  setTable(table: TableDescriptor, records: readonly FamilyRecord[]): FamilyStore[] {
    this.#tools.waiting.beforeChange(this)
    const before = this.stores
    const stores = this.#storesFor(table, records, before)
    this.table = table
    this.stores = stores
    return before.filter((store) => !stores.includes(store))
  }

  get memstoreBytes(): number {
    let bytes = 0
    for (const store of this.stores) bytes += store.memstoreBytes
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

  /**
   * Throws NO_SUCH_COLUMN_FAMILY.
   * QUIRK engine-increment-unknown-family: HBase names the region and describes the whole table.
   */
  checkFamily(family: Buffer): void {
    if (this.storeOf(family, 0, family.length) === undefined)
      throw noSuchColumnFamily(family, this.name, this.table)
  }

  /** True if the row is at or after the start of the region. */
  startsAtOrBefore(buffer: Buffer, offset: number, length: number): boolean {
    return compareRange(this.startKey, 0, this.startKey.length, buffer, offset, length) <= 0
  }

  #endsAfter(buffer: Buffer, offset: number, length: number): boolean {
    const { endKey } = this
    return endKey.length === 0 || compareRange(endKey, 0, endKey.length, buffer, offset, length) > 0
  }

  isServed(replica: ReplicaChoice = 0): boolean {
    const { isClosed, copies } = this.closed
    if (replica === 0) return !isClosed
    if (replica !== 'any') return !copies.includes(replica)
    return !isClosed || copies.length < replication(this.table) - 1
  }

  /** Throws NOT_SERVING_REGION where the region, or its copy, was closed by itself. */
  checkServed(replica: ReplicaChoice = 0): void {
    if (this.isServed(replica)) return
    const isCopy = replica !== 'any' && replica > 0
    throw regionNotOnline(isCopy ? replicaName(this.name, replica).encodedName : this.encodedName)
  }

  /** Throws NOT_SERVING_REGION if the row is in another region. */
  regionOf(
    buffer: Buffer,
    offset: number,
    length: number,
    operation: RowOperationName,
    replica?: ReplicaChoice,
  ): this {
    this.checkServed(replica)
    const isWithin = this.startsAtOrBefore(buffer, offset, length) && this.#endsAfter(buffer, offset, length)
    if (!isWithin) checkRowIsInRegion(buffer.subarray(offset, offset + length), this, operation)
    return this
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

  families(): FamilyRuns[] {
    return this.stores.map((store) => store.runs())
  }

  /** Appends the cells that a get finds, and returns their number. `loans`: memory for filtered gets. `families`: those that a longer read holds. */
  get(
    get: Get,
    readPoint: number,
    now: number,
    target: CellBlockBuilder,
    loans?: Loans,
    families: readonly FamilyRuns[] = this.families(),
  ): number {
    this.requests.reads++
    return this.#tools.rowReader.read(families, get, { readPoint, now, loans }, target)
  }

  /** As get, or TOO_WIDE: the row should be read by beginGet. */
  getNarrow(get: Get, readPoint: number, now: number, target: CellBlockBuilder, loans: Loans): number {
    const count = this.#tools.rowReader.readNarrow(this.families(), get, { readPoint, now, loans }, target)
    if (count >= 0) this.requests.reads++
    return count
  }

  /** As FilterPreparation.of. */
  prepareGet(get: Get, monotonicMs: () => number): FilterPreparation | undefined {
    return this.#tools.rowReader.prepare(get, monotonicMs)
  }

  /** A get that may pause. `families`: as of `get`. */
  beginGet(
    get: Get,
    context: Omit<ScanContext, 'random'>,
    families: readonly FamilyRuns[] = this.families(),
  ): FilteredGet {
    this.requests.reads++
    return this.#tools.rowReader.begin(families, get, context)
  }

  /** The tags of a stored cell. If several cells have its key, the newest one counts. */
  tagsOf(cell: CellParts): Buffer {
    const store = this.storeOf(cell.family, 0, cell.family.length)
    return store?.mayHaveTags === true ? newestTags(store.runs().runs, blockOf([cell])) : EMPTY
  }

  /** The least read point of the region's open scanners; Infinity if there are none. HBase: HRegion.getSmallestReadPoint. */
  get smallestReadPoint(): number {
    const { oldest } = this.#readPoints
    if (this.#predecessors.length === 0) return oldest
    const ofEarlier = this.#predecessors.map((region) => region.smallestReadPoint)
    this.#predecessors = this.#predecessors.filter(
      (_, index) => ofEarlier[index] !== Number.POSITIVE_INFINITY,
    )
    return Math.min(oldest, ...ofEarlier)
  }

  /** Keeps what a scanner at the read point sees from being dropped, until the returned function is called. */
  keepReadPoint(readPoint: number): () => void {
    return this.#readPoints.keep(readPoint)
  }

  /** As `keepReadPoint`, for all regions of its table, those to come too. */
  keepReadPointOfTable(readPoint: number): () => void {
    return this.#readPointsOfTable.keep(readPoint)
  }

  /** Until the returned function is called, the waiter is called before a region, of any table, changes its runs. */
  addWaiter(waiter: RegionWaiter): () => void {
    return this.#tools.waiting.add(waiter)
  }

  /**
   * Holds the region's runs for a scan until it releases them. `onReplaced` is called between two turns of the event loop; the
   * replaced run must not be read after it.
   */
  hold(onReplaced: OnReplaced): HeldRegion {
    const held = this.stores.map((store) => store.hold(onReplaced))
    return {
      requests: this.requests,
      get families() {
        return held.map(({ runs }) => runs)
      },
      release: () => {
        for (const store of held) store.release()
      },
    }
  }

  /** Called when its table is enabled, which opens all that were closed by themselves: its figures begin anew. */
  opened(): void {
    this.closed.set(false, [])
    this.requests = new RegionRequests()
    this.lastFlush = undefined
  }

  /** Called when the table is dropped or truncated, or the store is closed. */
  close(): void {
    this.isOpen = false
    for (const store of this.stores) store.release()
  }
}
