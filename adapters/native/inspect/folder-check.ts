/**
 * `tidegate check`: everything in a store's folder against its checksums and against everything else. Writes nothing. The folder may be a server's: it
 * changes meanwhile, so that a finding counts only while the manifest still names the file.
 */

import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { atOnce, type Steps } from '../../../src/model/steps.ts'
import { UNFINISHED_RESTORE } from '../../../src/store/kept-moment.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { type Finding, NO_MANIFEST_ADVICE, type Report } from './finding.ts'
import { checkKeptLogs, checkLogs, logPath, logsOf } from './log-check.ts'
import { checkManifest } from './manifest-check.ts'
import { type FileToCheck, fileToCheck, findingsOf } from './named-file-check.ts'
import {
  bytesOf,
  type FolderState,
  hasData,
  isBeyondUse,
  manifestPaths,
  namedFiles,
  readFolder,
} from './store-folder.ts'
import { checkStrangers } from './stranger-check.ts'

export interface FolderCheckParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly report: Report
  /** Called with the bytes that are checked, and all bytes, after each block or record. */
  readonly worked?: ((done: number, total: number) => void) | undefined
  /** Whether a server has the folder. */
  readonly isServed?: boolean
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
  const checking = beginCheck(parts)
  if (!(checking instanceof CheckUnderWay)) return checking
  for (const file of checking.files)
    checking.add(atOnce(findingsOf(parts.fileSystem, file, checking.onBytes)))
  return atOnce(checking.end())
}

/** The same, while the event loop runs. */
export async function checkFolderInTurns(parts: FolderCheckParts): Promise<FolderCheck | undefined> {
  const checking = beginCheck(parts)
  if (!(checking instanceof CheckUnderWay)) return checking
  for (const file of checking.files)
    checking.add(await manyATurn(findingsOf(parts.fileSystem, file, checking.onBytes)))
  return manyATurn(checking.end())
}

/** As checkFolder, for a caller that has the files checked elsewhere. A check that ends at the manifest is returned as its sums. */
export function beginCheck(parts: FolderCheckParts): CheckUnderWay | FolderCheck | undefined {
  const { fileSystem, directory } = parts
  const mark = `${directory}/${UNFINISHED_RESTORE}`
  if (fileSystem.exists(mark)) {
    const message = 'a restore into this folder has not ended: a start is refused'
    const advice = 'run the same `tidegate backup restore` again'
    return refused(parts, { severity: 'error', path: mark, offset: undefined, message, advice })
  }
  const state = readFolder(fileSystem, directory)
  if (state === undefined && !hasData(fileSystem, directory)) return undefined
  if (state !== undefined && !isBeyondUse(state)) return new CheckUnderWay(parts, state)
  const fault = state?.refusal?.message ?? 'the manifest and its copy are missing, beside data'
  const message = `${fault}: a start is refused`
  const [path] = manifestPaths(directory)
  return refused(parts, { severity: 'error', path, offset: undefined, message, advice: NO_MANIFEST_ADVICE })
}

/** The sums of a check that ends with one error. */
function refused({ report }: FolderCheckParts, finding: Finding): FolderCheck {
  report(finding)
  return { storeFiles: 0, logs: 0, records: 0, bytes: 0, errors: 1, warnings: 0 }
}

/** A check whose store files are yet to be looked at, by the caller. */
export class CheckUnderWay {
  readonly files: readonly FileToCheck[]
  readonly #parts: FolderCheckParts
  readonly #state: FolderState
  readonly #bytes: number
  #done = 0
  readonly #counts = { error: 0, warning: 0, note: 0 }

  constructor(parts: FolderCheckParts, state: FolderState) {
    const { fileSystem, directory } = parts
    this.#parts = parts
    this.#state = state
    this.files = namedFiles(state.catalog, directory).map(fileToCheck)
    const logs = logsOf(fileSystem, directory, state.catalog)
    const paths = [
      ...this.files.map(({ path }) => path),
      ...logs.map(({ number }) => logPath(directory, number)),
    ]
    this.#bytes = paths.reduce((sum, path) => sum + bytesOf(fileSystem, path), 0)
    parts.worked?.(0, this.#bytes)
    // Of a served folder the two manifests are written one after the other.
    if (parts.isServed !== true) checkManifest(state, directory, this.#report)
  }

  readonly #report = (finding: Finding): void => {
    this.#counts[finding.severity]++
    this.#parts.report(finding)
  }

  /** Called with bytes that are checked. */
  readonly onBytes = (bytes: number): void => {
    this.#done += bytes
    this.#parts.worked?.(this.#done, this.#bytes)
  }

  /** Adds the findings in a file. */
  add(findings: readonly Finding[]): void {
    if (findings.length === 0) return
    const isGone = this.#parts.isServed === true && !this.#isNamed(findings[0]!.path)
    if (!isGone) for (const finding of findings) this.#report(finding)
  }

  /** Whether the manifest names the file now. */
  #isNamed(path: string): boolean {
    const { fileSystem, directory } = this.#parts
    const state = readFolder(fileSystem, directory)
    if (state === undefined) return true
    const logs = logsOf(fileSystem, directory, state.catalog).map(({ number }) => logPath(directory, number))
    return logs.includes(path) || namedFiles(state.catalog, directory).some((file) => file.path === path)
  }

  /** Checks the logs, a record a step, and looks for files that the manifest does not name. */
  *end(): Steps<FolderCheck> {
    const { fileSystem, directory, isServed = false } = this.#parts
    const { catalog } = this.#state
    const { onBytes } = this
    // The log that a server writes has no end yet, and what it has is no warning.
    const report = isServed
      ? (finding: Finding): void => this.add(finding.severity === 'error' ? [finding] : [])
      : this.#report
    const parts = { fileSystem, directory, catalog, report, onBytes }
    const records = yield* checkLogs(parts)
    yield* checkKeptLogs(parts)
    if (!isServed) checkStrangers(fileSystem, directory, this.#state, this.#report)
    const { error: errors, warning: warnings } = this.#counts
    const logs = logsOf(fileSystem, directory, catalog).length
    return { storeFiles: this.files.length, logs, records, bytes: this.#bytes, errors, warnings }
  }
}
