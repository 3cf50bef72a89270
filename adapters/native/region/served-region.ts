/** A region of a table as reads see it, be they in the thread that writes it or in another one. */

import type { FilterPreparation } from '../../../src/filter/evaluate/prepared-filter.ts'
import { compareRange } from '../../../src/model/bytes.ts'
import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { Get, Query } from '../../../src/model/query.ts'
import { regionName, replicaName } from '../../../src/model/region-name.ts'
import { replication } from '../../../src/model/region-replication.ts'
import { noSuchColumnFamily } from '../../../src/model/table-description.ts'
import { checkRowIsInRegion, type RowOperationName, regionNotOnline } from '../../../src/store/refusals.ts'
import type { RegionRecord } from '../manifest/manifest-edit.ts'
import type { FamilyRuns, ScanContext } from '../read/family-runs.ts'
import type { FilteredGet } from '../read/filtered-get.ts'
import type { Loans } from '../read/loans.ts'
import type { HeldRegion, OnReplaced, ReadRegion, RegionWaiter } from '../read/read-region.ts'
import { RegionRequests } from '../read/region-requests.ts'
import type { RowReader } from '../read/row-reader.ts'
import { ClosedReplicas, type RegionClosings } from './closed-replicas.ts'
import type { WaitingScans } from './waiting-scans.ts'

/** The replica that answers: the region itself (0 or undefined), its copy of a number, or whichever of them is open. */
export type ReplicaChoice = Query['replica']

/** Tools that all regions share; one region at a time uses each. */
export interface ReadTools {
  readonly rowReader: RowReader
  readonly closings: RegionClosings
  readonly waiting: WaitingScans
}

export type ServedRecord = Pick<
  RegionRecord,
  'number' | 'regionId' | 'startKey' | 'endKey' | 'isClosed' | 'closedCopies'
>

export abstract class ServedRegion implements ReadRegion {
  /** This region as the target of a request. */
  readonly regions: readonly [this]
  readonly number: number
  readonly regionId: number
  readonly startKey: Buffer
  readonly endKey: Buffer
  readonly name: Buffer
  readonly encodedName: string
  requests: RegionRequests = new RegionRequests()
  table: TableDescriptor
  /** False once the region's table was dropped or truncated, or the region split or merged. */
  isOpen = true
  readonly closed: ClosedReplicas
  readonly #tools: ReadTools

  protected constructor(table: TableDescriptor, record: ServedRecord, tools: ReadTools) {
    const { name, encodedName } = regionName(table.name, record.startKey, record.regionId)
    this.regions = [this]
    this.number = record.number
    this.regionId = record.regionId
    this.startKey = record.startKey
    this.endKey = record.endKey
    this.name = name
    this.encodedName = encodedName
    this.table = table
    this.closed = new ClosedReplicas(tools.closings, record.isClosed, record.closedCopies)
    this.#tools = tools
  }

  abstract families(): readonly FamilyRuns[]
  abstract hasFamily(family: Buffer): boolean
  /** Keeps what a scanner at the read point sees from being dropped, until the returned function is called. */
  abstract keepReadPoint(readPoint: number): () => void
  /** As `keepReadPoint`, for all regions of its table, those to come too. */
  abstract keepReadPointOfTable(readPoint: number): () => void
  /**
   * Holds the region's runs for a scan until it releases them. `onReplaced` is called between two turns of the event loop; the
   * replaced run must not be read after it.
   */
  abstract hold(onReplaced: OnReplaced): HeldRegion

  /**
   * Throws NO_SUCH_COLUMN_FAMILY.
   * QUIRK engine-increment-unknown-family: HBase names the region and describes the whole table.
   */
  checkFamily(family: Buffer): void {
    if (!this.hasFamily(family)) throw noSuchColumnFamily(family, this.name, this.table)
  }

  /** True if the row is at or after the start of the region. */
  startsAtOrBefore(buffer: Buffer, offset: number, length: number): boolean {
    return compareRange(this.startKey, 0, this.startKey.length, buffer, offset, length) <= 0
  }

  #endsAfter(buffer: Buffer, offset: number, length: number): boolean {
    const { endKey } = this
    return endKey.length === 0 || compareRange(endKey, 0, endKey.length, buffer, offset, length) > 0
  }

  /** `copies`: see ClosedReplicas. */
  setClosed(isClosed: boolean, copies: readonly number[]): void {
    this.closed.set(isClosed, copies)
    this.#tools.waiting.onChange(this)
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

  /** Until the returned function is called, the waiter is called before a region, of any table, changes its runs. */
  addWaiter(waiter: RegionWaiter): () => void {
    return this.#tools.waiting.add(waiter)
  }
}
