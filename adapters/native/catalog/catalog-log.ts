import type { HBaseError } from '../../../src/model/errors.ts'
import { SerialQueue } from '../../../src/model/serial-queue.ts'
import type { NativeLog } from '../native-options.ts'
import type { FileSystem, RandomSource } from '../platform/file-system.ts'
import type { LogRegistry } from '../wal/log-files.ts'
import { Catalog } from './catalog.ts'
import { newClusterId } from './cluster-id.ts'
import { DiscardedFiles } from './discarded-files.ts'
import { Manifest } from './manifest.ts'
import type { LogRecord, ManifestEdit } from './manifest-edit.ts'

/** The catalog together with the manifest that records it. */
export class CatalogLog implements LogRegistry {
  readonly catalog: Catalog = new Catalog()
  readonly #manifest: Manifest
  readonly #queue = new SerialQueue()
  /** Since the start, which removes those of the time before it. */
  readonly #discarded = new DiscardedFiles()

  /** `onLockLoss` is called once, where another process may have the directory: nothing more may be written there. */
  constructor(
    fileSystem: FileSystem,
    directory: string,
    log: NativeLog,
    onLockLoss: (failure: HBaseError) => void = () => undefined,
  ) {
    this.#manifest = new Manifest(fileSystem, directory, log, onLockLoss)
  }

  /** The error that ended all changes of the catalog, if one has. */
  get failure(): HBaseError | undefined {
    return this.#manifest.failure
  }

  /** `random` makes the store's id if it has none yet. Resolves to the files that earlier edits took away. */
  async open(random: RandomSource): Promise<DiscardedFiles> {
    const discarded = new DiscardedFiles()
    await this.#manifest.open(
      (edit) => {
        discarded.note(edit, this.catalog)
        this.catalog.apply(edit)
      },
      () => this.#sum(discarded),
    )
    if (this.catalog.clusterId === undefined) await this.commit({ kind: 'cluster', id: newClusterId(random) })
    return discarded
  }

  /**
   * Resolves once the edit is on disk and applied to the catalog. Throws IO or UNAVAILABLE where it is not on disk, and
   * InvariantError for an edit that does not fit the catalog; the catalog stays as it was.
   */
  commit(edit: ManifestEdit): Promise<void> {
    const committed = this.#queue.run(async () => {
      this.catalog.check(edit)
      await this.#manifest.append(edit)
      this.#discarded.note(edit, this.catalog)
      this.catalog.apply(edit)
    })
    // The caller need not wait for that, but the next edit does.
    void this.#queue.run(() => this.#shortenIfLong())
    return committed
  }

  #shortenIfLong(): Promise<void> {
    return this.#manifest.shortenIfLong(() => {
      this.#discarded.forgetOld()
      return this.#sum(this.#discarded)
    })
  }

  #sum(discarded: DiscardedFiles): ManifestEdit[] {
    return [...this.catalog.edits(), ...discarded.edits()]
  }

  /** Writes the manifest anew where another program has removed or changed one of its files. Tells what keeps it from that. */
  verify(): Promise<void> {
    return this.#queue.run(() => this.#manifest.verify(() => this.#sum(this.#discarded)))
  }

  get logs(): readonly LogRecord[] | undefined {
    return this.catalog.logs
  }

  recordLogs(logs: readonly LogRecord[]): Promise<void> {
    return this.commit({ kind: 'logs', logs })
  }

  /** For a new region or file. */
  takeNumber(): number {
    return this.catalog.nextNumber++
  }

  async close(): Promise<void> {
    await this.#queue.idle()
    this.#manifest.close()
  }
}
