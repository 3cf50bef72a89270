/** Finds files that the manifest does not name, and says what becomes of them. The engine does not serve them. */

import { counted } from '../../../src/model/counted.ts'
import { UNFINISHED } from '../layout/region-directory.ts'
import { snapshotDirectory, snapshotsDirectory } from '../layout/snapshot-directory.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { isLeftover, linksOf } from '../region/orphan-files.ts'
import { setAsideRecords } from '../wal/set-aside-records.ts'
import type { Report } from './finding.ts'
import { logPath, logsOf } from './log-check.ts'
import { DATA_FOLDERS, type FolderState, filesBelow, namedFiles } from './store-folder.ts'

export function checkStrangers(
  fileSystem: FileSystem,
  directory: string,
  state: FolderState,
  report: Report,
): void {
  const { catalog } = state
  const named = new Set(namedFiles(catalog, directory).map(({ path }) => path))
  const kept = catalog.keeping?.kept ?? []
  for (const { number } of [...logsOf(fileSystem, directory, catalog), ...kept])
    named.add(logPath(directory, number))
  const found = DATA_FOLDERS.flatMap((name) => filesBelow(fileSystem, `${directory}/${name}`))
  const adviceOf = adviser(fileSystem, directory, state)
  for (const path of found.filter((candidate) => !named.has(candidate))) {
    const message = 'the manifest does not name this file: nothing reads it'
    report({ severity: 'warning', path, offset: undefined, message, advice: adviceOf(path) })
  }
  for (const { path, region } of setAsideRecords(fileSystem, directory)) {
    const message = `records of the log, of region ${region}, that no region has: a start has set them aside`
    const advice = 'let `tidegate repair` put them into the regions that have their rows now'
    report({ severity: 'warning', path, offset: undefined, message, advice })
  }
  const lost = filesBelow(fileSystem, `${directory}/lost+found`)
  if (lost.length === 0) return
  report({
    severity: 'note',
    path: `${directory}/lost+found`,
    offset: undefined,
    message: `${counted(lost.length, 'file was', 'files were')} set aside`,
    advice: 'look at them, and remove those that you do not need',
  })
}

/** The next start removes it or sets it aside: see settleOrphans, removeUnneededLogs and removeLeftSnapshots. */
function adviser(
  fileSystem: FileSystem,
  directory: string,
  { catalog, discarded }: FolderState,
): (path: string) => string {
  const snapshots = [...catalog.snapshots.values()].map(({ number }) => snapshotDirectory(directory, number))
  const isLinkOfNamed = linksOf(
    fileSystem,
    namedFiles(catalog, directory).map(({ path }) => path),
  )
  return (path) => {
    if (isBelow(path, snapshots)) return 'nothing: it goes when its snapshot is deleted'
    if (isBelow(path, [`${directory}/wal`]))
      return 'nothing: the next start sets it aside in lost+found, or removes it if store files have all of it'
    const isLeftSnapshot = isBelow(path, [snapshotsDirectory(directory)])
    const isUnnamed = fileSystem.exists(path + UNFINISHED) && fileSystem.linkCount(path) > 1
    const isRemoved = isLeftSnapshot || isUnnamed || isLeftover(path, discarded) || isLinkOfNamed(path)
    return `nothing: the next start ${isRemoved ? 'removes it' : 'sets it aside in lost+found'}`
  }
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`))
}
