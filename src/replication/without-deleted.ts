/** Leaves out what the peer refuses for the want of a table or a family that is gone here, too. HBase: filterNotExistTableEdits. */

import { CellBlock, CellCursor } from '../model/cell-block.ts'
import { isHBaseError } from '../model/errors.ts'
import type { SentChange } from '../store/peer-cluster.ts'
import type { KnownScopes } from './known-scopes.ts'
import type { SenderSettings } from './sender-parts.ts'

/** The rest of the changes; undefined where nothing may be left out. */
export function withoutDeleted(
  changes: readonly SentChange[],
  error: unknown,
  scopes: KnownScopes,
  { dropsDeletedTables, dropsDeletedFamilies }: SenderSettings,
): SentChange[] | undefined {
  if (!isHBaseError(error)) return undefined
  if (error.code === 'TABLE_NOT_FOUND' && dropsDeletedTables) {
    const left = changes.filter(({ table }) => !scopes.isGone(table))
    return left.length < changes.length ? left : undefined
  }
  if (error.code !== 'NO_SUCH_COLUMN_FAMILY' || !dropsDeletedFamilies) return undefined
  const left = changes.map((change) => withoutDeletedFamilies(change, scopes))
  const isSame = left.every((change, index) => change === changes[index])
  return isSame ? undefined : left.filter(({ cellCount }) => cellCount > 0)
}

function withoutDeletedFamilies(change: SentChange, scopes: KnownScopes): SentChange {
  const kept: Buffer[] = []
  const cursor = new CellCursor(change.cells)
  for (let start = cursor.position; cursor.next(); start = cursor.position) {
    const { buffer, familyOffset, familyLength } = cursor
    const family = buffer.toString('latin1', familyOffset, familyOffset + familyLength)
    if (!scopes.isFamilyGone(change.table, family)) kept.push(buffer.subarray(start, cursor.position))
  }
  if (kept.length === change.cellCount) return change
  return { ...change, cells: new CellBlock(Buffer.concat(kept)), cellCount: kept.length }
}
