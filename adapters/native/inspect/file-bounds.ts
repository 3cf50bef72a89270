import { compareBytes } from '../../../src/model/bytes.ts'
import type { FileRecord, RegionRecord } from '../catalog/manifest-edit.ts'

export interface FileBounds {
  /** The rows of the file that count: from `startKey` on, and before `endKey`; an EMPTY one is open. */
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** Whether the file may have other rows, which are not the region's, before `startKey`, and from `endKey` on. */
  readonly hasEarlierRows: boolean
  readonly hasLaterRows: boolean
}

/** A split leaves each half the whole file, and the rows of it that count. */
export function fileBounds({ startKey, endKey }: RegionRecord, { from, to }: FileRecord): FileBounds {
  const isLater = from !== undefined && compareBytes(from, startKey) > 0
  const isEarlier = to !== undefined && to.length > 0 && (endKey.length === 0 || compareBytes(to, endKey) < 0)
  return {
    startKey: isLater ? from : startKey,
    endKey: isEarlier ? to : endKey,
    hasEarlierRows: from !== undefined,
    hasLaterRows: to !== undefined,
  }
}
