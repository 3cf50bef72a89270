import { expect, test } from 'vitest'
import type { Thrift1Context } from '../../../../src/doors/thrift/service/thrift1/thrift1-context.ts'
import { thrift1Writes } from '../../../../src/doors/thrift/service/thrift1/writes.ts'
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import { RowMutations } from '../../../../src/wire/thrift/row-mutations-reader.ts'

const b = (text: string): Buffer => Buffer.from(text)

/** The calls that the handlers make of the store: for each its mutations, with their rows and whether they are deletes. */
async function callsOf(method: string, args: object): Promise<string[][]> {
  const calls: string[][] = []
  const mutate = async (_: unknown, batch: MutationBatch): Promise<readonly []> => {
    const mutations = batch.ends.map((_, i) => cellsOf(batch.blockOf(i))[0]!)
    calls.push(
      mutations.map(({ row, type }) => `${type === CellType.Put ? 'put' : 'delete'} ${row.toString()}`),
    )
    return []
  }
  const context = { store: { rows: { mutate } }, limits: DEFAULT_LIMITS } as unknown as Thrift1Context
  const handler = thrift1Writes(context)[method] as (args: object, call: Call) => Promise<void>
  await handler({ tableName: b('t'), ...args }, OWN_CALL)
  return calls
}

function rowMutations(puts: readonly string[], deletes: readonly string[]): RowMutations {
  const kinds = new RowMutations(new MutationBatch(), new MutationBatch())
  for (const row of puts) kinds.puts.put(b(row), b('f'), b('q'), b('v')).endMutation()
  for (const row of deletes) kinds.deletes.deleteColumn(b(row), b('f'), b('q')).endMutation()
  return kinds
}

test('of many rows the puts come before the deletes, in one call', async () => {
  const rowBatches = rowMutations(['a', 'b'], ['a', 'c'])
  expect(await callsOf('mutateRows', { rowBatches })).toEqual([['put a', 'put b', 'delete a', 'delete c']])
  expect(await callsOf('mutateRows', { rowBatches: rowMutations(['a'], []) })).toEqual([['put a']])
})

test('of one row the deletes come before the puts, in calls of their own', async () => {
  expect(await callsOf('mutateRow', { mutations: rowMutations(['a'], ['a']) })).toEqual([
    ['delete a'],
    ['put a'],
  ])
  expect(await callsOf('mutateRow', { mutations: rowMutations([], ['a']) })).toEqual([['delete a']])
  expect(await callsOf('mutateRow', { mutations: rowMutations(['a'], []) })).toEqual([['put a']])
})
