/** Files of regions that the manifest does not name. Nothing is removed that is not understood. */

import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import { filePath, regionDirectory, UNFINISHED } from './region-directory.ts'

/** data / namespace / table / region / family / file. */
const DATA_DEPTH = 5
/** Of a region's directory in a table that the catalog names. */
const REGION_DEPTH = 3
/** Digits of a file's name. A store has made fewer files than they can count. */
const NUMBER_DIGITS = 10

interface OrphanParts {
  readonly fileSystem: FileSystem
  readonly lost: LostAndFound
  /** See DiscardedFiles. */
  readonly discarded: ReadonlySet<number>
}

interface Orphans extends OrphanParts {
  readonly kept: ReadonlySet<string>
}

/**
 * Removes what a crash left: unfinished files, those that the manifest has taken away, and second names that a split or a
 * merge had made before it was in the manifest. Sets others aside. `directory`: the store's.
 */
export function settleOrphans(parts: OrphanParts, directory: string, catalog: Catalog): void {
  const kept = new Set<string>()
  for (const table of catalog.tables.values()) {
    const name = parseTableName(table.name)
    for (const { startKey, regionId, files } of table.regions) {
      const regionPath = regionDirectory(directory, name, regionName(name, startKey, regionId).encodedName)
      for (const { family, number } of files)
        keepWithParents(kept, directory, filePath(regionPath, family, number))
    }
  }
  settle({ ...parts, kept }, `${directory}/data`, DATA_DEPTH)
}

function keepWithParents(kept: Set<string>, root: string, path: string): void {
  for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf('/'))) kept.add(at)
}

/** `depth`: levels below the path, down to files. */
function settle(orphans: Orphans, path: string, depth: number): void {
  const { fileSystem, lost, kept } = orphans
  for (const name of fileSystem.list(path)) {
    const child = `${path}/${name}`
    if (kept.has(child)) {
      if (depth > 1) settle(orphans, child, depth - 1)
    } else if (!pruned(orphans, child, depth - 1, depth <= REGION_DEPTH)) {
      lost.setAside(child, 'the manifest does not name it')
    }
  }
}

/** The name of a store file that was not finished, or that others have replaced. */
export function isLeftover(path: string, discarded: ReadonlySet<number>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [digits, rest] = [name.slice(0, NUMBER_DIGITS), name.slice(NUMBER_DIGITS)]
  if (!/^\d{10}$/.test(digits)) return false
  return rest === UNFINISHED || (rest === '' && discarded.has(Number(digits)))
}

/**
 * Removes a leftover, or a directory with nothing but directories and leftovers, as a dropped table leaves them; false if
 * there is any other file. With `linksToo` files go whose bytes have another name.
 */
function pruned(orphans: Orphans, path: string, depth: number, linksToo: boolean): boolean {
  const { fileSystem, discarded } = orphans
  if (depth === 0 && isLeftover(path, discarded)) {
    fileSystem.remove(path)
    return true
  }
  let isEmpty = true
  for (const name of fileSystem.list(path)) {
    isEmpty = pruned(orphans, `${path}/${name}`, depth - 1, linksToo) && isEmpty
  }
  if (!isEmpty) return false
  if (fileSystem.removeIfEmpty(path)) return true
  if (!linksToo || fileSystem.linkCount(path) < 2) return false
  fileSystem.remove(path)
  return true
}
