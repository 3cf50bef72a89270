/** Checks a store file that the manifest names. What it takes and finds are plain values, so that another thread can do it. */

import { messageOf } from '../../../src/model/message-of.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { type Finding, MISSING_FILE_ADVICE, REPAIR_ADVICE } from './finding.ts'
import { type ExpectedFile, expectedOf, StoreFileCheck } from './store-file-check.ts'
import { StoreFileView } from './store-file-view.ts'
import type { NamedFile } from './store-folder.ts'

export interface FileToCheck {
  readonly path: string
  readonly expected: ExpectedFile
  /** For the findings. */
  readonly table: string
  readonly region: string
  readonly snapshot: string | undefined
}

export function fileToCheck({ path, table, region, encodedRegion, file, snapshot }: NamedFile): FileToCheck {
  return {
    path,
    expected: expectedOf(region, encodedRegion, file),
    table: table.name,
    region: encodedRegion,
    snapshot: snapshot?.name,
  }
}

/** `onBytes`: called with the number of bytes checked since its last call. A block is a step. */
export function* findingsOf(
  fileSystem: FileSystem,
  { path, expected, table, region, snapshot }: FileToCheck,
  onBytes: (bytes: number) => void,
): Steps<Finding[]> {
  const found: Finding[] = []
  const fault = (offset: number | undefined, message: string, advice = REPAIR_ADVICE): void =>
    void found.push({ severity: 'error', path, offset, message, advice, table, region, snapshot })
  if (!fileSystem.exists(path)) {
    const effect =
      snapshot === undefined ? 'reads of its region and family fail' : 'it cannot be restored whole'
    fault(undefined, `the store file is missing: ${effect}`, MISSING_FILE_ADVICE)
    return found
  }
  try {
    const view = new StoreFileView(fileSystem, path)
    try {
      yield* new StoreFileCheck(view, expected, fault).inSteps(onBytes)
    } finally {
      view.close()
    }
  } catch (error) {
    fault(undefined, `the store file cannot be read: ${messageOf(error)}`)
  }
  return found
}
