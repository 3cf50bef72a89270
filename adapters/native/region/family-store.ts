/** One family of one region: its memstore, the snapshot under flush, and its store files. */

import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { atOnce, eachInSteps, type Steps } from '../../../src/model/steps.ts'
import type { CellRun } from '../cells/cell-run.ts'
import type { StoreRun } from '../cells/store-run.ts'
import type { ChunkPool } from '../memstore/chunk-pool.ts'
import { Memstore } from '../memstore/memstore.ts'
import type { Publications } from '../memstore/published-memstore.ts'
import { type FamilyRules, familyRules } from '../read/family-rules.ts'
import type { FamilyRuns } from '../read/family-runs.ts'
import type { OnReplaced } from '../read/read-region.ts'
import { HeldRuns } from './held-runs.ts'
import type { HeldSnapshots } from './held-snapshots.ts'
import { KeptVersions, type ReadHorizon } from './kept-versions.ts'
import { SharedRun } from './shared-run.ts'

/** The collaborators that the stores of a region share. */
export interface FamilyTools extends ReadHorizon {
  readonly pool: ChunkPool
  readonly heldSnapshots: HeldSnapshots
  /** See FamilyRules. */
  readonly isLabelled?: boolean
  readonly publications?: Publications | undefined
  /** Called before the family gets other runs or rules. */
  readonly beforeChange: () => void
}

export class FamilyStore {
  descriptor: FamilyDescriptor
  rules: FamilyRules
  /** Cells of the log up to this sequence id belong to an earlier family of this name, which was removed. */
  readonly sinceSequenceId: number
  readonly #tools: FamilyTools
  readonly #kept: KeptVersions
  #active: SharedRun<Memstore>
  #snapshot: SharedRun<Memstore> | undefined
  #files: readonly SharedRun<StoreRun>[] = []
  #runs: FamilyRuns | undefined

  constructor(descriptor: FamilyDescriptor, sinceSequenceId: number, tools: FamilyTools) {
    this.descriptor = descriptor
    this.rules = familyRules(descriptor, tools.isLabelled)
    this.#kept = new KeptVersions(this.rules, tools)
    this.sinceSequenceId = sinceSequenceId
    this.#tools = tools
    this.#active = this.#newMemstore()
  }

  #newMemstore(): SharedRun<Memstore> {
    const { pool, heldSnapshots, publications } = this.#tools
    const memstore = new Memstore(pool, this.#kept, publications)
    const shared = new SharedRun(memstore, () => {
      heldSnapshots.released(shared)
      memstore.free()
    })
    return shared
  }

  /** Throws ILLEGAL_ARGUMENT for attributes that cannot be read. */
  setDescriptor(descriptor: FamilyDescriptor): void {
    this.#tools.beforeChange()
    this.rules = familyRules(descriptor, this.#tools.isLabelled)
    this.#kept.rules = this.rules
    this.descriptor = descriptor
    this.#runs = undefined
  }

  get memstore(): Memstore {
    return this.#active.run
  }

  get snapshot(): Memstore | undefined {
    return this.#snapshot?.run
  }

  get mayHaveTags(): boolean {
    return (
      this.#active.run.hasTags ||
      this.#snapshot?.run.hasTags === true ||
      this.#files.some((file) => file.run.hasTags)
    )
  }

  /**
   * Oldest first. Two files may have the same greatest sequence id, after a merge of regions and a compaction of some of their
   * files: the later one in this order has the newer cells.
   */
  get files(): readonly SharedRun<StoreRun>[] {
    return this.#files
  }

  get fileCount(): number {
    return this.#files.length
  }

  get fileBytes(): number {
    return this.#files.reduce((sum, { run }) => sum + run.fileBytes, 0)
  }

  /** Readers of the store files. HBase: HStore.getStoreRefCount. */
  get readersOfFiles(): number {
    return this.#files.reduce((sum, { readerCount }) => sum + readerCount, 0)
  }

  /** Memory of the memstore and the snapshot. */
  get memstoreBytes(): number {
    return this.#active.run.bytes + (this.#snapshot?.run.bytes ?? 0)
  }

  /** Bytes of the cells of the memstores alone. */
  get memstoreDataBytes(): number {
    return this.#active.run.dataBytes + (this.#snapshot?.run.dataBytes ?? 0)
  }

  /** The least sequence id of cells that are in no file; Infinity without such cells. */
  get oldestUnflushed(): number {
    return Math.min(
      this.#active.run.minSequenceId,
      this.#snapshot?.run.minSequenceId ?? Number.POSITIVE_INFINITY,
    )
  }

  /** Makes the memstore the snapshot for a flush. There must be no other snapshot. */
  takeSnapshot(): void {
    this.#tools.beforeChange()
    this.#snapshot = this.#active
    this.#active = this.#newMemstore()
    this.#runs = undefined
  }

  /** Removes the cells of later writes than `readPoint`: the log has refused them. Open scanners, which see none, keep what they hold. */
  rollBack(readPoint: number): void {
    this.#tools.beforeChange()
    this.#active = this.#rolledBack(this.#active, readPoint)
    if (this.#snapshot !== undefined) this.#snapshot = this.#rolledBack(this.#snapshot, readPoint)
    this.#runs = undefined
  }

  #rolledBack(shared: SharedRun<Memstore>, readPoint: number): SharedRun<Memstore> {
    if (shared.run.maxSequenceId <= readPoint) return shared
    const kept = this.#newMemstore()
    const cells = shared.run.iterator(readPoint)
    for (cells.seekToFirst(); cells.valid; cells.next()) {
      const { buffer, cell, cellBytes, tags, tagsBytes, sequenceId } = cells
      kept.run.add(buffer, cell, cellBytes, tags, tagsBytes, sequenceId)
    }
    cells.close()
    shared.release()
    return kept
  }

  /** Replaces the snapshot by `file`, which has its cells; undefined for an empty snapshot. */
  replaceSnapshot(file: SharedRun<StoreRun> | undefined): void {
    this.#tools.beforeChange()
    if (file !== undefined) this.addFile(file)
    const snapshot = this.#snapshot
    this.#snapshot = undefined
    this.#runs = undefined
    snapshot?.release()
    if (snapshot?.isHeld === true) this.#tools.heldSnapshots.add(snapshot, file)
  }

  addFile(file: SharedRun<StoreRun>): void {
    this.#tools.beforeChange()
    this.#files = [...this.#files, file]
    this.#runs = undefined
  }

  /** Puts the files that a compaction made, if any, into the place of those that they replace, which all are there. */
  replaceFiles(replaced: readonly SharedRun<StoreRun>[], files: readonly SharedRun<StoreRun>[]): void {
    this.#tools.beforeChange()
    const gone = new Set(replaced)
    this.#files = this.#files.flatMap((present) => {
      if (present === replaced[0]) return files
      return gone.has(present) ? [] : [present]
    })
    this.#runs = undefined
    for (const shared of replaced) shared.release()
  }

  /** Newest first: a read that orders the runs by their sequence ids leaves those with the same one as they are here. */
  sharedRuns(): SharedRun<CellRun>[] {
    const snapshot = this.#snapshot === undefined ? [] : [this.#snapshot]
    return [this.#active, ...snapshot, ...this.#files.toReversed()]
  }

  /** The runs for a read that ends within one turn of the event loop. */
  runs(): FamilyRuns {
    this.#runs ??= { rules: this.rules, runs: this.sharedRuns().map((shared) => shared.run) }
    return this.#runs
  }

  /** The runs for a longer read, kept until it releases them. */
  hold(onReplaced: OnReplaced): HeldRuns {
    return new HeldRuns(this.runs(), this.sharedRuns(), this.#active.run.read(), onReplaced)
  }

  /** Lets go of the runs: the region needs the family no more. */
  release(): void {
    atOnce(this.releaseInSteps())
  }

  /** As `release`. The family has no runs from the first step on, and the files are closed in steps: it may have very many. */
  *releaseInSteps(): Steps<void> {
    this.#tools.beforeChange()
    const held = this.sharedRuns()
    this.#files = []
    this.#snapshot = undefined
    this.#active = this.#newMemstore()
    this.#runs = undefined
    yield* eachInSteps(held, (shared) => shared.release())
  }
}
