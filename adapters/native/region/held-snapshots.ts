import type { CellRun } from '../cells/cell-run.ts'
import type { Memstore } from '../memstore/memstore.ts'
import type { SharedRun } from './shared-run.ts'

interface HeldSnapshot {
  readonly bytes: number
  /** The file that the flush made of it; undefined if nothing was worth a file. */
  readonly file: SharedRun<CellRun> | undefined
  /** Its readers have been asked to go on in the file. */
  isLetGo: boolean
}

/**
 * Flushed memstores that open scanners still read. Beyond a limit the oldest are let go: their scanners go on in the files
 * that the flushes made of them, which have all that a scanner at its read point may return.
 */
export class HeldSnapshots {
  readonly #bytesMax: number
  /** Oldest first. */
  readonly #held = new Map<SharedRun<Memstore>, HeldSnapshot>()
  #bytes = 0
  /** Number of those that were let go. */
  letGo = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Memory of them together. */
  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#held.size
  }

  /** Called when a store has released a snapshot that readers hold, or may come to hold, for the file that has its cells. */
  add(snapshot: SharedRun<Memstore>, file: SharedRun<CellRun> | undefined): void {
    file?.retain()
    const { bytes } = snapshot.run
    this.#held.set(snapshot, { bytes, file, isLetGo: false })
    this.#bytes += bytes
    this.#limit()
  }

  /** Called when a reader in another thread has come to hold a run: its message may arrive after the store has released the run. */
  readerCame(run: SharedRun<CellRun>): void {
    if (this.#held.has(run as SharedRun<Memstore>)) this.#limit()
  }

  #limit(): void {
    for (const [oldest, held] of this.#held) {
      if (this.#bytes <= this.#bytesMax) return
      if (oldest.readers.size > 0 && !held.isLetGo) this.#letGo(oldest, held)
    }
  }

  #letGo(snapshot: SharedRun<Memstore>, held: HeldSnapshot): void {
    const { file } = held
    this.letGo++
    // Another thread lets go of it a little later.
    held.isLetGo = true
    this.#bytes -= held.bytes
    // The rest that a reader has kept of the memory besides its place stays sound: it goes to the garbage collector.
    snapshot.run.keepFromReuse()
    for (const reader of snapshot.readers) reader.replaceRun(snapshot, file)
  }

  /** Called when no reader holds the snapshot any more. */
  released(snapshot: SharedRun<Memstore>): void {
    const held = this.#held.get(snapshot)
    if (held === undefined) return
    this.#held.delete(snapshot)
    if (!held.isLetGo) this.#bytes -= held.bytes
    held.file?.release()
  }
}
