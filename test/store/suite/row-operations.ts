/** Changes of one row as the cases of the suite write them, and the answers of a store to them. */

import { expect } from 'vitest'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { type Condition, MutationBatch, type RowOperation } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { bytes, familyOf, qualifierOf, resultTexts, type Session } from './store-under-test.ts'

export const ALL: { readonly maxVersions: number } = { maxVersions: ALL_VERSIONS }

export function long(value: bigint): string {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer.toString('latin1')
}

export function hex(value: bigint): string {
  return [...bytes(long(value))]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
}

export function block(
  row: string,
  cells: readonly (readonly [column: string, value: string, timestamp?: bigint | undefined])[],
): CellBlock {
  const batch = new MutationBatch()
  for (const [column, value, timestamp] of cells) {
    batch.put(bytes(row), familyOf(column), qualifierOf(column), bytes(value), timestamp)
  }
  return batch.cells.block()
}

export function deletion(build: (batch: MutationBatch) => void): RowOperation {
  const batch = new MutationBatch()
  build(batch)
  return { kind: 'mutate', cells: batch.cells.block() }
}

export function put(row: string, column: string, value: string, timestamp?: bigint): RowOperation {
  return { kind: 'mutate', cells: block(row, [[column, value, timestamp]]) }
}

export function increment(row: string, column: string, amount: bigint, timestamp?: bigint): RowOperation {
  return { kind: 'increment', cells: block(row, [[column, long(amount), timestamp]]) }
}

export function append(row: string, column: string, value: string, timestamp?: bigint): RowOperation {
  return { kind: 'append', cells: block(row, [[column, value, timestamp]]) }
}

/** The answered cells, or `not applied`. */
export async function change(
  session: Session,
  row: string,
  operations: readonly RowOperation[],
  condition?: Condition,
  ttlMs?: number,
): Promise<string> {
  const { applied, results } = await session.store.rows.mutateRow(
    session.table,
    {
      row: bytes(row),
      operations,
      options: { durability: 'USE_DEFAULT', ...(ttlMs === undefined ? {} : { ttlMs }) },
      ...(condition === undefined ? {} : { condition }),
    },
    OWN_CALL,
  )
  const texts = resultTexts(results)
  expect(texts).toHaveLength(1)
  return applied ? texts[0]! : 'not applied'
}
