/** Files of regions that the manifest does not name. Nothing is removed that is not understood. */

import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { isFoundDamage } from '../layout/found-damage.ts'
import { filePath, regionDirectory, UNFINISHED } from '../layout/region-directory.ts'
import { snapshotFile } from '../layout/snapshot-directory.ts'
import type { Catalog } from '../manifest/catalog.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { isOfLock } from '../platform/lock-names.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'

/** data / namespace / table / region / family / file. */
const DATA_DEPTH = 5
/** Digits of a file's name. A store has made fewer files than they can count. */
const NUMBER_DIGITS = 10

/** The store's own names in its top folder, beside those of the manifest and of the lock. */
const TOP_FOLDERS: ReadonlySet<string> = new Set(['backups', 'data', 'lost+found', 'snapshots', 'wal'])

interface OrphanParts {
  readonly fileSystem: FileSystem
  readonly lost: LostAndFound
  /** See DiscardedFiles. */
  readonly discarded: ReadonlySet<number>
}

/** Files that the server keeps beside those of the store: docs/formats.md. */
const OF_SERVER: ReadonlySet<string> = new Set([
  'archive.known',
  'delegation-keys',
  'last-backup',
  'last-backup.new',
  'standby.json',
  'standby.json.new',
])

interface Orphans extends OrphanParts {
  /** Paths of named files, and of the directories that they are in. */
  readonly kept: ReadonlySet<string>
  readonly isLinkOfNamed: (path: string) => boolean
}

/**
 * Removes what a crash left: unfinished files, those that the manifest has taken away, and second names of named files that a change had
 * made before it was in the manifest. Sets others aside. `directory`: the store's.
 */
export async function settleOrphans(parts: OrphanParts, directory: string, catalog: Catalog): Promise<void> {
  const kept = new Set<string>()
  const named: string[] = []
  for (const table of catalog.tables.values()) {
    const name = parseTableName(table.name)
    for (const { startKey, regionId, files } of table.regions) {
      // A region's name is a hash, which takes long for thousands of them.
      if (files.length === 0) continue
      const regionPath = regionDirectory(directory, name, regionName(name, startKey, regionId).encodedName)
      for (const { family, number } of files) {
        const path = filePath(regionPath, family, number)
        named.push(path)
        keepWithParents(kept, directory, path)
      }
    }
  }
  for (const { number, table } of catalog.snapshots.values())
    for (const region of table.regions)
      for (const file of region.files) named.push(snapshotFile(directory, number, file.number))
  mentionStrangers(parts, directory)
  const isLinkOfNamed = linksOf(parts.fileSystem, named)
  await settle({ ...parts, kept, isLinkOfNamed }, `${directory}/data`, DATA_DEPTH)
}

/** Files beside the store's folders may be an operator's own: they stay, and are logged. */
function mentionStrangers({ fileSystem, lost }: OrphanParts, directory: string): void {
  for (const name of fileSystem.list(directory))
    if (!isOfStore(name) && !OF_SERVER.has(name)) lost.mention(`${directory}/${name}`)
}

function isOfStore(name: string): boolean {
  return TOP_FOLDERS.has(name) || isOfManifest(name) || isOfLock(name) || isFoundDamage(name)
}

function isOfManifest(name: string): boolean {
  return name === 'manifest' || name.startsWith('manifest.')
}

function keepWithParents(kept: Set<string>, root: string, path: string): void {
  for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf('/'))) kept.add(at)
}

/** Whether a path is another name of one of these files, whose bytes stay when it goes. */
export function linksOf(fileSystem: FileSystem, named: readonly string[]): (path: string) => boolean {
  let stamps: Set<string> | undefined
  return (path) => {
    if (fileSystem.linkCount(path) < 2) return false
    stamps ??= new Set(named.map((known) => fileSystem.stamp(known)))
    return stamps.has(fileSystem.stamp(path))
  }
}

/** `depth`: levels below the path, down to files. */
async function settle(orphans: Orphans, path: string, depth: number): Promise<void> {
  const { fileSystem, lost, kept } = orphans
  if (depth === 1) await removeUnnamedFiles(orphans, path)
  for (const name of fileSystem.list(path)) {
    const child = `${path}/${name}`
    if (kept.has(child)) {
      if (depth > 1) await settle(orphans, child, depth - 1)
    } else if (!(await pruned(orphans, child, depth - 1))) {
      lost.setAside(child, 'the manifest does not name it')
    }
  }
}

/** Removes the last names of complete files that no edit has named yet: see giveNames. */
async function removeUnnamedFiles({ fileSystem, kept }: Orphans, directory: string): Promise<void> {
  let count = 0
  for (const name of fileSystem.list(directory).filter((candidate) => candidate.endsWith(UNFINISHED))) {
    const path = `${directory}/${name.slice(0, -UNFINISHED.length)}`
    if (kept.has(path) || !fileSystem.exists(path) || fileSystem.linkCount(path) < 2) continue
    fileSystem.remove(path)
    count++
  }
  if (count > 0) await fileSystem.syncDirectory(directory)
}

/** The name of a store file that was not finished, or that others have replaced. */
export function isLeftover(path: string, discarded: ReadonlySet<number>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [digits, rest] = [name.slice(0, NUMBER_DIGITS), name.slice(NUMBER_DIGITS)]
  if (!/^\d{10}$/.test(digits)) return false
  return rest === UNFINISHED || (rest === '' && discarded.has(Number(digits)))
}

/** Removes a leftover, or a directory with nothing but directories and leftovers, as a dropped table leaves them; false if there is any other file. */
async function pruned(orphans: Orphans, path: string, depth: number): Promise<boolean> {
  const { fileSystem, discarded, isLinkOfNamed } = orphans
  if (depth === 0 && isLeftover(path, discarded)) {
    fileSystem.remove(path)
    return true
  }
  if (depth === 1) await removeUnnamedFiles(orphans, path)
  let isEmpty = true
  for (const name of fileSystem.list(path)) {
    isEmpty = (await pruned(orphans, `${path}/${name}`, depth - 1)) && isEmpty
  }
  if (!isEmpty) return false
  if (fileSystem.removeIfEmpty(path)) return true
  if (depth !== 0 || !isLinkOfNamed(path)) return false
  fileSystem.remove(path)
  return true
}
