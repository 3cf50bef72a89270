/**
 * Writes a table as HFiles in the layout of HBase's bulk load, TARGET/FAMILY/FILE, one file for each region and family that
 * has cells: all versions and tombstones, without sequence ids, which the load gives.
 */

import { EMPTY } from '../../../src/model/bytes.ts'
import { compareCells } from '../../../src/model/cell.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { blockSizeBytesOf, bloomTypeOf } from '../../../src/model/descriptor.ts'
import { regionName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { descriptorOfRecord } from '../catalog/catalog.ts'
import type { RegionRecord } from '../catalog/manifest-edit.ts'
import { LruBlockCache } from '../hfile/block-cache.ts'
import { codecByName, NO_COMPRESSION } from '../hfile/compression.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { HFileWriter } from '../hfile/hfile-writer.ts'
import { CellMerge } from '../read/cell-merge.ts'
import { SeekKey } from '../read/seek-key.ts'
import { filePath, regionDirectory } from '../region/region-directory.ts'
import { refused } from './import-sources.ts'
import { recordOf, type TransferParts, withSettledStore } from './settled-store.ts'

export interface Exported {
  readonly files: number
  readonly cells: number
}

/** Throws TABLE_NOT_FOUND, ILLEGAL_ARGUMENT for a target with files in it, UNAVAILABLE while a server has the store. */
export function exportTable(parts: TransferParts, table: TableName, target: string): Promise<Exported> {
  const { fileSystem, say } = parts
  if (fileSystem.list(target).length > 0) throw refused(`${target} is not empty`)
  return withSettledStore(parts, undefined, async (catalogLog) => {
    const record = recordOf(catalogLog, table, '')
    const { families } = descriptorOfRecord(record)
    let [files, cells] = [0, 0]
    for (const family of families) {
      const directory = `${target}/${family.name.toString('latin1')}`
      for (const region of record.regions) {
        const written = await exportRegion(parts, table, region, family, directory)
        if (written === 0) continue
        files++
        cells += written
        say(`wrote ${written} cells of ${family.name.toString()} to file ${files}`)
      }
    }
    return { files, cells }
  })
}

/** Returns the number of cells. */
async function exportRegion(
  { fileSystem, directory: root, clock }: TransferParts,
  table: TableName,
  region: RegionRecord,
  family: FamilyDescriptor,
  directory: string,
): Promise<number> {
  const { encodedName } = regionName(table, region.startKey, region.regionId)
  const place = regionDirectory(root, table, encodedName)
  const records = region.files.filter((file) => file.family.equals(family.name))
  if (records.length === 0) return 0
  const hfiles = records
    .toSorted((a, b) => b.maxSequenceId - a.maxSequenceId)
    .map(({ number }) =>
      openHFile(fileSystem.open(filePath(place, family.name, number), 'read'), {
        fileId: number,
        blockCache: new LruBlockCache(8 << 20),
      }),
    )
  fileSystem.makeDirectory(directory)
  const file = fileSystem.open(`${directory}/${encodedName}`, 'create')
  try {
    const writer = new HFileWriter(file, {
      createTime: clock.now(),
      blockBytes: blockSizeBytesOf(family),
      bloomType: bloomTypeOf(family),
      includeTags: hfiles.some(({ hasTags }) => hasTags),
      codec: codecByName(family.attributes.get('COMPRESSION') ?? 'NONE') ?? NO_COMPRESSION,
    })
    copyCells(hfiles, writer)
    writer.finish({ maxSequenceId: 0, majorCompaction: false })
    await file.sync()
    return writer.entryCount
  } finally {
    file.close()
    for (const hfile of hfiles) hfile.close()
  }
}

/** Of equal keys the newest cell only. */
function copyCells(hfiles: readonly HFile[], writer: HFileWriter): void {
  const merge = new CellMerge(hfiles.map((hfile) => hfile.iterator(Number.POSITIVE_INFINITY, false)))
  const first = new SeekKey()
  first.firstOfRow(EMPTY)
  let [lastBuffer, lastCell] = [EMPTY, -1]
  for (merge.seek(first.buffer, 0); merge.valid; merge.next()) {
    const { buffer, cell, iterator } = merge
    if (lastCell >= 0 && compareCells(lastBuffer, lastCell, buffer, cell) === 0) continue
    const { tagsBytes } = iterator
    writer.append(buffer, cell, 0, tagsBytes === 0 ? 0 : iterator.tags, tagsBytes)
    lastBuffer = buffer
    lastCell = cell
  }
  merge.close()
}
