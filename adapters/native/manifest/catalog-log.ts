import type { HBaseError } from '../../../src/model/errors.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { SerialQueue } from '../../../src/model/serial-queue.ts'
import type { NativeOptions } from '../options/native-options.ts'
import type { LinkRegistry } from '../platform/file-links.ts'
import { type Clock, type FileSystem, monotonicMs, type RandomSource } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import { Catalog } from './catalog.ts'
import { newClusterId } from './cluster-id.ts'
import { DiscardedFiles } from './discarded-files.ts'
import type { LogRegistry } from './log-registry.ts'
import { Manifest, type SumOfEdits } from './manifest.ts'
import { DoubtfulEdit, isInDoubt } from './manifest-doubt.ts'
import type { LogKeepingRecord, LogRecord, ManifestEdit } from './manifest-edit.ts'
import { ManifestReserve } from './manifest-reserve.ts'
import { retiredRegions } from './retired-regions.ts'
import type { Retirements } from './retirements.ts'

/** Each attempt to end a doubt writes the whole manifest anew: refused writes begin no more of them than that. */
const ATTEMPT_EVERY_MS = 1000

/** The engine whose tables the catalog has; tools have none. */
export interface CatalogEngine {
  readonly clock?: Clock
  /** Called once, where another process may have the directory: nothing more may be written there. */
  readonly onLockLoss?: (failure: HBaseError) => void
  /** The last sequence id of all writes so far. */
  readonly lastSequenceId?: () => number
  /** Whether the log may have a record of the region, whose last one has at most this sequence id. */
  readonly isInLog?: (region: number, lastSequenceId: number) => boolean
  /** Called with each edit that is on disk, before it is applied. */
  readonly onEdit?: (edit: ManifestEdit) => void
  /** See DiscardedFiles and ManifestReserve. */
  readonly options?: Pick<NativeOptions, 'removedNamedMax' | 'manifestReserveBytes'>
}

/** The catalog together with the manifest that records it. */
export class CatalogLog implements LogRegistry, LinkRegistry, Retirements {
  readonly catalog: Catalog = new Catalog()
  readonly #manifest: Manifest
  readonly #reserve: ManifestReserve
  readonly #queue = new SerialQueue()
  readonly discarded: DiscardedFiles
  readonly #sum: SumOfEdits = () => [...this.catalog.edits(), ...this.discarded.edits()]
  #doubt: DoubtfulEdit | undefined
  /** When a refused write has begun an attempt to end the doubt. */
  #triedAt = Number.NEGATIVE_INFINITY

  readonly #engine: CatalogEngine

  constructor(fileSystem: FileSystem, directory: string, log: NativeLog, engine: CatalogEngine = {}) {
    this.#engine = engine
    this.discarded = new DiscardedFiles(engine.options?.removedNamedMax)
    this.#manifest = new Manifest(fileSystem, directory, log, engine.onLockLoss)
    this.#reserve = new ManifestReserve(fileSystem, directory, engine.options?.manifestReserveBytes ?? 0)
  }

  /** Why no change of the catalog is taken now, if none is. */
  get failure(): HBaseError | undefined {
    return this.#manifest.failure
  }

  /** `random` makes the store's id if it has none yet. */
  async open(random: RandomSource): Promise<void> {
    await this.#manifest.open((edit) => {
      this.discarded.note(edit, this.catalog)
      this.catalog.apply(edit)
    }, this.#sum)
    this.catalog.retired.since ??= this.catalog.nextNumber
    if (this.catalog.clusterId === undefined) await this.commit({ kind: 'cluster', id: newClusterId(random) })
    await this.#reserve.take()
  }

  /**
   * Resolves once the edit is on disk and applied to the catalog. Throws IO or UNAVAILABLE where it is not on disk, or not for sure, and
   * InvariantError for an edit that does not fit the catalog; the catalog stays as it was. The caller undoes what the edit was to
   * record by `undo`.
   */
  commit(change: ManifestEdit): Promise<void> {
    const committed = this.#queue.run(async () => {
      await this.#settle()
      await manyATurn(this.catalog.checkInSteps(change))
      const retired = await manyATurn(retiredRegions(change, this.catalog))
      const edit = retired.length === 0 ? change : this.#withLastSequenceId(change)
      try {
        await this.#append(edit)
      } catch (error) {
        if (isInDoubt(error)) this.#doubt = new DoubtfulEdit(error, edit, this.catalog)
        throw error
      }
      this.#engine.onEdit?.(edit)
      await manyATurn(this.discarded.noteInSteps(edit, this.catalog))
      await manyATurn(this.catalog.applyInSteps(edit))
    })
    // The caller need not wait for that, but the next edit does.
    void this.#queue.run(() => this.#shortenIfLong())
    return committed
  }

  /** Runs a task between two edits: the catalog is what the manifest on disk says. Throws UNAVAILABLE where that is in doubt. */
  between<Result>(task: () => Result): Promise<Result> {
    return this.#queue.run(async () => {
      await this.#settle()
      return task()
    })
  }

  async #append(edit: ManifestEdit): Promise<void> {
    for (;;) {
      try {
        return await this.#manifest.append(edit, this.#sum)
      } catch (error) {
        if (isInDoubt(error) || !this.#reserve.giveUp(error, edit, this.catalog)) throw error
      }
    }
  }

  /**
   * Runs a task that undoes what an edit was to record, which `commit` has refused with the error: once the manifest is known not to
   * have the edit. Not at all where another process may have the folder.
   */
  undo(error: unknown, task: () => void): void {
    const doubt = this.#doubt
    if (doubt !== undefined && doubt.error === error) doubt.onceSettled(task)
    else if (!this.#manifest.isLost) task()
  }

  /** Throws REGION_TOO_BUSY where an edit that drops cells of the region may be on disk: writes to it would be lost. */
  checkWritable(region: number): void {
    const refusal = this.#doubt?.refusalOf(region)
    if (refusal === undefined) return
    this.#settleSoon()
    throw refusal
  }

  #settleSoon(): void {
    const { clock } = this.#engine
    if (clock === undefined) return
    const now = monotonicMs(clock)
    if (now - this.#triedAt < ATTEMPT_EVERY_MS) return
    this.#triedAt = now
    this.settle().catch(() => undefined)
  }

  /** Ends a doubt about the last edit, which does not count then. Throws UNAVAILABLE where that is not possible yet. */
  settle(): Promise<void> {
    return this.#queue.run(() => this.#settle())
  }

  async #settle(): Promise<void> {
    await this.#manifest.settle(this.#sum)
    const doubt = this.#doubt
    this.#doubt = undefined
    doubt?.undo()
  }

  /** Writes to the regions that an edit takes away have ended: the log's records of them up to now are not needed after it. */
  #withLastSequenceId(edit: ManifestEdit): ManifestEdit {
    const lastSequenceId = this.#engine.lastSequenceId?.()
    return lastSequenceId === undefined ? edit : ({ ...edit, lastSequenceId } as ManifestEdit)
  }

  #shortenIfLong(): Promise<void> {
    return this.#manifest.shortenIfLong(() => {
      this.catalog.retired.keepOnly(this.#engine.isInLog ?? (() => true))
      this.discarded.forgetOld()
      return this.#sum()
    })
  }

  /**
   * Writes the manifest anew where it is in doubt, or where another program has removed or changed one of its files. Throws what keeps the
   * store from looking at them.
   */
  verify(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#settle().catch(() => undefined)
      await this.#manifest.verify(this.#sum)
      await this.#reserve.take()
    })
  }

  get logs(): readonly LogRecord[] | undefined {
    return this.catalog.logs
  }

  get keeping(): LogKeepingRecord | undefined {
    return this.catalog.keeping
  }

  get lastSequenceId(): number {
    return this.catalog.nextSequenceId - 1
  }

  recordLogs(logs: readonly LogRecord[], keeping?: LogKeepingRecord): Promise<void> {
    return this.commit({ kind: 'logs', logs, ...(keeping !== undefined && { keeping }) })
  }

  /** The next number, for a new region or file. */
  takeNumber(): number {
    return this.catalog.nextNumber++
  }

  async close(): Promise<void> {
    await this.#queue.idle()
    this.#manifest.close()
  }
}
