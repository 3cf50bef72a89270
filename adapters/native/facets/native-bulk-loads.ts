/**
 * Takes HFiles that clients have written into regions that are served. The cells are copied into files of the region's own,
 * with the compression and bloom filters of their families; one edit of the manifest brings all of them in, or none. The
 * clients' files stay as they are.
 *
 * A load counts as made after the flush that it begins with: what is written while its files are copied is newer.
 *
 * Where the log is held for readers, such as replication, the cells of families with a REPLICATION_SCOPE go through the log instead, from the copies: all files
 * are then known to be whole, and do not change any more.
 */

import { sep } from 'node:path'
import { InvariantError } from '../../../src/model/assert.ts'
import { abbreviated } from '../../../src/model/bytes.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import type { Call } from '../../../src/store/call.ts'
import { regionNotOnline } from '../../../src/store/refusals.ts'
import type { RegionRef } from '../../../src/store/target.ts'
import type { BulkLoadFile, BulkLoads } from '../../../src/store/upkeep.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { Engine } from '../engine/engine.ts'
import { localPath } from '../hbase-files/hadoop-path.ts'
import { openSource } from '../hbase-files/import-sources.ts'
import type { HFile } from '../hfile/hfile.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import { ownFileIds } from '../platform/own-files.ts'
import type { Region } from '../region/region.ts'
import type { SharedRun } from '../region/shared-run.ts'
import type { RegionSplits } from '../split/region-splits.ts'
import { areForReaders, checkRows, isWithin, type LoadedSource, writeThroughLog } from './logged-bulk-load.ts'

/** A file to load, looked at. */
interface Source extends LoadedSource {
  readonly path: string
  readonly identity: string
  readonly bytes: number
  readonly hasTags: boolean
}

export class NativeBulkLoads implements BulkLoads {
  readonly #engine: Engine
  readonly #compactor: Compactor
  readonly #splits: RegionSplits

  constructor(engine: Engine, compactor: Compactor, splits: RegionSplits) {
    this.#engine = engine
    this.#compactor = compactor
    this.#splits = splits
  }

  bulkLoad(ref: RegionRef, files: readonly BulkLoadFile[], call: Call): Promise<boolean> {
    const { calls, tables, fileSystem, storeFiles } = this.#engine
    return calls.change(call, async () => {
      const own = await ownFileIds(fileSystem, storeFiles.directory)
      const [region] = tables.served(ref).regions as readonly [Region]
      const sources = this.#sourcesOf(region, files, own)
      if (sources === undefined) return false
      await this.#load(region, sources)
      this.#splits.splitIfLarge(region)
      return true
    })
  }

  async #load(region: Region, sources: readonly Source[]): Promise<void> {
    const { catalogLog } = this.#engine
    const records: FileRecord[] = []
    try {
      if (await this.#adopt(region, sources, records)) return
      await writeThroughLog(this.#engine, region, sources, records)
      this.#removeUnnamed(region, records)
    } catch (error) {
      catalogLog.undo(error, () => this.#removeUnnamed(region, records))
      if (isHBaseError(error) || error instanceof InvariantError) throw error
      const reason = String(error)
      throw new HBaseError('IO', `no file was loaded into ${region.table.name}: ${reason}`, { cause: error })
    }
  }

  /** Makes the copies, and store files of them. False: their cells are to go through the log. */
  async #adopt(region: Region, sources: readonly Source[], records: FileRecord[]): Promise<boolean> {
    const { flusher } = this.#engine
    region.loads++
    try {
      if (!areForReaders(this.#engine, sources)) await flusher.flush(region)
      const sequenceId = region.flushedSequenceId
      for (const source of sources) {
        const record = await this.#copy(region, source, sequenceId)
        if (record !== undefined) records.push(record)
      }
      return await this.#install(region, sources, records)
    } finally {
      region.loads--
      this.#compactor.loaded(region)
    }
  }

  /** Undefined where one has rows of other regions. HBase: HStore.assertBulkLoadHFileOk. */
  #sourcesOf(region: Region, files: readonly BulkLoadFile[], own: ReadonlySet<string>): Source[] | undefined {
    let isOfRegion = true
    const sources = files.map(({ family, path: stated, clusterIds = [], isReplicated = true }) => {
      const store = region.stores.find(({ descriptor }) => descriptor.name.equals(family))
      if (store === undefined)
        throw new HBaseError('DO_NOT_RETRY', `No such column family ${abbreviated(family)}`)
      const path = localPath(stated)
      this.#checkIsOthers(path, own)
      const hfile = openSource(this.#engine.fileSystem, path)
      try {
        isOfRegion &&= isWithin(region, hfile)
        const { identity, fileBytes: bytes, hasTags } = hfile
        return { store, path, identity, bytes, hasTags, clusterIds, isReplicated }
      } finally {
        hfile.close()
      }
    })
    return isOfRegion ? sources : undefined
  }

  /** A user who may load files into one table could read every other one by its files. `own`: ids of the store's files, which may have more names. */
  #checkIsOthers(path: string, own: ReadonlySet<string>): void {
    const { fileSystem, storeFiles } = this.#engine
    const folder = fileSystem.realPath(storeFiles.directory)
    let real: string
    let id: string | undefined
    try {
      real = fileSystem.realPath(path)
      id = fileSystem.fileId(path)
    } catch (cause) {
      throw new HBaseError('IO', `${path} cannot be read as an HFile: ${messageOf(cause)}`, { cause })
    }
    const isOwn = id !== undefined && own.has(id)
    if (isOwn || real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
      throw new HBaseError('ACCESS_DENIED', `${path} is a file of this server's own store`)
  }

  /** Undefined for a file without cells. */
  async #copy(region: Region, source: Source, sequenceId: number): Promise<FileRecord | undefined> {
    const { catalogLog, storeFiles } = this.#engine
    const { store, path, identity, bytes, hasTags } = source
    const number = catalogLog.takeNumber()
    const { records } = await storeFiles.write(region, store.descriptor, {
      kind: 'compaction',
      outputs: [{ number, since: 0n }],
      source: { kind: 'files', files: [{ path, number, identity }] },
      mayHaveTags: hasTags,
      inputBytes: bytes,
      summary: { maxSequenceId: sequenceId, majorCompaction: false },
      retention: { kind: 'all' },
      sequenceId,
      isCancelled: () => !region.isOpen,
    })
    return records[0]
  }

  /** False: readers of the log are to see the cells. */
  async #install(region: Region, sources: readonly Source[], files: readonly FileRecord[]): Promise<boolean> {
    const { catalogLog, flusher, storeFiles } = this.#engine
    return flusher.exclusively(async () => {
      // A reader may have come, or gone, while the files were copied.
      if (areForReaders(this.#engine, sources)) return false
      // The region may have been split or closed, or lost a family, while its files were copied.
      const isAsItWas = sources.every(({ store }) => region.stores.includes(store))
      if (!region.isOpen || region.closed.isClosed || !isAsItWas) throw regionNotOnline(region.encodedName)
      const opened: SharedRun<HFile>[] = []
      try {
        for (const file of files) opened.push(storeFiles.open(region, file))
        for (const { run } of opened) checkRows(region, run)
        const { number, flushedSequenceId, table } = region
        const flushed = { region: number, flushedSequenceId, files }
        await catalogLog.commit({ kind: 'flush', ...flushed, unloggedIn: table.name })
      } catch (error) {
        for (const file of opened) file.release()
        throw error
      }
      storeFiles.named(files.map(({ family, number }) => storeFiles.pathOf(region, family, number)))
      for (const [index, { family }] of files.entries())
        region.stores.find(({ descriptor }) => descriptor.name.equals(family))!.addFile(opened[index]!)
      // A reader that came last.
      if (areForReaders(this.#engine, sources)) this.#engine.cameUnlogged(region.table)
      return true
    })
  }

  #removeUnnamed(region: Region, files: readonly FileRecord[]): void {
    const { storeFiles } = this.#engine
    for (const { family, number } of files)
      storeFiles.removeUnnamed(storeFiles.pathOf(region, family, number))
  }
}
