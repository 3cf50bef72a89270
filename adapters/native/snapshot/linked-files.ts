import { mapInSteps, type Steps } from '../../../src/model/steps.ts'
import { snapshotFile } from '../layout/snapshot-directory.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import type { Link } from '../platform/file-links.ts'

/** Paths of files by their records. */
export interface LinkEnds {
  readonly fromOf: (file: FileRecord) => string
  readonly toOf: (file: FileRecord) => string
}

/** The files that are to be links to these, of which a region may have very many; their links are added to `added`. */
export function linkedInSteps(
  files: readonly FileRecord[],
  linkedOf: (file: FileRecord) => FileRecord,
  { fromOf, toOf }: LinkEnds,
  added: Link[],
): Steps<FileRecord[]> {
  return mapInSteps(files, (file) => {
    const linked = linkedOf(file)
    added.push({ from: fromOf(file), to: toOf(linked) })
    return linked
  })
}

/** `snapshot`: its number. */
export function filesOfSnapshot(root: string, snapshot: number): (file: FileRecord) => string {
  return ({ number }) => snapshotFile(root, snapshot, number)
}
