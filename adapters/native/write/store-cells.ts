import { CellBlock, type CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { CONSUMED_CLUSTERS_ATTRIBUTE } from '../../../src/model/consumed-clusters.ts'
import type { Durability, MutationBatch } from '../../../src/model/mutation.ts'
import { META_FAMILY, withClusterIds } from '../cells/cluster-ids.ts'
import type { Region } from '../region/region.ts'
import { stampPlainCells } from './stamp-plain-cells.ts'
import type { WritePathParts } from './write-path-parts.ts'

/**
 * Takes the next sequence id for the cells of a change and adds them to the log; the change must be in the memstores before the event loop
 * runs, and before the log is asked to commit. `isKept`: the cells do not change any more. `clusters`: see clustersOf. Throws UNAVAILABLE.
 */
export function logCells(
  { wal, mvcc }: Pick<WritePathParts, 'wal' | 'mvcc'>,
  region: Region,
  { buffer, length }: CellBlockBuilder,
  durability: Durability,
  isKept = false,
  clusters?: Buffer,
): number {
  if (wal.failure !== undefined) throw wal.failure
  const sequenceId = mvcc.next()
  if (durability !== 'SKIP_WAL') {
    // A table may have a family of that name: the cell would come into its rows.
    if (clusters === undefined || region.hasFamily(META_FAMILY))
      wal.append(region.number, sequenceId, buffer, 0, length, isKept)
    else {
      const all = withClusterIds(new CellBlock(buffer, 0, length), clusters)
      wal.append(region.number, sequenceId, all.buffer, all.start, all.end, true)
    }
  } else region.unloggedUpTo = sequenceId
  return sequenceId
}

/**
 * Stores mutations of a batch as one change in one pass: they are copied to the log at once, checked and stamped there, and inserted from
 * there. False: some need more than that (see stampPlainCells), and nothing is stored. `indexes`: in order, of mutations that have cells.
 * Throws UNAVAILABLE.
 */
export function storePlainCells(
  parts: Pick<WritePathParts, 'wal' | 'mvcc' | 'limits'>,
  region: Region,
  batch: MutationBatch,
  indexes: readonly number[],
  now: number,
  cellBytesMax: number,
): boolean {
  const { wal, mvcc } = parts
  const bytes = plainBytes(batch, indexes)
  if (bytes === 0) return false
  if (wal.failure !== undefined) throw wal.failure
  const at = wal.reserve(bytes)
  const { memory } = wal
  copyMutations(batch, indexes, memory.buffer, at)
  if (!stampPlainCells(memory, at, at + bytes, region, now, cellBytesMax)) return false
  const sequenceId = mvcc.next()
  wal.appendReserved(region.number, sequenceId, bytes)
  insertCells(parts, region, new CellBlock(memory.buffer, at, at + bytes), sequenceId)
  return true
}

/** Puts logged cells into the memstores. */
export function insertCells(
  { limits, wal }: Pick<WritePathParts, 'limits' | 'wal'>,
  region: Region,
  cells: CellBlock,
  sequenceId: number,
): void {
  const before = region.memstoreBytes
  region.insert(cells, sequenceId)
  limits.grew(region, region.memstoreBytes - before)
  wal.commitIfLarge()
}

/** Bytes of the mutations' cells; 0: the options of one add tags to them, or a cell to the log. */
function plainBytes({ ends, options }: MutationBatch, indexes: readonly number[]): number {
  let bytes = 0
  for (const index of indexes) {
    const { tags, ttlMs, attributes } = options[index]!
    if (tags !== undefined || ttlMs !== undefined) return 0
    if (attributes !== undefined && attributes.has(CONSUMED_CLUSTERS_ATTRIBUTE)) return 0
    bytes += ends[index]! - (index === 0 ? 0 : ends[index - 1]!)
  }
  return bytes
}

/** Copies the mutations' cells, those of successive mutations together. */
function copyMutations(
  { cells: { buffer }, ends }: MutationBatch,
  indexes: readonly number[],
  target: Buffer,
  at: number,
): void {
  for (let first = 0, next = 1; first < indexes.length; first = next++) {
    const index = indexes[first]!
    while (next < indexes.length && indexes[next] === index + next - first) next++
    const start = index === 0 ? 0 : ends[index - 1]!
    const end = ends[indexes[next - 1]!]!
    buffer.copy(target, at, start, end)
    at += end - start
  }
}
