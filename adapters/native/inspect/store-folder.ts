/** A store's folder as its manifest describes it, for tools: read only, and as far as damage lets it. */

import { InvariantError } from '../../../src/model/assert.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { filePath, regionDirectory } from '../layout/region-directory.ts'
import { snapshotFile } from '../layout/snapshot-directory.ts'
import { Catalog } from '../manifest/catalog.ts'
import { DiscardedFiles } from '../manifest/discarded-files.ts'
import { chooseManifest, type ManifestRemark } from '../manifest/manifest-choice.ts'
import type {
  FileRecord,
  ManifestEdit,
  RegionRecord,
  SnapshotRecord,
  TableRecord,
} from '../manifest/manifest-edit.ts'
import { type ManifestContent, manifestBytes, readManifest } from '../manifest/manifest-file.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { walkManifest } from './manifest-walk.ts'

/** Folders of a store that hold data. */
export const DATA_FOLDERS: readonly string[] = ['data', 'wal', 'snapshots']

/** A store file that the manifest names. */
export interface NamedFile {
  /** The table's record; for a snapshot's file, the one in the snapshot. */
  readonly table: TableRecord
  readonly region: RegionRecord
  readonly encodedRegion: string
  readonly file: FileRecord
  readonly path: string
  /** Undefined for a file of a table. */
  readonly snapshot: SnapshotRecord | undefined
}

/** A stretch of both copies that holds no edit. */
export interface LostEdits {
  readonly offset: number
  readonly end: number
}

export interface FolderState {
  readonly catalog: Catalog
  /** The fault of one of the two manifests, while the other serves. */
  readonly remarks: readonly ManifestRemark[]
  /** Why a start refuses the manifests; the catalog is then what can be read of both. */
  readonly refusal: HBaseError | undefined
  readonly lostEdits: readonly LostEdits[]
  /** Edits that do not fit those before them. */
  readonly misfits: readonly string[]
  readonly generation: number
  /** Numbers of files that the manifest has taken away: a start removes those that a crash has left. */
  readonly discarded: ReadonlySet<number>
}

export function manifestPaths(directory: string): readonly [string, string] {
  return [`${directory}/manifest`, `${directory}/manifest.copy`]
}

/** Undefined where the folder has no manifest. Throws what the file system throws. */
export function readFolder(fileSystem: FileSystem, directory: string): FolderState | undefined {
  const [path, copyPath] = manifestPaths(directory)
  const first = readManifest(fileSystem, path)
  const second = readManifest(fileSystem, copyPath)
  if (first === undefined && second === undefined) return undefined
  const generation = Math.max(first?.generation ?? 0, second?.generation ?? 0)
  try {
    const { content, remarks } = chooseManifest(first, second, copyPath, hasData(fileSystem, directory))
    if (content.edits.length === 0 && hasData(fileSystem, directory)) throw withoutEdits(path)
    return { ...summed(content.edits), remarks, refusal: undefined, lostEdits: [], generation }
  } catch (error) {
    if (!isHBaseError(error)) throw error
    const { edits, lostEdits } = salvaged(fileSystem, directory, first, second)
    return { ...summed(edits), remarks: [], refusal: error, lostEdits, generation }
  }
}

/** Two files that were both cut within their first edit: Manifest.open does not take that for a new store either. */
function withoutEdits(path: string): HBaseError {
  const message = `manifest ${path} and its copy have no edits, beside data`
  return new HBaseError('CORRUPTION', message, { detail: { path, offset: 0 } })
}

/** Nothing is left of the manifests: an empty store in the place of this one would be of no use. */
export function isBeyondUse({ refusal, catalog }: FolderState): boolean {
  return refusal !== undefined && catalog.clusterId === undefined && catalog.tables.size === 0
}

function summed(edits: readonly ManifestEdit[]): Pick<FolderState, 'catalog' | 'misfits' | 'discarded'> {
  const catalog = new Catalog()
  const discarded = new DiscardedFiles()
  const misfits: string[] = []
  for (const edit of edits) {
    try {
      catalog.check(edit)
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error
      misfits.push(error.message)
      continue
    }
    discarded.note(edit, catalog)
    catalog.apply(edit)
  }
  return { catalog, misfits, discarded: discarded.numbers }
}

/** All whole edits. Of two generations, which have no byte in common, that with more edits counts. */
function salvaged(
  fileSystem: FileSystem,
  directory: string,
  first: ManifestContent | undefined,
  second: ManifestContent | undefined,
): { edits: ManifestEdit[]; lostEdits: LostEdits[] } {
  const [path, copyPath] = manifestPaths(directory)
  const copies = [manifestBytes(fileSystem, path), manifestBytes(fileSystem, copyPath)].filter(
    (bytes) => bytes !== undefined,
  )
  const areTwins = first?.generation === second?.generation
  const candidates = areTwins ? [copies] : copies.map((copy) => [copy])
  const readings = candidates.map((together) => {
    const edits: ManifestEdit[] = []
    const lostEdits: LostEdits[] = []
    for (const found of walkManifest(together)) {
      if (found.kind === 'damage') lostEdits.push(found)
      else edits.push(found.edit)
    }
    return { edits, lostEdits }
  })
  return readings.reduce((best, reading) => (reading.edits.length > best.edits.length ? reading : best))
}

/** Files of the tables, then those of the snapshots. */
export function namedFiles(catalog: Catalog, directory: string): NamedFile[] {
  const found: NamedFile[] = []
  const add = (table: TableRecord, snapshot: SnapshotRecord | undefined): void => {
    const name = parseTableName(table.name)
    for (const region of table.regions) {
      const { encodedName: encodedRegion } = regionName(name, region.startKey, region.regionId)
      const place = regionDirectory(directory, name, encodedRegion)
      for (const file of region.files) {
        const { family, number } = file
        const path =
          snapshot === undefined
            ? filePath(place, family, number)
            : snapshotFile(directory, snapshot.number, number)
        found.push({ table, region, encodedRegion, file, path, snapshot })
      }
    }
  }
  for (const table of catalog.tables.values()) add(table, undefined)
  for (const snapshot of catalog.snapshots.values()) add(snapshot.table, snapshot)
  return found
}

export function hasData(fileSystem: FileSystem, directory: string): boolean {
  return DATA_FOLDERS.some((name) => filesBelow(fileSystem, `${directory}/${name}`).length > 0)
}

/** Files below `path`, with their paths: a folder without any is left out. */
export function filesBelow(fileSystem: FileSystem, path: string): string[] {
  return fileSystem.list(path).flatMap((name) => {
    const child = `${path}/${name}`
    const below = filesBelow(fileSystem, child)
    return below.length > 0 ? below : isFile(fileSystem, child) ? [child] : []
  })
}

function isFile(fileSystem: FileSystem, path: string): boolean {
  try {
    const file = fileSystem.open(path, 'read')
    try {
      file.read(Buffer.alloc(1), 0, 1, 0)
      return true
    } finally {
      file.close()
    }
  } catch (error) {
    // A folder can be opened on some systems, and never read.
    return !(error instanceof Error && 'code' in error && error.code === 'EISDIR')
  }
}

export function bytesOf(fileSystem: FileSystem, path: string): number {
  try {
    const file = fileSystem.open(path, 'read')
    try {
      return file.size()
    } finally {
      file.close()
    }
  } catch {
    return 0
  }
}
