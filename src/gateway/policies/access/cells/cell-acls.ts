/**
 * Permissions of single cells: the attribute `acl` of a mutation becomes a tag of each of its cells. HBase:
 * AccessController.addCellPermissions, checkForReservedTagPresence.
 */

import { CellType } from '../../../../model/cell.ts'
import { type CellBlock, CellCursor } from '../../../../model/cell-block.ts'
import { TagCursor, TagType, tag } from '../../../../model/cell-tags.ts'
import { HBaseError } from '../../../../model/errors.ts'
import {
  MutationBatch,
  type MutationOptions,
  type RowOperation,
  type RowPart,
} from '../../../../model/mutation.ts'
import type { Steps } from '../../../../model/steps.ts'
import { accessDenied } from '../denials.ts'

/** HBase: AccessControlConstants.OP_ATTRIBUTE_ACL. */
const ACL_ATTRIBUTE = 'acl'

/** The batch with tags for permissions; the same batch where no mutation states permissions. Throws like checkMayHaveAcl. */
export function batchWithAcls(batch: MutationBatch, keepsTags: boolean): MutationBatch {
  if (!batch.options.some(hasAcl)) return batch
  const own = new MutationBatch(batch.cells.length)
  own.append(batch)
  // Thrift has one ACL for all rows of a request: its tag is made once.
  const made = new Map<MutationOptions, MutationOptions>()
  for (const [index, options] of batch.options.entries()) {
    if (!hasAcl(options)) continue
    checkMayHaveAcl(batch.blockOf(index), keepsTags)
    let withTags = made.get(options)
    if (withTags === undefined) made.set(options, (withTags = optionsWithAcl(options)))
    own.options[index] = withTags
  }
  return own
}

/** Like batchWithAcls, for a part of an atomic change. */
export function partWithAcls<Part extends Pick<RowPart, 'operations' | 'options'>>(
  part: Part,
  keepsTags: boolean,
): Part {
  const { options, operations } = part
  if (!hasAcl(options) && !operations.some((each) => each.options !== undefined && hasAcl(each.options)))
    return part
  const withAcl = (operation: RowOperation): RowOperation => {
    const own = operation.options ?? options
    if (!hasAcl(own)) return { ...operation, options: own }
    checkMayHaveAcl(operation.cells, keepsTags)
    return { ...operation, options: optionsWithAcl(own) }
  }
  return { ...part, operations: operations.map(withAcl) }
}

function hasAcl({ attributes }: MutationOptions): boolean {
  return attributes?.has(ACL_ATTRIBUTE) === true
}

/**
 * Throws DO_NOT_RETRY for deletions, on which permissions have no effect, and where the store keeps no tags: every user who may read the
 * column could read the cell.
 */
function checkMayHaveAcl(cells: CellBlock, keepsTags: boolean): void {
  if (!keepsTags) throw new HBaseError('DO_NOT_RETRY', 'Cell ACLs cannot be persisted')
  if (isDeletion(cells)) throw new HBaseError('DO_NOT_RETRY', 'ACL on delete has no effect')
}

function optionsWithAcl(options: MutationOptions): MutationOptions {
  const acl = options.attributes?.get(ACL_ATTRIBUTE)
  if (acl === undefined) return options
  const own = tag(TagType.Acl, acl)
  return { ...options, tags: options.tags === undefined ? own : Buffer.concat([own, options.tags]) }
}

/** Whether the cells of a mutation are tombstones. All or none of them are. */
export function isDeletion(cells: CellBlock): boolean {
  const cursor = new CellCursor(cells)
  return cursor.next() && cursor.type !== CellType.Put
}

/** Cells that are checked in one step. */
const STEP_CELLS = 1024

/** Throws ACCESS_DENIED for cells with permissions among their tags, which only superusers may send. */
export function* checkReservedTagsInSteps(blocks: readonly CellBlock[]): Steps<void> {
  let left = STEP_CELLS
  for (const cells of blocks) {
    const cursor = new CellCursor(cells)
    while (cursor.next()) {
      if (cursor.tagsBytes > 0) checkTags(cursor)
      if (--left > 0) continue
      left = STEP_CELLS
      yield
    }
  }
}

function checkTags({ buffer, tagsOffset, tagsBytes }: CellCursor): void {
  const tags = new TagCursor(buffer, tagsOffset, tagsBytes)
  while (tags.next())
    if (tags.type === TagType.Acl) throw accessDenied('Mutation contains cell with reserved type tag')
}
