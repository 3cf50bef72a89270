/**
 * Writes a table as HFiles in the layout of HBase's bulk load, TARGET/FAMILY/FILE, one file for each region and family that
 * has cells: all versions and tombstones, without sequence ids, which the load gives. The families' folders come into TARGET
 * when all are written, so that no user takes a part of a table for the whole.
 */

import { isUtf8 } from 'node:buffer'
import { compareBytes, EMPTY } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, compareCells, keyLength } from '../../../src/model/cell.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { LOOP_TURNS } from '../../../src/model/loop-turns.ts'
import { regionName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { rowOf } from '../cells/cell-text.ts'
import { SeekKey } from '../cells/seek-key.ts'
import { refused, UNFINISHED_EXPORT } from '../hbase-files/import-sources.ts'
import { LruBlockCache } from '../hfile/block-cache.ts'
import { familyFileOptions } from '../hfile/family-file-options.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { HFileWriter } from '../hfile/hfile-writer.ts'
import { type FileBounds, fileBounds } from '../inspect/file-bounds.ts'
import { filePath, regionDirectory } from '../layout/region-directory.ts'
import { descriptorOfRecord } from '../manifest/catalog.ts'
import type { RegionRecord } from '../manifest/manifest-edit.ts'
import { CellMerge } from '../read/cell-merge.ts'
import { recordOf, type TransferParts, withSettledStore } from './settled-store.ts'

/** Cache for index blocks: each data block is read once. */
const CACHE_BYTES = 8 << 20

/** A file, and the rows of it that are the region's. */
interface Run {
  readonly hfile: HFile
  readonly bounds: FileBounds
}

export interface Exported {
  readonly files: number
  readonly cells: number
}

/** Throws TABLE_NOT_FOUND, ILLEGAL_ARGUMENT for a target with files in it, UNAVAILABLE while a server has the store. */
export async function exportTable(parts: TransferParts, table: TableName, target: string): Promise<Exported> {
  const { fileSystem } = parts
  const unfinished = `${target}/${UNFINISHED_EXPORT}`
  if (fileSystem.list(target).some((name) => name !== UNFINISHED_EXPORT))
    throw refused(`${target} is not empty`)
  fileSystem.remove(unfinished)
  try {
    const exported = await writeFamilies(parts, table, unfinished)
    for (const family of fileSystem.list(unfinished))
      fileSystem.rename(`${unfinished}/${family}`, `${target}/${family}`)
    return exported
  } finally {
    fileSystem.remove(unfinished)
  }
}

function writeFamilies(parts: TransferParts, table: TableName, target: string): Promise<Exported> {
  return withSettledStore(parts, undefined, async (catalogLog) => {
    const record = recordOf(catalogLog, table, '')
    const { families } = descriptorOfRecord(record)
    let [files, cells] = [0, 0]
    const places = families.length * record.regions.length
    let place = 0
    for (const family of families) {
      const directory = `${target}/${folderName(family.name)}`
      for (const region of record.regions) {
        const before = place++ / places
        const worked = (share: number, more: number): void =>
          parts.worked?.({ cells: cells + more, files, fraction: before + share / places })
        const written = await exportRegion({ ...parts, worked }, table, region, family, directory)
        if (written === 0) continue
        files++
        cells += written
      }
    }
    return { files, cells }
  })
}

/** HBase reads a folder's name as UTF-8. */
function folderName(family: Buffer): string {
  return family.toString(isUtf8(family) ? 'utf8' : 'latin1')
}

/** Cells that are copied before others get a turn. */
const TURN_CELLS = 4096

interface RegionParts extends Omit<TransferParts, 'worked'> {
  /** Called with the part of the region's cells that is read, from 0 to 1, and the cells that are written. */
  readonly worked: (share: number, cells: number) => void
}

/** Returns the number of cells. */
async function exportRegion(
  { fileSystem, directory: root, clock, worked }: RegionParts,
  table: TableName,
  region: RegionRecord,
  family: FamilyDescriptor,
  directory: string,
): Promise<number> {
  const { encodedName } = regionName(table, region.startKey, region.regionId)
  const place = regionDirectory(root, table, encodedName)
  const records = region.files.filter((file) => file.family.equals(family.name))
  if (records.length === 0) return 0
  // Of two files with the same id the later one has the newer cells.
  const newestFirst = records.toReversed().sort((a, b) => b.maxSequenceId - a.maxSequenceId)
  const runs = newestFirst.map((record): Run => {
    const file = fileSystem.open(filePath(place, family.name, record.number), 'read')
    const hfile = openHFile(file, { fileId: record.number, blockCache: new LruBlockCache(CACHE_BYTES) })
    return { hfile, bounds: fileBounds(region, record) }
  })
  fileSystem.makeDirectory(directory)
  const file = fileSystem.open(`${directory}/${encodedName}`, 'create')
  try {
    const writer = new HFileWriter(file, {
      createTime: clock.now(),
      includeTags: runs.some(({ hfile }) => hfile.hasTags),
      ...familyFileOptions(family, 'flush'),
    })
    await copyCells(runs, writer, worked)
    writer.finish({ maxSequenceId: 0, majorCompaction: false })
    await file.sync()
    return writer.entryCount
  } finally {
    file.close()
    for (const { hfile } of runs) hfile.close()
  }
}

/** Copies the cells; of equal keys only the newest one. */
async function copyCells(
  runs: readonly Run[],
  writer: HFileWriter,
  worked: RegionParts['worked'],
): Promise<void> {
  const total = runs.reduce((sum, { hfile }) => sum + hfile.entryCount, 0)
  let read = 0
  const boundsOf = new Map<CellIterator, FileBounds>()
  const iterators = runs.map(({ hfile, bounds }) => {
    const iterator = hfile.iterator(Number.POSITIVE_INFINITY, false)
    boundsOf.set(iterator, bounds)
    return iterator
  })
  const merge = new CellMerge(iterators)
  const first = new SeekKey()
  first.firstOfRow(EMPTY)
  let last = EMPTY
  for (merge.seek(first.buffer, 0); merge.valid; merge.next()) {
    const { buffer, cell, iterator } = merge
    if (++read % TURN_CELLS === 0) {
      worked(read / total, writer.entryCount)
      await LOOP_TURNS.next()
    }
    if (!isCounted(rowOf(buffer, cell), boundsOf.get(iterator)!)) continue
    if (last.length > 0 && compareCells(last, 0, buffer, cell) === 0) continue
    const { tagsBytes } = iterator
    writer.append(buffer, cell, 0, tagsBytes === 0 ? 0 : iterator.tags, tagsBytes)
    last = Buffer.from(buffer.subarray(cell, cell + CELL_HEADER_BYTES + keyLength(buffer, cell)))
  }
  merge.close()
}

function isCounted(row: Buffer, bounds: FileBounds): boolean {
  const { hasEarlierRows, hasLaterRows, startKey, endKey } = bounds
  if (!hasEarlierRows && !hasLaterRows) return true
  return compareBytes(row, startKey) >= 0 && (endKey.length === 0 || compareBytes(row, endKey) < 0)
}
