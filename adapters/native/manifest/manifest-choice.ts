/**
 * Which of a manifest's two files counts. An edit is on disk in the first file before it goes to the second, and in both
 * before it is answered. So an edit that the first file ends within was never answered, unless the second one has it. A power loss
 * may leave such an edit in its whole length, with zeros in the place of any of its parts.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { isWholeLength, type ManifestContent } from './manifest-file.ts'

/** A line for the operator. `error`: a file is damaged; `info`: a crash came in the middle of an edit. */
export interface ManifestRemark {
  readonly level: 'info' | 'error'
  readonly message: string
  readonly path: string
  readonly offset: number
}

export interface ManifestChoice {
  readonly content: ManifestContent
  /** The fault of the other file, or of the end of this one. With a remark both files are to be written anew. */
  readonly remarks: readonly ManifestRemark[]
}

/**
 * `hasData`: whether the store has any files beside; a first start that ended early has none. Throws CORRUPTION, with file and offset,
 * where neither file is known to have all edits that were answered.
 */
export function chooseManifest(
  first: ManifestContent | undefined,
  second: ManifestContent | undefined,
  secondPath: string,
  hasData: boolean,
): ManifestChoice {
  const level = hasData ? 'error' : 'info'
  if (first === undefined) return { content: sound(second!), remarks: [missing(second!, level, 'manifest')] }
  if (second === undefined) return withoutCopy(first, secondPath, level)
  // A version without copies has written the first file anew since.
  if (isSound(first) && first.generation === 0 && first.edits.length > 0)
    return { content: first, remarks: stale(second) }
  if (first.generation !== second.generation) return ofTwoGenerations(first, second)
  const ahead = first.edits.length - second.edits.length
  if (ahead < 0) return { content: sound(second), remarks: [damaged(first)] }
  if (first.fault !== undefined) throw corruption(first)
  if (ahead === 0) return ofSameLength(first, second)
  if (first.end < first.size) throw corruption(first)
  const isUnfinished = ahead === 1 && second.fault === undefined && isPartOf(second.rest, first.last)
  return { content: first, remarks: [isUnfinished ? unfinished(second) : damaged(second)] }
}

/** Whether an append of the record that did not end can have left these bytes: each is the record's, or zero. */
function isPartOf(rest: Buffer, record: Buffer): boolean {
  return rest.length <= record.length && rest.every((byte, index) => byte === 0 || byte === record[index])
}

function ofSameLength(first: ManifestContent, second: ManifestContent): ManifestChoice {
  if (isSound(first)) return { content: first, remarks: isSound(second) ? [] : [damaged(second)] }
  // The second file goes on only once the first one has the whole edit.
  if (!isSound(second)) throw corruption(first)
  return { content: second, remarks: [first.fault === undefined ? unfinished(first) : damaged(first)] }
}

/** A crash came between the two renames of a rewrite: both files say the same. */
function ofTwoGenerations(first: ManifestContent, second: ManifestContent): ManifestChoice {
  const [newer, older] = first.generation > second.generation ? [first, second] : [second, first]
  if (isSound(newer)) {
    // A file that has lost its beginning has lost its generation, too.
    const isStale = older.fault === undefined && older.edits.length > 0
    return { content: newer, remarks: isStale ? stale(older) : [damaged(older)] }
  }
  if (older.edits.length === 0) throw corruption(newer)
  return { content: sound(older), remarks: [damaged(newer)] }
}

function withoutCopy(
  first: ManifestContent,
  secondPath: string,
  level: ManifestRemark['level'],
): ManifestChoice {
  if (first.generation > 0)
    return { content: sound(first), remarks: [missing(first, level, 'copy', secondPath)] }
  if (first.fault !== undefined || isWholeLength(first.rest)) throw corruption(first)
  return {
    content: first,
    remarks: [{ level: 'info', message: 'the manifest gets a copy', path: first.path, offset: first.end }],
  }
}

function isSound({ fault, end, size }: ManifestContent): boolean {
  return fault === undefined && end === size
}

function sound(content: ManifestContent): ManifestContent {
  if (!isSound(content)) throw corruption(content)
  return content
}

function stale({ path, end }: ManifestContent): ManifestRemark[] {
  return [{ level: 'info', message: `${path} is of an earlier rewrite of the manifest`, path, offset: end }]
}

function unfinished({ path, end }: ManifestContent): ManifestRemark {
  return { level: 'info', message: `${path} ends before an edit that was not answered`, path, offset: end }
}

function damaged(content: ManifestContent): ManifestRemark {
  const { path, end } = content
  const fault = faultOf(content) ?? 'its last edits are gone'
  const message = `manifest ${path} is damaged at byte ${end} (${fault}): its edits are read from the other one`
  return { level: 'error', message, path, offset: end }
}

function missing(
  other: ManifestContent,
  level: ManifestRemark['level'],
  which: 'manifest' | 'copy',
  path = other.path.replace(/\.copy$/, ''),
): ManifestRemark {
  return {
    level,
    message: `${path} is missing, the ${which} of ${other.path}: it is written anew`,
    path,
    offset: 0,
  }
}

function faultOf({ fault, rest }: ManifestContent): string | undefined {
  return fault ?? (isWholeLength(rest) ? 'the checksum of an edit is wrong' : undefined)
}

function corruption(content: ManifestContent): HBaseError {
  const { path, end } = content
  const reason =
    faultOf(content) ??
    'an unfinished edit, which may have been answered: the other manifest does not have it'
  return new HBaseError('CORRUPTION', `manifest ${path} is damaged at byte ${end}: ${reason}`, {
    detail: { path, offset: end },
  })
}
