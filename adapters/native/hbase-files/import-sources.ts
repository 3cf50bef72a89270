/** Finds the HFiles to import: single files, family folders as HFileOutputFormat2 writes them, or a table's folder of HBase. */

import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { familyOf, rowOf } from '../cells/cell-text.ts'
import { LruBlockCache } from '../hfile/block-cache.ts'
import { algorithmName } from '../hfile/compression.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { UNFINISHED } from '../layout/region-directory.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { usesFileLists } from './hbase-table-folder.ts'
import { hasFileLists, trackedFiles } from './tracked-files.ts'

export interface ImportSource {
  readonly path: string
  readonly family: Buffer
  /** The id that HBase gave the file, or 0. The source with the greater id has the newer cells. */
  readonly sequenceId: number
  readonly firstRow: Buffer
  readonly lastRow: Buffer
  /** How the file is written, in the words of a family's attributes. */
  readonly compression: string
  readonly bloomFilter: string
  readonly encoding: string
}

/** The folder that an export writes to before it is complete. */
export const UNFINISHED_EXPORT = '.unfinished'

/** Cache for index blocks: each data block is read once. */
const CACHE_BYTES = 8 << 20

const REGION_NAME = /^[0-9a-f]{32}$/
/** A reference of a split region, or a link of a cloned one: its cells are in another file. */
const REFERENCE_NAME = /^[^=]+\.[0-9a-f]{32}$|=/
const JOB_FOLDER = /^_(?:temporary|logs|distcp)/
/** HBase: HStoreFile, of a file that was bulk-loaded. */
const LOADED_NAME = /_SeqId_(\d+)_/

/** The oldest source first. Throws ILLEGAL_ARGUMENT where there is none or one is only a reference, CORRUPTION, IO. */
export function importSources(fileSystem: FileSystem, paths: readonly string[]): ImportSource[] {
  const files = paths.flatMap((path) => filesOf(fileSystem, path))
  const found = files.map((path) => sourceOf(fileSystem, path)).filter((source) => source !== undefined)
  if (found.length === 0) throw refused(`no HFile with a cell in ${paths.join(', ')}`)
  return found.toSorted((a, b) => a.sequenceId - b.sequenceId || (a.path < b.path ? -1 : 1))
}

function filesOf(fileSystem: FileSystem, path: string): string[] {
  const all = fileSystem.list(path)
  if (all.includes(UNFINISHED_EXPORT)) throw refused(`${path} is of an export that was cut off: export again`)
  const names = all.filter((name) => mayBeFamily(fileSystem, path, name))
  if (names.length === 0) {
    if (!fileSystem.exists(path)) throw refused(`${path} does not exist`)
    return all.length > 0 ? [] : [path]
  }
  const listed = trackedFiles(fileSystem, path)
  if (listed !== undefined) return listedFiles(fileSystem, path, listed)
  return names.flatMap((name) => {
    const child = `${path}/${name}`
    if (REGION_NAME.test(name) && fileSystem.list(child).length > 0) {
      const families = fileSystem.list(child).filter((family) => mayBeFamily(fileSystem, child, family))
      return families.flatMap((family) => storeFiles(fileSystem, path, `${child}/${family}`))
    }
    return fileSystem.list(child).length > 0 ? storeFiles(fileSystem, path, child) : plainFile(child)
  })
}

function listedFiles(fileSystem: FileSystem, directory: string, names: ReadonlySet<string>): string[] {
  return [...names].flatMap((name) => {
    const path = `${directory}/${name}`
    if (!fileSystem.exists(path))
      throw refused(`${path} is not there, and the list of the family's store files names it`)
    return plainFile(path)
  })
}

/** `table`: the folder that was given, a table's maybe. */
function storeFiles(fileSystem: FileSystem, table: string, directory: string): string[] {
  const family = directory.slice(directory.lastIndexOf('/') + 1)
  const mayBeListed = hasFileLists(fileSystem, directory) && usesFileLists(fileSystem, table, family)
  const listed = mayBeListed ? trackedFiles(fileSystem, directory) : undefined
  if (listed !== undefined) return listedFiles(fileSystem, directory, listed)
  const names = fileSystem.list(directory).filter((name) => isVisible(name))
  return names.flatMap((name) => plainFile(`${directory}/${name}`))
}

function plainFile(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (REFERENCE_NAME.test(name))
    throw refused(`${path} is a reference to another region's file: run a major compaction in HBase first`)
  return [path]
}

/** `_` begins the names of some families, of files such as `_SUCCESS`, and of the folders that a job of MapReduce leaves. */
function mayBeFamily(fileSystem: FileSystem, directory: string, name: string): boolean {
  if (isVisible(name)) return true
  return name.startsWith('_') && !JOB_FOLDER.test(name) && fileSystem.list(`${directory}/${name}`).length > 0
}

/** Not HBase's own: `.tabledesc`, `.regioninfo`, `_SUCCESS`, edits of a log. Nor what an embedded store has not finished. */
function isVisible(name: string): boolean {
  return !/^[._]|^recovered\.edits$/.test(name) && !name.endsWith(UNFINISHED)
}

/** Undefined for a file without cells. */
function sourceOf(fileSystem: FileSystem, path: string): ImportSource | undefined {
  const hfile = openSource(fileSystem, path)
  try {
    const cells = hfile.iterator(Number.POSITIVE_INFINITY, false)
    cells.seekToFirst()
    if (!cells.valid) return undefined
    const family = Buffer.from(familyOf(cells.buffer, cells.cell))
    const loaded = LOADED_NAME.exec(path)?.[1]
    const sequenceId =
      loaded === undefined ? (hfile.info.getLong(InfoKey.MaxSequenceId) ?? 0) : Number(loaded)
    const { info, trailer, lastRow } = hfile
    return {
      path,
      family,
      sequenceId,
      firstRow: Buffer.from(rowOf(cells.buffer, cells.cell)),
      lastRow: Buffer.from(lastRow),
      compression: algorithmName(trailer.codecOrdinal),
      bloomFilter: bloomFilterOf(info.get(InfoKey.BloomFilterType)),
      encoding: info.get(InfoKey.DataBlockEncoding)?.toString('latin1') ?? 'NONE',
    }
  } finally {
    hfile.close()
  }
}

/** The family setting for the file's bloom filter: ROW for a kind that families here do not have. */
function bloomFilterOf(type: Buffer | undefined): string {
  const text = type?.toString('latin1') ?? 'NONE'
  return text === 'NONE' || text === 'ROWCOL' ? text : 'ROW'
}

/** The caller closes it. */
export function openSource(fileSystem: FileSystem, path: string): HFile {
  let file: OpenFile | undefined
  try {
    file = fileSystem.open(path, 'read')
    return openHFile(file, { fileId: 0, blockCache: new LruBlockCache(CACHE_BYTES) })
  } catch (error) {
    file?.close()
    if (isHBaseError(error)) throw error
    throw new HBaseError('IO', `${path} cannot be read as an HFile: ${messageOf(error)}`, { cause: error })
  }
}

export function refused(message: string): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', message)
}
