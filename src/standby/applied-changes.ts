/** Makes batches of the leader's changes: their cells unchanged and in their order, with the clusters that they have been to. */

import { CellType } from '../model/cell.ts'
import { CellCursor } from '../model/cell-block.ts'
import { CONSUMED_CLUSTERS_ATTRIBUTE, consumedClusters } from '../model/consumed-clusters.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type MutationOptions } from '../model/mutation.ts'
import type { TableName } from '../model/table-name.ts'
import type { Change } from '../store/changes.ts'
import type { TableNote } from './standby-record.ts'

export interface TableBatch {
  readonly table: TableName
  readonly batch: MutationBatch
}

interface Run extends TableBatch {
  /** Changes that other clusters have are batches of their own: a batch has the clusters of its first mutation. */
  readonly clusters: string
  readonly options: MutationOptions
}

/** The batches of each table are in order. `noteOf`: undefined for a table that the leader does not have any more. */
export function batchesOf(
  changes: readonly Change[],
  noteOf: (table: TableName) => TableNote | undefined,
): TableBatch[] {
  const runs: Run[] = []
  const last = new Map<TableName, Run>()
  const sinceOf = new Map<TableName, ReadonlyMap<string, number>>()
  for (const change of changes) {
    const note = noteOf(change.table)
    if (note === undefined || change.sequenceId <= note.after) continue
    const clusters = change.clusterIds.join(' ')
    let run = last.get(change.table)
    if (run?.clusters !== clusters) {
      run = { table: change.table, batch: new MutationBatch(1024), clusters, options: optionsOf(change) }
      last.set(change.table, run)
      runs.push(run)
    }
    let families = sinceOf.get(change.table)
    if (families === undefined) sinceOf.set(change.table, (families = familiesOf(note)))
    append(run, change, families)
  }
  return runs.filter(({ batch }) => batch.length > 0)
}

/** Of each family, its name as latin1. */
function familiesOf({ families }: TableNote): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(families).map(([name, since]) => [Buffer.from(name, 'base64').toString('latin1'), since]),
  )
}

function append({ batch, options }: Run, change: Change, families: ReadonlyMap<string, number>): void {
  const cursor = new CellCursor(change.cells)
  let row: Buffer | undefined
  let isPut = false
  const end = (): void => {
    if (row !== undefined) batch.endMutation(options)
  }
  while (cursor.next()) {
    const { buffer, familyOffset, familyLength, rowOffset, rowLength } = cursor
    const family = buffer.toString('latin1', familyOffset, familyOffset + familyLength)
    const since = families.get(family)
    if (since === undefined || change.sequenceId <= since) continue
    const isSame =
      row !== undefined &&
      isPut === (cursor.type === CellType.Put) &&
      row.length === rowLength &&
      row.compare(buffer, rowOffset, rowOffset + rowLength) === 0
    if (!isSame) {
      end()
      row = buffer.subarray(rowOffset, rowOffset + rowLength)
      isPut = cursor.type === CellType.Put
    }
    batch.cells.appendCell(buffer, cursor.cell, cursor.cellLength)
  }
  end()
}

function optionsOf({ clusterIds }: Change): MutationOptions {
  if (clusterIds.length === 0) return DEFAULT_MUTATION_OPTIONS
  const ids = clusterIds.map((id) => {
    const hex = id.replaceAll('-', '')
    return {
      mostSignificant: BigInt(`0x${hex.slice(0, 16)}`),
      leastSignificant: BigInt(`0x${hex.slice(16)}`),
    }
  })
  const attributes = new Map([[CONSUMED_CLUSTERS_ATTRIBUTE, consumedClusters(ids)]])
  return { ...DEFAULT_MUTATION_OPTIONS, attributes }
}
