/** `tidegate check`: everything in a store's folder against its checksums and against everything else. Writes nothing. */

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
import { messageOf } from './message-of.ts'
import { expectedOf, StoreFileCheck } from './store-file-check.ts'
import { StoreFileView } from './store-file-view.ts'
import {
  bytesOf,
  type FolderState,
  filesBelow,
  manifestPaths,
  type NamedFile,
  namedFiles,
  readFolder,
} from './store-folder.ts'

export interface FolderCheckParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly clock: Clock
  readonly report: Report
  /** A line for whoever waits, every few seconds. */
  readonly tell: (line: string) => void
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
  if (state === undefined) {
    const message = 'the manifest and its copy are missing, beside data: a start is refused'
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
    parts.tell(`checked ${percent} %: ${mebibytes(done)} of ${mebibytes(total)}`),
  )
  const onBytes = (part: number): void => progress.add(part)
  for (const file of files) checkStoreFile(fileSystem, file, report, onBytes)
  const records = checkLogs({ fileSystem, directory, catalog: state.catalog, report, onBytes })
  checkStrangers(parts, state, report)
  return {
    storeFiles: files.length,
    logs: logs.length,
    records,
    bytes,
    errors: counts.error,
    warnings: counts.warning,
  }
}

export function hasData(fileSystem: FileSystem, directory: string): boolean {
  return ['data', 'wal'].some((name) => filesBelow(fileSystem, `${directory}/${name}`).length > 0)
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / (1 << 20))} MB`
}

function checkManifest(state: FolderState, directory: string, report: Report): void {
  const [path] = manifestPaths(directory)
  for (const remark of state.remarks) {
    const severity = remark.level === 'error' ? 'error' : 'note'
    const advice = 'nothing: the next start mends it from the other'
    report({ severity, path: remark.path, offset: remark.offset, message: remark.message, advice })
  }
  const fault = (offset: number | undefined, message: string): void =>
    report({ severity: 'error', path, offset, message, advice: REPAIR_ADVICE })
  if (state.refusal !== undefined) {
    const offset = state.refusal.detail?.['offset']
    fault(typeof offset === 'number' ? offset : undefined, `${state.refusal.message}: a start is refused`)
  }
  for (const { offset, end } of state.lostEdits)
    fault(offset, `no copy has a whole edit from here to byte ${end}`)
  for (const misfit of state.misfits) fault(undefined, `an edit does not fit those before it: ${misfit}`)
  const numbers = new Set<number>()
  for (const { name, families, regions } of state.catalog.tables.values()) {
    for (const region of regions) {
      for (const { number, family } of region.files) {
        if (!families.some((known) => known.name.equals(family)))
          fault(
            undefined,
            `file ${number} of table ${name} is of the family ${family.toString()}, which the table does not have`,
          )
        if (numbers.has(number)) fault(undefined, `two regions have a file ${number}`)
        numbers.add(number)
      }
    }
  }
}

function checkStoreFile(
  fileSystem: FileSystem,
  named: NamedFile,
  report: Report,
  onBytes: (bytes: number) => void,
): void {
  const { path, table, region, encodedRegion, file } = named
  const fault = (offset: number | undefined, message: string, advice = REPAIR_ADVICE): void =>
    report({
      severity: 'error',
      path,
      offset,
      message,
      advice,
      table: table.name,
      region: encodedRegion,
    })
  if (!fileSystem.exists(path)) {
    fault(undefined, 'the store file is missing: reads of its region and family fail', MISSING_FILE_ADVICE)
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

/** Files that nothing names: the engine does not serve them. */
function checkStrangers(
  { fileSystem, directory }: FolderCheckParts,
  { catalog }: FolderState,
  report: Report,
): void {
  const named = new Set(namedFiles(catalog, directory).map(({ path }) => path))
  for (const { number } of logsOf(fileSystem, directory, catalog)) named.add(logPath(directory, number))
  const found = ['data', 'wal'].flatMap((name) => filesBelow(fileSystem, `${directory}/${name}`))
  for (const path of found.filter((candidate) => !named.has(candidate))) {
    report({
      severity: 'warning',
      path,
      offset: undefined,
      message: 'the manifest does not name this file: nothing reads it',
      advice: 'nothing: the next start sets it aside in lost+found',
    })
  }
  const lost = filesBelow(fileSystem, `${directory}/lost+found`)
  if (lost.length === 0) return
  report({
    severity: 'note',
    path: `${directory}/lost+found`,
    offset: undefined,
    message: `${lost.length} files were set aside`,
    advice: 'look at them; what nobody needs may be removed',
  })
}
