import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { Durability } from '../../../src/model/mutation.ts'
import type { Region } from '../region/region.ts'
import type { WritePathParts } from './write-path-parts.ts'

/**
 * Takes the next sequence id for the cells of a change and adds them to the log; the change must be in the memstores before the event loop
 * runs. `isKept`: the cells do not change any more. Throws UNAVAILABLE.
 */
export function logCells(
  { wal, mvcc }: Pick<WritePathParts, 'wal' | 'mvcc'>,
  region: Region,
  { buffer, length }: CellBlockBuilder,
  durability: Durability,
  isKept = false,
): number {
  if (wal.failure !== undefined) throw wal.failure
  const sequenceId = mvcc.next()
  if (durability !== 'SKIP_WAL') {
    wal.append(region.number, sequenceId, buffer, 0, length, isKept)
    // Much that is pending is committed at once, which may fail.
    if (wal.failure !== undefined) throw wal.failure
  } else region.unloggedUpTo = sequenceId
  return sequenceId
}
