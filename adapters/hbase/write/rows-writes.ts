/** Atomic changes of several rows. */

import { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { RowPart, RowsMutation } from '../../../src/model/mutation.ts'
import type { Call } from '../../../src/store/call.ts'
import { checkPartsAreInRegion } from '../../../src/store/refusals.ts'
import { type Target, targetTable } from '../../../src/store/target.ts'
import type { Cluster, RegionCall } from '../cluster/cluster.ts'
import { MUTATE_ROWS, type MutateRowsRequest } from '../messages/mutate-rows-method.ts'
import type { Nonces } from './nonces.ts'
import type { RowChange } from './row-change.ts'

/** Turns one row's part into the mutations of a call. */
export type ChangeOfPart = (part: RowPart) => Promise<RowChange>

type Changes = Omit<MutateRowsRequest, 'regionName'>

/** As Rows.mutateRows. The table must have loaded HBase's MultiRowMutationEndpoint, or the server refuses. */
export async function mutateRows(
  cluster: Cluster,
  target: Target,
  mutation: RowsMutation,
  call: Call,
  nonces: Nonces,
  changeOf: ChangeOfPart,
): Promise<boolean> {
  const { parts } = mutation
  const [first] = parts
  if (first === undefined) return true
  const { retrier, targets } = cluster
  const operation = `mutation of rows of ${targetTable(target)}`
  const { row } = first
  const region = await retrier.retrying(operation, call, (attempt) =>
    typeof target === 'string'
      ? targets.locate(target, row, 'batchMutate', attempt)
      : targets.named(target, attempt),
  )
  checkPartsAreInRegion(parts, region)
  const changes = await changesOf(mutation, nonces, changeOf)
  const send: RegionCall<boolean | undefined> = async (connection, { name }, attempt) =>
    (await connection.call(MUTATE_ROWS, { regionName: name, ...changes }, attempt)).message
  const processed =
    typeof target === 'string'
      ? await cluster.onRegion({ operation, rowOperation: 'batchMutate', target, row, call }, send)
      : await cluster.onNamedRegion({ operation, region: target, call }, send)
  if (processed === undefined && changes.conditions.length > 0) {
    throw new HBaseError(
      'IO',
      'the server does not know conditions of such changes: it is older than 2.5, and has made the change without looking at them',
    )
  }
  return processed !== false
}

async function changesOf(
  { parts, nonce }: RowsMutation,
  nonces: Nonces,
  changeOf: ChangeOfPart,
): Promise<Changes> {
  const mutations: Changes['mutations'][number][] = []
  for (const part of parts) {
    const { mutations: own, cells } = await changeOf(part)
    let taken = 0
    for (const mutation of own) {
      mutations.push({ mutation, cells: mutation.cellCount === 0 ? CellBlock.EMPTY : cells[taken++]! })
    }
  }
  const isAddition = parts.some(({ operations }) => operations.some(({ kind }) => kind !== 'mutate'))
  const given = nonce?.nonce === 0n ? undefined : nonce
  return {
    mutations,
    conditions: parts.flatMap(({ row, condition }) => (condition === undefined ? [] : [{ row, condition }])),
    nonceGroup: given?.group ?? nonces.group,
    nonce: given?.nonce ?? (isAddition ? nonces.next() : 0n),
  }
}
