import { compareBytes } from '../../../src/model/bytes.ts'
import type { FileRecord, RegionRecord } from '../catalog/manifest-edit.ts'

/** A file that several regions share: each counts the rows of its own part only. Manifests without such files lack the fields. */
interface SharedFile {
  /** Encoded name of the region that the file was written for. */
  readonly owner?: string
  readonly from?: Buffer
  readonly to?: Buffer
}

export interface FileBounds {
  /** The rows of the file that count: from `startKey` on, and before `endKey`; an EMPTY one is open. */
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** Whether the file may have other rows, too. */
  readonly isShared: boolean
  /** Undefined: the region that has it. */
  readonly owner: string | undefined
}

export function fileBounds({ startKey, endKey }: RegionRecord, file: FileRecord & SharedFile): FileBounds {
  const { owner, from, to } = file
  const isLater = from !== undefined && compareBytes(from, startKey) > 0
  const isEarlier = to !== undefined && to.length > 0 && (endKey.length === 0 || compareBytes(to, endKey) < 0)
  return {
    startKey: isLater ? from : startKey,
    endKey: isEarlier ? to : endKey,
    isShared: owner !== undefined || from !== undefined || to !== undefined,
    owner,
  }
}
