import { hasTag, TagType } from '../../../src/model/cell-tags.ts'
import type { Query } from '../../../src/model/query.ts'
import { isVisibleTo } from '../../../src/model/visibility.ts'
import type { CellIterator } from '../cells/cell-run.ts'

type Asked = Pick<Query, 'visibility' | 'withTags'>

/** A look at more takes so long that the read must be able to pause. */
const TAGS_BYTES_MAX = 256

/**
 * Which cells with tags the short ways through rows of puts take: those that the reader sees, that have no time to live of their own, and
 * whose tags are short.
 * Of a hidden cell the matcher must say whether an older version takes its place.
 */
export class PlainTags {
  #asked: Asked = {}
  /** The ordinals of the labels in `#asked`; undefined until a cell has tags. */
  #ordinals: ReadonlySet<number> | undefined

  /** Begins a read. */
  begin(query: Asked): void {
    if (query.visibility !== this.#asked.visibility) this.#ordinals = undefined
    this.#asked = query
  }

  /** True if the user may see the cell, which has tags. */
  allows({ buffer, tags, tagsBytes }: CellIterator): boolean {
    const { visibility, withTags } = this.#asked
    if (withTags === true || visibility?.kind === 'same' || tagsBytes > TAGS_BYTES_MAX) return false
    if (hasTag(buffer, tags, tagsBytes, TagType.TimeToLive)) return false
    if (visibility === undefined) return true
    this.#ordinals ??= new Set(visibility.ordinals)
    return isVisibleTo(this.#ordinals, buffer, tags, tagsBytes)
  }
}
