/** One family of one region: its memstore, the snapshot under flush, and its store files. */

import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import type { ChunkPool } from '../memstore/chunk-pool.ts'
import { Memstore } from '../memstore/memstore.ts'
import { type FamilyRules, familyRules } from '../read/family-rules.ts'
import type { FamilyRuns } from '../read/family-runs.ts'
import type { CellRun } from './cell-run.ts'
import type { StoreRun } from './damaged-run.ts'
import { KeptVersions, type ReadHorizon } from './kept-versions.ts'
import { SharedRun } from './shared-run.ts'

export interface HeldRuns {
  readonly runs: FamilyRuns
  release(): void
}

export class FamilyStore {
  descriptor: FamilyDescriptor
  rules: FamilyRules
  /** Cells of the log up to this sequence id belong to an earlier family of this name, which was removed. */
  readonly sinceSequenceId: number
  readonly #pool: ChunkPool
  readonly #kept: KeptVersions
  #active: SharedRun<Memstore>
  #snapshot: SharedRun<Memstore> | undefined
  #files: readonly SharedRun<StoreRun>[] = []
  #runs: FamilyRuns | undefined

  constructor(descriptor: FamilyDescriptor, pool: ChunkPool, sinceSequenceId: number, horizon: ReadHorizon) {
    this.descriptor = descriptor
    this.rules = familyRules(descriptor)
    this.#kept = new KeptVersions(this.rules, horizon)
    this.sinceSequenceId = sinceSequenceId
    this.#pool = pool
    this.#active = this.#newMemstore()
  }

  #newMemstore(): SharedRun<Memstore> {
    const memstore = new Memstore(this.#pool, this.#kept)
    return new SharedRun(memstore, () => memstore.free())
  }

  /** Throws ILLEGAL_ARGUMENT for attributes that cannot be read. */
  setDescriptor(descriptor: FamilyDescriptor): void {
    this.rules = familyRules(descriptor)
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

  /** Oldest first. */
  get files(): readonly SharedRun<StoreRun>[] {
    return this.#files
  }

  get fileCount(): number {
    return this.#files.length
  }

  /** Memory of the memstore and the snapshot. */
  get memstoreBytes(): number {
    return this.#active.run.bytes + (this.#snapshot?.run.bytes ?? 0)
  }

  /** Makes the memstore the snapshot for a flush. There must be no other snapshot. */
  takeSnapshot(): void {
    this.#snapshot = this.#active
    this.#active = this.#newMemstore()
    this.#runs = undefined
  }

  /** Removes the cells of later writes than `readPoint`: the log has refused them. Open scanners, which see none, keep what they hold. */
  rollBack(readPoint: number): void {
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
    if (file !== undefined) this.addFile(file)
    this.#snapshot?.release()
    this.#snapshot = undefined
    this.#runs = undefined
  }

  addFile(file: SharedRun<StoreRun>): void {
    this.#files = [...this.#files, file]
    this.#runs = undefined
  }

  /** Puts the file that a compaction made, if any, into the place of those that it replaces, which all are there. */
  replaceFiles(replaced: readonly SharedRun<StoreRun>[], file: SharedRun<StoreRun> | undefined): void {
    this.#files = this.#files.flatMap((present) => {
      if (present === replaced[0]) return file ?? []
      return replaced.includes(present) ? [] : [present]
    })
    this.#runs = undefined
    for (const shared of replaced) shared.release()
  }

  #shared(): SharedRun<CellRun>[] {
    const snapshot = this.#snapshot === undefined ? [] : [this.#snapshot]
    return [this.#active, ...snapshot, ...this.#files]
  }

  /** The runs for a read that ends within one turn of the event loop. */
  runs(): FamilyRuns {
    this.#runs ??= { rules: this.rules, runs: this.#shared().map((shared) => shared.run) }
    return this.#runs
  }

  /** The runs for a longer read, kept until it releases them. */
  hold(): HeldRuns {
    const held = this.#shared()
    for (const shared of held) shared.retain()
    const endRead = this.#active.run.read()
    const release = (): void => {
      endRead()
      for (const shared of held) shared.release()
    }
    return { runs: this.runs(), release }
  }

  /** Lets go of the runs: the region needs the family no more. */
  release(): void {
    for (const shared of this.#shared()) shared.release()
    this.#files = []
    this.#snapshot = undefined
    this.#active = this.#newMemstore()
    this.#runs = undefined
  }
}
