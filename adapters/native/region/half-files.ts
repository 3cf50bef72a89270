import { BoundedHFile } from '../hfile/bounded-file.ts'
import type { FamilyStore } from './family-store.ts'

/** True if a split has left the family parts of its parent's files. */
export function hasHalves({ files }: FamilyStore): boolean {
  return files.some(({ run }) => run instanceof BoundedHFile)
}
