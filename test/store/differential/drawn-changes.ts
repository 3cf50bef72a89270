/** Makes drawn changes into the arguments of a store. */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import {
  type Condition,
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type MutationOptions,
  type RowMutation,
  type RowPart,
  type RowsMutation,
} from '../../../src/model/mutation.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { bytes } from '../suite/store-under-test.ts'
import type { CellChange, DrawnCondition, DrawnPart, FamilyAttributes, RowChange, Step } from './step.ts'

export function described(name: TableName, families: readonly FamilyAttributes[]): TableDescriptor {
  return tableDescriptor(
    name,
    families.map((family) => familyDescriptor(family.name, Object.entries(family.attributes))),
  )
}

export function batchOf(changes: readonly RowChange[]): MutationBatch {
  const batch = new MutationBatch()
  for (const change of changes) {
    append(batch, change.row, change.cells)
    batch.endMutation(optionsOf(change))
  }
  return batch
}

/** Another `generation` makes other nonces. */
export function mutationOf(step: Step & { kind: 'mutateRow' }, generation: bigint): RowMutation {
  const { nonce, returnResults } = step
  return { ...partOf(step), returnResults, withTags: true, ...nonceOf(nonce, generation) }
}

export function rowsMutationOf(step: Step & { kind: 'mutateRows' }, generation: bigint): RowsMutation {
  return { parts: step.parts.map(partOf), ...nonceOf(step.nonce, generation) }
}

function nonceOf(nonce: bigint | undefined, group: bigint): Pick<RowMutation, 'nonce'> {
  return nonce === undefined ? {} : { nonce: { group, nonce } }
}

function partOf({ row, operations, condition }: DrawnPart): RowPart {
  return {
    row: bytes(row),
    operations: operations.map(({ kind, cells, timeRange }) => {
      const block = blockOf(row, cells)
      if (kind === 'mutate' || timeRange === undefined) return { kind, cells: block }
      return { kind, cells: block, timeRange }
    }),
    options: DEFAULT_MUTATION_OPTIONS,
    ...(condition === undefined ? {} : { condition: conditionOf(condition) }),
  }
}

function conditionOf({ timeRange, ...drawn }: DrawnCondition): Condition {
  const time = timeRange === undefined ? {} : { timeRange }
  if (drawn.kind === 'filter') return { ...drawn, ...time }
  const { family, qualifier, ...rest } = drawn
  return { ...rest, ...time, family: bytes(family), qualifier: bytes(qualifier) }
}

function append(batch: MutationBatch, row: string, cells: readonly CellChange[]): void {
  for (const { family, qualifier, type, timestamp, value, tags = '' } of cells) {
    const prefix = batch.cells.length
    batch.cell(bytes(row), bytes(family), bytes(qualifier), type, timestamp, bytes(value))
    batch.cells.appendTags(prefix, bytes(tags))
  }
}

function optionsOf({ ttlMs, durability }: Pick<RowChange, 'ttlMs' | 'durability'>): MutationOptions {
  return { durability, ...(ttlMs === undefined ? {} : { ttlMs }) }
}

function blockOf(row: string, cells: readonly CellChange[]): CellBlock {
  const batch = new MutationBatch()
  append(batch, row, cells)
  return batch.cells.block()
}
