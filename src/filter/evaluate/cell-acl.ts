/** Permissions that the tags of a cell give a user. HBase: AuthManager.authorizeCell, PermissionStorage.getCellPermissionsForUser. */

import { TAG_HEADER_BYTES, TagCursor, TagType } from '../../model/cell-tags.ts'
import type { Action } from '../../model/permission.ts'
import { readCellPermissions } from '../../wire/rpc/cell-permissions.ts'
import { MalformedMessage } from '../../wire/rpc/message-reader.ts'

/** Different tags whose decision is remembered: few tables have more kinds of permissions than that. */
const KNOWN_MAX = 1000

/** The check of cells for one subject and one action. Cells mostly have the tag of the cell before. */
export class CellAcl {
  readonly #names: ReadonlySet<string>
  readonly #action: Action
  readonly #known = new Map<string, boolean>()
  #last: Buffer | undefined
  #lastAllows = false

  /** `names`: of the user, and of his groups behind an `@`. */
  constructor(names: readonly string[], action: Action) {
    this.#names = new Set(names)
    this.#action = action
  }

  /** One of the cell's tags with permissions must have one for the subject; a tag that is no such message has none. */
  allows(buffer: Buffer, tags: number, tagsBytes: number): boolean {
    if (tagsBytes === 0) return false
    const cursor = new TagCursor(buffer, tags, tagsBytes)
    while (cursor.next()) if (cursor.type === TagType.Acl && this.#allowsTag(cursor)) return true
    return false
  }

  #allowsTag({ buffer, start, end, value }: TagCursor): boolean {
    if (this.#last?.compare(buffer, start + TAG_HEADER_BYTES, end) === 0) return this.#lastAllows
    const key = value.toString('latin1')
    let allows = this.#known.get(key)
    if (allows === undefined) {
      allows = this.#decide(value)
      if (this.#known.size >= KNOWN_MAX) this.#known.clear()
      this.#known.set(key, allows)
    }
    this.#last = Buffer.from(value)
    this.#lastAllows = allows
    return allows
  }

  #decide(value: Buffer): boolean {
    try {
      return readCellPermissions(value).some(
        ([user, actions]) => this.#names.has(user) && actions.includes(this.#action),
      )
    } catch (error) {
      if (error instanceof MalformedMessage) return false
      throw error
    }
  }
}
