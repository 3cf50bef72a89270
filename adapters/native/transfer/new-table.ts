/**
 * The table that an import makes where there is none. A table's folder of HBase has all of it. Else it is inferred from the
 * HFiles, as HBase's bulk load does: see BulkLoadHFilesTool.createTable.
 */

import { compareBytes } from '../../../src/model/bytes.ts'
import {
  type FamilyDescriptor,
  familyDescriptor,
  type TableDescriptor,
  tableDescriptor,
} from '../../../src/model/descriptor.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { readHBaseTableFolder } from '../hbase-files/hbase-table-folder.ts'
import type { ImportSource } from '../hbase-files/import-sources.ts'
import type { FileSystem } from '../platform/file-system.ts'

export interface NewTable {
  readonly descriptor: TableDescriptor
  readonly splitKeys: readonly Buffer[]
}

/** Throws CORRUPTION. */
export function newTable(
  fileSystem: FileSystem,
  name: TableName,
  paths: readonly string[],
  sources: readonly ImportSource[],
): NewTable {
  const folders = paths
    .map((path) => readHBaseTableFolder(fileSystem, path))
    .filter((folder) => folder !== undefined)
  const families = new Map(sources.toReversed().map((source) => [nameOf(source), inferredFamily(source)]))
  // Of several folders the first one counts.
  for (const folder of folders.toReversed())
    for (const family of folder.families) families.set(family.name.toString('latin1'), family)
  const attributes = folders[0]?.attributes ?? []
  const startKeys = folders.flatMap((folder) => folder.startKeys)
  return {
    descriptor: tableDescriptor(name, families.values(), attributes),
    splitKeys: startKeys.length > 0 ? distinctKeys(startKeys) : inferredBoundaries(sources),
  }
}

function nameOf({ family }: ImportSource): string {
  return family.toString('latin1')
}

/** How the file is written: HBase's bulk load takes the compression only. */
function inferredFamily({ family, compression, bloomFilter, encoding }: ImportSource): FamilyDescriptor {
  return familyDescriptor(family, [
    ['COMPRESSION', compression],
    ['BLOOMFILTER', bloomFilter],
    ['DATA_BLOCK_ENCODING', encoding],
  ])
}

function distinctKeys(startKeys: readonly Buffer[]): Buffer[] {
  const sorted = startKeys.filter((key) => key.length > 0).toSorted(compareBytes)
  return sorted.filter((key, index) => index === 0 || !key.equals(sorted[index - 1]!))
}

/** Files whose rows overlap go into one region; a region begins at each first row that no earlier file reaches. HBase: inferBoundaries. */
function inferredBoundaries(sources: readonly ImportSource[]): Buffer[] {
  const byFirstRow = sources.toSorted((a, b) => compareBytes(a.firstRow, b.firstRow))
  const boundaries: Buffer[] = []
  let reached: Buffer | undefined
  for (const { firstRow, lastRow } of byFirstRow) {
    if (reached !== undefined && compareBytes(firstRow, reached) > 0) boundaries.push(firstRow)
    if (reached === undefined || compareBytes(lastRow, reached) > 0) reached = lastRow
  }
  return boundaries
}
