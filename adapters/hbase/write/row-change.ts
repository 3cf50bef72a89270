/** An atomic change of one row as the mutations of one call. */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import type { RowMutation, RowOperation } from '../../../src/model/mutation.ts'
import { type Mutation, MutationType } from '../messages/write-mutation.ts'
import { checkedCount, type MutationStep, mutationSteps } from './mutation-steps.ts'
import type { Nonces } from './nonces.ts'
import { sentOptions } from './sent-options.ts'

export interface RowChange {
  readonly mutations: readonly Mutation[]
  /** The cells of all mutations, in order. */
  readonly cells: readonly CellBlock[]
  /** The group of the mutations' nonces. */
  readonly nonceGroup: bigint
}

/** The mutations of a change; undefined where they depend on the table's `families` and these are absent. Throws as mutationSteps. */
export function rowChange(
  { row, operations, options: ofPart, nonce: given, returnResults }: RowMutation,
  nonces: Nonces,
  families?: readonly Buffer[],
): RowChange | undefined {
  const mutations: Mutation[] = []
  const cells: CellBlock[] = []
  const nonce = given?.nonce === 0n ? undefined : given
  for (const operation of operations) {
    const steps = operationSteps(operation, families)
    if (steps === undefined) return undefined
    const isAddition = operation.kind !== 'mutate'
    const { durability, ttlMs, attributes } = sentOptions(operation.options ?? ofPart)
    for (const { type, cells: own, cellCount, timestamp } of steps) {
      mutations.push({
        type,
        row,
        cellCount,
        durability,
        ttlMs,
        attributes,
        nonce: isAddition ? (nonce?.nonce ?? nonces.next()) : 0n,
        ...(isAddition &&
          (returnResults === false || operation.returnResults === false) && { returnResults: false }),
        ...(timestamp !== undefined && { timestamp }),
        ...(isAddition && operation.timeRange && { timeRange: operation.timeRange }),
      })
      if (own.byteLength > 0) cells.push(own)
    }
  }
  return { mutations, cells, nonceGroup: nonce?.group ?? nonces.group }
}

function operationSteps(
  operation: RowOperation,
  families: readonly Buffer[] | undefined,
): readonly MutationStep[] | undefined {
  const { kind, cells } = operation
  if (kind === 'mutate') return mutationSteps(cells, families)
  const type = kind === 'increment' ? MutationType.Increment : MutationType.Append
  return [{ type, cells, cellCount: checkedCount(cells) }]
}
