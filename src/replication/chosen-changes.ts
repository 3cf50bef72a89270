/** The changes that a peer gets, of those that were read. HBase: ChainWALEntryFilter with those of scopes, tables and clusters. */

import { CellBlock, CellCursor } from '../model/cell-block.ts'
import { hasReplicationScope, type TableDescriptor } from '../model/descriptor.ts'
import type { TableName } from '../model/table-name.ts'
import type { Change } from '../store/changes.ts'
import type { SentChange } from '../store/peer-cluster.ts'
import { isWanted, type PeerChoice } from '../store/peer-description.ts'

/** Families with a scope other than 0, which are replicated at all. */
export function replicatedFamilies({ families }: TableDescriptor): readonly Buffer[] {
  return families.filter(hasReplicationScope).map(({ name }) => name)
}

export interface ChoiceParts {
  readonly choice: PeerChoice
  readonly ownClusterId: string
  readonly peerClusterId: string
  /** The replicated families of the table; none of one that is not known. */
  readonly scopesOf: (table: TableName) => readonly Buffer[]
  /** Milliseconds since 1970. */
  readonly writeTime: number
}

/** The change as the peer gets it; undefined: it gets nothing of it. */
export function chosenChange(change: Change, parts: ChoiceParts): SentChange | undefined {
  const { choice, ownClusterId, peerClusterId, scopesOf, writeTime } = parts
  if (change.clusterIds.includes(peerClusterId)) return undefined
  const scopes = scopesOf(change.table)
  const wanted = new Set(
    scopes.map((family) => family.toString('latin1')).filter((each) => isWanted(choice, change.table, each)),
  )
  if (wanted.size === 0) return undefined
  const { cells, cellCount } = cellsOfFamilies(change.cells, wanted)
  if (cellCount === 0) return undefined
  const { clusterIds: before } = change
  const clusterIds = before.includes(ownClusterId) ? before : [...before, ownClusterId]
  return { ...change, clusterIds, cells, cellCount, writeTime, scopes }
}

/** The cells of the families, which share the block's memory where all are wanted. */
function cellsOfFamilies(
  block: CellBlock,
  wanted: ReadonlySet<string>,
): { readonly cells: CellBlock; readonly cellCount: number } {
  const kept: Buffer[] = []
  let cellCount = 0
  let isWhole = true
  const cursor = new CellCursor(block)
  for (let start = cursor.position; cursor.next(); start = cursor.position) {
    const { buffer, familyOffset, familyLength } = cursor
    if (!wanted.has(buffer.toString('latin1', familyOffset, familyOffset + familyLength))) {
      isWhole = false
      continue
    }
    cellCount++
    kept.push(buffer.subarray(start, cursor.position))
  }
  return { cells: isWhole ? block : new CellBlock(Buffer.concat(kept)), cellCount }
}
