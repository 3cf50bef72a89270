/** `tidegate check`: everything in a store's folder against its checksums and against everything else. Writes nothing. */

import { messageOf } from '../../../src/model/message-of.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import { Progress } from '../platform/progress.ts'
import {
  type Finding,
  MISSING_FILE_ADVICE,
  NO_MANIFEST_ADVICE,
  REPAIR_ADVICE,
  type Report,
} from './finding.ts'
import { checkLogs, logPath, logsOf } from './log-check.ts'
import { checkManifest } from './manifest-check.ts'
import { expectedOf, StoreFileCheck } from './store-file-check.ts'
import { StoreFileView } from './store-file-view.ts'
import {
  bytesOf,
  hasData,
  isBeyondUse,
  manifestPaths,
  type NamedFile,
  namedFiles,
  readFolder,
} from './store-folder.ts'
import { checkStrangers } from './stranger-check.ts'

export interface FolderCheckParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly clock: Clock
  readonly report: Report
  /** Called with a line for the user who waits, every few seconds. */
  readonly showProgress: (line: string) => void
}

export interface FolderCheck {
  readonly storeFiles: number
  readonly logs: number
  readonly records: number
  readonly bytes: number
  readonly errors: number
  readonly warnings: number
}

/** Undefined where the folder has no store. Throws what the file system throws for the manifest. */
export function checkFolder(parts: FolderCheckParts): FolderCheck | undefined {
  const { fileSystem, directory, clock } = parts
  const state = readFolder(fileSystem, directory)
  if (state === undefined && !hasData(fileSystem, directory)) return undefined
  const counts = { error: 0, warning: 0, note: 0 }
  const report = (finding: Finding): void => {
    counts[finding.severity]++
    parts.report(finding)
  }
  if (state === undefined || isBeyondUse(state)) {
    const fault = state?.refusal?.message ?? 'the manifest and its copy are missing, beside data'
    const message = `${fault}: a start is refused`
    report({
      severity: 'error',
      path: manifestPaths(directory)[0],
      offset: undefined,
      message,
      advice: NO_MANIFEST_ADVICE,
    })
    return { storeFiles: 0, logs: 0, records: 0, bytes: 0, errors: 1, warnings: 0 }
  }
  checkManifest(state, directory, report)
  const files = namedFiles(state.catalog, directory)
  const logs = logsOf(fileSystem, directory, state.catalog)
  const paths = [...files.map(({ path }) => path), ...logs.map(({ number }) => logPath(directory, number))]
  const bytes = paths.reduce((sum, path) => sum + bytesOf(fileSystem, path), 0)
  const progress = new Progress(clock, bytes, (percent, done, total) =>
    parts.showProgress(`checked ${percent} %: ${mebibytes(done)} of ${mebibytes(total)}`),
  )
  const onBytes = (part: number): void => progress.add(part)
  for (const file of files) checkStoreFile(fileSystem, file, report, onBytes)
  const records = checkLogs({ fileSystem, directory, catalog: state.catalog, report, onBytes })
  checkStrangers(fileSystem, directory, state, report)
  return {
    storeFiles: files.length,
    logs: logs.length,
    records,
    bytes,
    errors: counts.error,
    warnings: counts.warning,
  }
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / (1 << 20))} MB`
}

function checkStoreFile(
  fileSystem: FileSystem,
  named: NamedFile,
  report: Report,
  onBytes: (bytes: number) => void,
): void {
  const { path, table, region, encodedRegion, file, snapshot } = named
  const fault = (offset: number | undefined, message: string, advice = REPAIR_ADVICE): void =>
    report({
      severity: 'error',
      path,
      offset,
      message,
      advice,
      table: table.name,
      region: encodedRegion,
      snapshot: snapshot?.name,
    })
  if (!fileSystem.exists(path)) {
    const effect =
      snapshot === undefined ? 'reads of its region and family fail' : 'it cannot be restored whole'
    fault(undefined, `the store file is missing: ${effect}`, MISSING_FILE_ADVICE)
    return
  }
  try {
    const view = new StoreFileView(fileSystem, path)
    try {
      new StoreFileCheck(view, expectedOf(region, encodedRegion, file), fault).run(onBytes)
    } finally {
      view.close()
    }
  } catch (error) {
    fault(undefined, `the store file cannot be read: ${messageOf(error)}`)
  }
}
