/**
 * Notices store files that another program has changed, moved or exchanged while the store has them open. A stat shows it: a file that has
 * changed is judged anew by its info. Reads pay nothing: files are looked at in turns with each wake of the housekeeper, and before and
 * after a compaction of them.
 *
 * A file that was overwritten in place is read as another one from then on: it gives way to a DamagedRun. A file that has lost its name is
 * read on through its descriptor, until the server ends.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { StoreRun } from '../cells/store-run.ts'
import type { BlockCache } from '../hfile/block-cache.ts'
import { corruptFile } from '../hfile/corruption.ts'
import { HFile, openHFile } from '../hfile/hfile.ts'
import { missingFile } from '../hfile/missing-file.ts'
import type { KeptFile, OpenFiles } from '../hfile/open-files.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { FamilyStore } from './family-store.ts'
import type { FaultLoggingFile } from './read-faults.ts'
import type { Region } from './region.ts'
import type { SharedRun } from './shared-run.ts'
import type { TolerantOpening } from './tolerant-opening.ts'

export interface FileWatchParts {
  readonly fileSystem: FileSystem
  readonly openFiles: OpenFiles
  readonly blockCache: BlockCache
  readonly tolerant: TolerantOpening
}

/** An open file, and how it was opened. */
interface Watched {
  readonly record: FileRecord
  readonly kept: KeptFile
  readonly faults: FaultLoggingFile
  /** See FileSystem.stamp: of the file when it was the one that is read. */
  stamp: string
  /** The stamp of the reported file in its place; undefined: none was reported. */
  reported?: string
}

/** An open file in its store. */
interface Place {
  readonly region: Region
  readonly store: FamilyStore
  readonly shared: SharedRun<StoreRun>
}

/** Files that a look comes to; the next look goes on behind them. */
const FILES_A_LOOK = 1024
/** Files in one turn of the event loop: a stat takes some microseconds. */
const FILES_A_TURN = 64
/** Regions, most of which may have no files, that are passed before the event loop runs. */
const REGIONS_A_TURN = 1024

export class FileWatch {
  readonly #parts: FileWatchParts
  readonly #watched = new WeakMap<object, Watched>()
  #places: Iterator<Place | undefined> | undefined
  #isLooking = false

  constructor(parts: FileWatchParts) {
    this.#parts = parts
  }

  opened(file: HFile, record: FileRecord, kept: KeptFile, faults: FaultLoggingFile): void {
    this.#watched.set(file, { record, kept, faults, stamp: this.#parts.fileSystem.stamp(file.path) })
  }

  /** Looks at the next files of the regions, or at all where they are few. */
  async look(regions: ReadonlyMap<number, Region>): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      this.#places ??= placesOf(regions)
      for (let looked = 0, passed = 1; looked < FILES_A_LOOK; passed++) {
        const { value, done } = this.#places.next()
        if (done === true) {
          this.#places = undefined
          return
        }
        if (value === undefined) {
          if (passed % REGIONS_A_TURN === 0) await nextTurn()
          continue
        }
        looked++
        const isChanged = this.#isChanged(value.shared.run) && isServed(value, regions)
        if (isChanged) this.#lookAt(value)
        // A copy of the folder by hard links changes the stamps of all files, each of which is opened anew.
        if (isChanged || looked % FILES_A_TURN === 0) await nextTurn()
      }
    } finally {
      this.#isLooking = false
    }
  }

  /**
   * Before cells of these files of a store are taken: stamps of them, for `isUnchanged`. Throws CORRUPTION for a file that is not the one
   * that was opened, and what the file system throws.
   */
  check(region: Region, store: FamilyStore, files: readonly SharedRun<HFile>[]): readonly string[] {
    for (const shared of files) {
      const error = this.#lookAt({ region, store, shared })
      if (error !== undefined) throw error
    }
    return files.map(({ run }) => this.#parts.fileSystem.stamp(run.path))
  }

  /** Whether the files are as they were when `check` returned their stamps. */
  isUnchanged(files: readonly SharedRun<HFile>[], stamps: readonly string[]): boolean {
    return files.every(({ run }, index) => this.#parts.fileSystem.stamp(run.path) === stamps[index])
  }

  /** Whether it is reported already that the file is not in its place. */
  isReported(file: HFile): boolean {
    const watched = this.#watched.get(file)
    return watched?.reported !== undefined || watched?.faults.isRefused === true
  }

  /** Whether the file of this name is the one that is read, or a copy of it. Throws where it cannot be opened. */
  isInPlace(file: HFile): boolean {
    return this.#identityOf(file) === file.identity
  }

  #identityOf({ path, fileId }: HFile): string {
    const { openFiles, blockCache } = this.#parts
    const opened = openFiles.openFile(path)
    try {
      return openHFile(opened, { fileId, blockCache }).identity
    } finally {
      opened.close()
    }
  }

  #isChanged(run: StoreRun): boolean {
    const watched = this.#watched.get(run)
    return watched !== undefined && this.#parts.fileSystem.stamp(run.path) !== watched.stamp
  }

  /** Judges a file whose stamp has changed, and reports it: the error of the file, undefined where it is in its place. */
  #lookAt({ region, store, shared }: Place): unknown {
    const { run } = shared
    const watched = this.#watched.get(run)
    if (!(run instanceof HFile) || watched === undefined) return undefined
    const stamp = this.#parts.fileSystem.stamp(run.path)
    if (stamp === watched.stamp) return undefined
    // A look at another file must not take the descriptor.
    if (!watched.kept.hasItsName()) watched.kept.keepOpen()
    const error = this.#judge(run)
    if (error === undefined) {
      watched.stamp = stamp
      delete watched.reported
      watched.kept.mayRest()
      return undefined
    }
    if (!isHBaseError(error) || error.code !== 'CORRUPTION') return error
    if (watched.kept.hasItsName()) this.#refuse({ region, store, shared }, run, watched, error)
    else this.#report(run, watched, stamp, error)
    return error
  }

  /** CORRUPTION where the file's name has another file or none; what the file system throws; undefined: the file is in its place. */
  #judge(file: HFile): unknown {
    const { path, identity } = file
    try {
      const found = this.#identityOf(file)
      return found === identity ? undefined : corruptFile(path, 0, 'contents', identity, found)
    } catch (cause) {
      return this.#parts.fileSystem.exists(path) ? cause : missingFile(path, cause)
    }
  }

  /** Reads of the open file would return what has been written over it: also those of open scanners are refused. */
  #refuse({ region, store, shared }: Place, file: HFile, watched: Watched, error: HBaseError): void {
    watched.faults.refuse(error)
    this.#parts.blockCache.evictFile(file.fileId)
    store.replaceFiles([shared], [this.#parts.tolerant.damaged(region, watched.record, error)])
  }

  #report(file: HFile, watched: Watched, stamp: string, error: HBaseError): void {
    if (watched.reported === stamp) return
    watched.reported = stamp
    const isOver = (): boolean => {
      const now = this.#parts.fileSystem.stamp(file.path)
      return now === watched.stamp || (now !== stamp && this.isInPlace(file))
    }
    if (watched.kept.keepOpen()) watched.faults.tellReadOn(stillRead(error), isOver)
    else watched.faults.report(error, isOver)
  }
}

/** Undefined for each region that has been passed. */
function* placesOf(regions: ReadonlyMap<number, Region>): Generator<Place | undefined> {
  for (const region of regions.values()) {
    for (const store of region.stores) for (const shared of store.files) yield { region, store, shared }
    yield undefined
  }
}

/** A look goes on where the last one ended: the store itself may have removed the file since. */
function isServed({ region, store, shared }: Place, regions: ReadonlyMap<number, Region>): boolean {
  return regions.get(region.number) === region && store.files.includes(shared)
}

function stillRead({ message, detail, cause }: HBaseError): HBaseError {
  const advice =
    'this server reads the file on through its open descriptor, and no restart will: put the file back, or copy the rows of the table elsewhere before the server ends'
  return new HBaseError('CORRUPTION', `${message}; ${advice}`, { detail, cause })
}
