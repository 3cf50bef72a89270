/**
 * Puts regions in the place of others of the same rows, which share their store files by links: a split or a merge copies
 * nothing. One edit of the manifest makes the change, so that a crash leaves the regions before it or those after it.
 *
 * Writes to the table wait while the last of the memstores is flushed and the edit is made. Reads go on, and open scanners
 * keep what they hold.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { compareBytes, EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { Engine } from '../engine/engine.ts'
import { HFile } from '../hfile/hfile.ts'
import type { FileRecord, RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'
import type { FileLinks } from '../platform/file-links.ts'
import type { Region } from '../region/region.ts'
import type { TableRegions } from '../tables/table-regions.ts'

/** The rows of a region to come. */
export interface Heir {
  readonly startKey: Buffer
  /** EMPTY: to the end of the table. */
  readonly endKey: Buffer
  /** Milliseconds since 1970. */
  readonly regionId: number
  /** Takes over no cells: those of the replaced regions are dropped. */
  readonly isEmpty?: boolean
}

/** Flushes before writes have to wait for the last one: each has what was written during the one before it, which is less under steady writes. */
const FLUSHES_MAX = 4
/** Writes wait for the flush of one part in so many of a full memstore: some tenths of a second. */
const LITTLE_PART = 8

/** Files of which an heir has no rows are passed over, so many in one turn of the event loop. */
const FILES_A_TURN = 256

export class RegionExchange {
  readonly #engine: Engine
  readonly #compactor: Compactor

  constructor(engine: Engine, compactor: Compactor) {
    this.#engine = engine
    this.#compactor = compactor
  }

  /**
   * `replaced` lie side by side in their table, in order, and `heirs` have the same rows. Throws IO, UNAVAILABLE, CORRUPTION
   * where a store file is damaged; the table is then as it was.
   */
  async exchange(name: TableName, replaced: readonly Region[], heirs: readonly Heir[]): Promise<void> {
    const { flusher, tables } = this.#engine
    const table = tables.get(name)
    // Most of the memstores go before writes have to wait, of those writes, too, that come meanwhile.
    let flushes = 0
    do await flusher.flushAll(replaced)
    while (++flushes < FLUSHES_MAX && this.#isMuchUnflushed(replaced))
    const opened = await flusher.exclusively(async (flush) => {
      const resume = holdWrites(table, replaced)
      try {
        await flush(replaced)
        return await this.#switch(table, replaced, heirs)
      } finally {
        resume()
      }
    })
    for (const region of opened) this.#compactor.flushed(region)
  }

  #isMuchUnflushed(regions: readonly Region[]): boolean {
    const { limits } = this.#engine
    return regions.some((region) => region.memstoreBytes * LITTLE_PART > limits.flushBytesOf(region))
  }

  async #switch(
    table: TableRegions,
    replaced: readonly Region[],
    heirs: readonly Heir[],
  ): Promise<readonly Region[]> {
    const { catalogLog, tables, storeFiles, limits } = this.#engine
    const { name } = table.descriptor
    const before = catalogLog.catalog.tables.get(name)!
    const links = storeFiles.newLinks()
    const opened = await links.committed(catalogLog, async () => {
      const records: RegionRecord[] = []
      for (const heir of heirs) records.push(await this.#recordOf(heir, before, replaced, links))
      await links.sync()
      const regions = await tables.openHeirs(table, before.families, records, replaced)
      const numbers = replaced.map(({ number }) => number)
      try {
        await catalogLog.commit({ kind: 'regions', table: name, replaced: numbers, regions: records })
      } catch (error) {
        for (const region of regions) region.close()
        throw error
      }
      return regions
    })
    const records = replaced.map(({ number }) => before.regions.find((region) => region.number === number)!)
    limits.dropped(tables.exchange(table, replaced, opened))
    for (const record of records) await storeFiles.removeRegion(name, record)
    return opened
  }

  async #recordOf(
    heir: Heir,
    table: TableRecord,
    replaced: readonly Region[],
    links: FileLinks,
  ): Promise<RegionRecord> {
    const { catalogLog, storeFiles } = this.#engine
    const name = table.name as TableName
    const number = catalogLog.takeNumber()
    const { startKey, endKey, regionId, isEmpty = false } = heir
    const record = { startKey, endKey, regionId, number, flushedSequenceId: 0, files: [] as FileRecord[] }
    const linkOf = storeFiles.pathsIn(name, record)
    for (const region of replaced) {
      record.flushedSequenceId = Math.max(record.flushedSequenceId, region.flushedSequenceId)
      if (isEmpty) continue
      const present = table.regions.find((candidate) => candidate.number === region.number)!
      const opened = openFiles(region)
      const pathOf = storeFiles.pathsIn(name, present)
      for (const [index, file] of present.files.entries()) {
        if (index % FILES_A_TURN === FILES_A_TURN - 1) await nextTurn()
        const rows = rowsOfHeir(file, openFile(region, opened, file), heir)
        if (rows === undefined) continue
        const { from: _from, to: _to, owner = region.encodedName, ...kept } = file
        const linked: FileRecord = { ...kept, number: catalogLog.takeNumber(), owner, ...rows }
        await links.add(pathOf(file), linkOf(linked))
        record.files.push(linked)
        await nextTurn()
      }
    }
    record.files.sort((a, b) => a.maxSequenceId - b.maxSequenceId)
    return record
  }
}

/** Makes writes to the table and to these regions wait until the returned function is called. */
function holdWrites(table: TableRegions, regions: readonly Region[]): () => void {
  let end!: () => void
  const exchange = new Promise<void>((resolve) => {
    end = resolve
  })
  const held = [table, ...regions]
  for (const target of held) target.exchange = exchange
  return () => {
    for (const target of held) target.exchange = undefined
    end()
  }
}

/** Open files by their numbers. Throws CORRUPTION or IO for a damaged one. */
function openFiles(region: Region): ReadonlyMap<number, HFile> {
  const opened = new Map<number, HFile>()
  for (const { files } of region.stores) {
    for (const { run } of files) {
      if (run instanceof HFile) opened.set(run.fileId, run)
      else run.mayHaveRow(EMPTY)
    }
  }
  return opened
}

function openFile(region: Region, opened: ReadonlyMap<number, HFile>, { number }: FileRecord): HFile {
  const file = opened.get(number)
  if (file === undefined)
    throw new HBaseError(
      'CORRUPTION',
      `region ${region.name.toString()} does not have its file ${number} open`,
    )
  return file
}

/** Which rows of a file the heir has: no bounds where it has all; undefined where it has none. */
function rowsOfHeir(
  file: FileRecord,
  { firstRow, lastRow, entryCount }: HFile,
  { startKey, endKey }: Heir,
): Pick<FileRecord, 'from' | 'to'> | undefined {
  const from = greater(file.from ?? EMPTY, startKey)
  const to = lesserEnd(file.to ?? EMPTY, endKey)
  const isBefore = compareBytes(lastRow, from) < 0
  const isBehind = to.length > 0 && compareBytes(firstRow, to) >= 0
  // Of a merged region the file may have the rows of one half only.
  const hasNone = to.length > 0 && compareBytes(from, to) >= 0
  if (entryCount === 0 || isBefore || isBehind || hasNone) return undefined
  return {
    ...(compareBytes(firstRow, from) < 0 && { from }),
    ...(to.length > 0 && compareBytes(lastRow, to) >= 0 && { to }),
  }
}

function greater(a: Buffer, b: Buffer): Buffer {
  return compareBytes(a, b) >= 0 ? a : b
}

/** The first of two ends; EMPTY is the end of the table. */
function lesserEnd(a: Buffer, b: Buffer): Buffer {
  if (a.length === 0) return b
  return b.length === 0 || compareBytes(a, b) <= 0 ? a : b
}
