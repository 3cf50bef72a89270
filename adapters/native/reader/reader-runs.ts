import type { HBaseError } from '../../../src/model/errors.ts'
import type { CellRun } from '../cells/cell-run.ts'
import { RefusingRun } from '../cells/refusing-run.ts'
import type { LruBlockCache } from '../hfile/block-cache.ts'
import { BoundedHFile } from '../hfile/bounded-file.ts'
import { type CachePolicy, USUAL_CACHE_POLICY } from '../hfile/cache-policy.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { missingFile } from '../hfile/missing-file.ts'
import type { KeptFile, OpenFiles } from '../hfile/open-files.ts'
import type { MemstoreGrowth } from '../memstore/published-memstore.ts'
import type { ThreadWords } from '../platform/thread-words.ts'
import { readFault } from '../region/read-faults.ts'
import { SharedRun } from '../region/shared-run.ts'
import type { FileView, RunView } from '../threads/reader-messages.ts'
import { errorOfView } from '../threads/views.ts'
import { ReaderFile } from './reader-file.ts'
import { ReaderFileRun } from './reader-file-run.ts'
import type { RequestsToWriter } from './requests-to-writer.ts'
import { ViewedMemstore } from './viewed-memstore.ts'

/** A run that the writer has shown, held by the region's view and by scans. */
export interface ReaderRun {
  readonly number: number
  readonly shared: SharedRun<CellRun>
}

interface KnownRun extends ReaderRun {
  seen: number
}

export interface ReaderRunsParts {
  readonly blockCache: LruBlockCache
  readonly openFiles: OpenFiles
  readonly requests: RequestsToWriter
  readonly words: ThreadWords
}

export class ReaderRuns {
  readonly #parts: ReaderRunsParts
  readonly #runs = new Map<number, KnownRun>()

  constructor(parts: ReaderRunsParts) {
    this.#parts = parts
  }

  /** The run of a view, which the caller holds from then on. */
  take(view: RunView, cachePolicy: () => CachePolicy): ReaderRun {
    const known = this.#runs.get(view.run)
    if (known !== undefined) {
      known.seen++
      known.shared.retain()
      return known
    }
    const { run: number } = view
    const opened = this.#open(view, cachePolicy)
    const shared = new SharedRun(opened, () => {
      this.#runs.delete(number)
      this.#parts.requests.released({ run: number, seen: run.seen })
      if (opened instanceof ReaderFileRun) opened.close()
    })
    const run: KnownRun = { number, shared, seen: 1 }
    this.#runs.set(number, run)
    return run
  }

  /** Passes over the run of a view. */
  pass({ run }: RunView): void {
    const known = this.#runs.get(run)
    if (known === undefined) this.#parts.requests.released({ run, seen: 1 })
    else known.seen++
  }

  #open(view: RunView, cachePolicy: () => CachePolicy): CellRun {
    switch (view.kind) {
      case 'memstore': {
        const memstore = new ViewedMemstore(this.#parts.words)
        if (view.given !== undefined) memstore.grow(view.given)
        return memstore
      }
      case 'damaged':
        return new RefusingRun(errorOfView(view.error))
      case 'file':
        return new ReaderFileRun(view.maxSequenceId, () => this.#openFile(view, cachePolicy))
    }
  }

  #openFile({ run, path, number, rows }: FileView, cachePolicy: () => CachePolicy): HFile {
    const { blockCache, requests } = this.#parts
    const onFault = (error: HBaseError): void => requests.fault(run, error)
    const kept = this.#kept(path, onFault)
    const file = new ReaderFile(kept, onFault)
    try {
      const options = { fileId: number, blockCache, cachePolicy, onFault }
      kept.isCopy = (copy) => openHFile(copy, { fileId: number, blockCache }).identity === hfile.identity
      const hfile: HFile =
        rows === undefined
          ? openHFile(file, options)
          : BoundedHFile.open(file, options, { from: Buffer.from(rows.from), to: Buffer.from(rows.to) })
      return hfile
    } catch (error) {
      file.close()
      throw error
    }
  }

  #kept(path: string, onFault: (error: HBaseError) => void): KeptFile {
    try {
      return this.#parts.openFiles.open(path)
    } catch (cause) {
      const { fileSystem } = this.#parts.openFiles
      const error = fileSystem.exists(path) ? readFault(path, 0, cause) : missingFile(path, cause)
      onFault(error)
      throw error
    }
  }

  /** False for an unknown run. */
  grow(number: number, growth: MemstoreGrowth): boolean {
    const run = this.#runs.get(number)?.shared.run
    if (!(run instanceof ViewedMemstore)) return false
    run.grow(growth)
    return true
  }

  /** Scans that hold the run go on in another one. */
  replace(number: number, by: RunView | undefined): void {
    const from = this.#runs.get(number)?.shared
    if (from === undefined) {
      if (by !== undefined) this.pass(by)
      return
    }
    const taken = by && this.take(by, () => USUAL_CACHE_POLICY)
    for (const scan of from.readers) scan.replaceRun(from, taken?.shared)
    taken?.shared.release()
  }
}
