/** One family of one region: its memstore, the snapshot that is being flushed, and its store files. */

import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import type { HFile } from '../hfile/hfile.ts'
import type { ChunkPool } from '../memstore/chunk-pool.ts'
import { Memstore } from '../memstore/memstore.ts'
import { type FamilyRules, familyRules } from '../read/family-rules.ts'
import type { FamilyRuns } from '../read/family-runs.ts'
import type { CellRun } from './cell-run.ts'
import { SharedRun } from './shared-run.ts'

export interface HeldRuns {
  readonly runs: FamilyRuns
  release(): void
}

export class FamilyStore {
  descriptor: FamilyDescriptor
  rules: FamilyRules
  /** Cells of the log up to this sequence id belong to a family that was removed. */
  readonly sinceSequenceId: number
  readonly #pool: ChunkPool
  #active: SharedRun<Memstore>
  #snapshot: SharedRun<Memstore> | undefined
  #files: readonly SharedRun<HFile>[] = []
  #runs: FamilyRuns | undefined

  constructor(descriptor: FamilyDescriptor, pool: ChunkPool, sinceSequenceId: number) {
    this.descriptor = descriptor
    this.rules = familyRules(descriptor)
    this.sinceSequenceId = sinceSequenceId
    this.#pool = pool
    this.#active = this.#newMemstore()
  }

  #newMemstore(): SharedRun<Memstore> {
    const memstore = new Memstore(this.#pool)
    return new SharedRun(memstore, () => memstore.free())
  }

  /** Throws ILLEGAL_ARGUMENT for attributes that cannot be read. */
  setDescriptor(descriptor: FamilyDescriptor): void {
    this.rules = familyRules(descriptor)
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
      this.#files.some((file) => file.run.layout.tags)
    )
  }

  get fileCount(): number {
    return this.#files.length
  }

  /** Memory of the memstore and the snapshot. */
  get memstoreBytes(): number {
    return this.#active.run.bytes + (this.#snapshot?.run.bytes ?? 0)
  }

  /** Sets the memstore aside to be flushed. There is no other snapshot. */
  takeSnapshot(): void {
    this.#snapshot = this.#active
    this.#active = this.#newMemstore()
    this.#runs = undefined
  }

  /** The snapshot's cells are in `file` now; undefined where it had none. */
  replaceSnapshot(file: SharedRun<HFile> | undefined): void {
    if (file !== undefined) this.addFile(file)
    this.#snapshot?.release()
    this.#snapshot = undefined
    this.#runs = undefined
  }

  addFile(file: SharedRun<HFile>): void {
    this.#files = [...this.#files, file]
    this.#runs = undefined
  }

  #shared(): SharedRun<CellRun>[] {
    const snapshot = this.#snapshot === undefined ? [] : [this.#snapshot]
    return [this.#active, ...snapshot, ...this.#files]
  }

  /** What a read that ends before anything else runs needs. */
  runs(): FamilyRuns {
    this.#runs ??= { rules: this.rules, runs: this.#shared().map((shared) => shared.run) }
    return this.#runs
  }

  /** What a read that goes on for longer needs, kept for it until it is released. */
  hold(): HeldRuns {
    const held = this.#shared()
    for (const shared of held) shared.retain()
    const release = (): void => {
      for (const shared of held) shared.release()
    }
    return { runs: this.runs(), release }
  }

  /** The region needs the family no more. */
  release(): void {
    for (const shared of this.#shared()) shared.release()
    this.#files = []
    this.#snapshot = undefined
    this.#active = this.#newMemstore()
    this.#runs = undefined
  }
}
