/** Gets of many rows: the budget of memory limits them, and nothing else. */

import { expect, test } from 'vitest'
import { getInPieces } from '../../src/gateway/many-gets.ts'
import { MemoryBudget } from '../../src/gateway/memory-budget.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { type Get, get } from '../../src/model/query.ts'
import { NO_RESULTS, type Results } from '../../src/model/results.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { GetLimits } from '../../src/store/rows.ts'

const TABLE = parseTableName('t')
const MIB = 1024 * 1024
const gets = Array.from({ length: 20 }, (_, row) => get(Buffer.from([row])))

/** A store whose rows have a MiB each, and that answers as the limit of bytes says. */
const reader = {
  rows: {
    get: async (_: unknown, asked: readonly Get[], { bytes }: GetLimits): Promise<Results> => {
      const batch = new MutationBatch()
      const { cells } = batch
      const counts: number[] = []
      for (const { row } of asked) {
        if (cells.length >= bytes) break
        batch.put(row, Buffer.from('f'), Buffer.from('q'), Buffer.alloc(MIB, row[0]), 1n)
        counts.push(1)
      }
      return { cells: cells.block(), counts }
    },
  },
  handouts: { release: () => undefined },
}

test('are answered as one, whatever the size of the pieces, in memory that is taken until it is given back', async () => {
  const memory = new MemoryBudget(64 * MIB)
  const { results, grant } = await getInPieces({ store: reader, memory }, TABLE, gets, OWN_CALL)
  expect(results.counts).toHaveLength(20)
  const whole = await reader.rows.get(TABLE, gets, { bytes: Number.POSITIVE_INFINITY })
  const { buffer, start, end } = whole.cells
  const found = results.cells
  expect(found.buffer.subarray(found.start, found.end).equals(buffer.subarray(start, end))).toBe(true)
  expect(memory.granted).toBe(found.byteLength)
  grant.release()
  expect(memory.granted).toBe(0)
})

test('are refused for now where others have the memory, and for good where there is too little at all', async () => {
  const memory = new MemoryBudget(64 * MIB)
  memory.note(40 * MIB)
  const context = { store: reader, memory }
  await expect(getInPieces(context, TABLE, gets, OWN_CALL)).rejects.toMatchObject({ code: 'OVERLOADED' })
  memory.give(40 * MIB)
  const many = [...gets, ...gets]
  await expect(getInPieces(context, TABLE, many, OWN_CALL)).rejects.toMatchObject({ code: 'TOO_LARGE' })
  expect(memory.granted).toBe(0)
})

test('are read in pieces without a copy of a long list for each', async () => {
  const one = get(Buffer.from([1]))
  const many = Array.from({ length: 300_000 }, () => one)
  const asked: number[] = []
  const rows = {
    get: async (_: unknown, { length }: readonly Get[]): Promise<Results> => {
      asked.push(length)
      return { cells: NO_RESULTS.cells, counts: Array.from({ length: Math.min(length, 80_000) }, () => 0) }
    },
  }
  const context = { store: { ...reader, rows }, memory: new MemoryBudget() }
  const { results } = await getInPieces(context, TABLE, many, OWN_CALL)
  expect(results.counts).toHaveLength(300_000)
  expect(asked).toEqual([300_000, 100_000, 100_000, 60_000])
})
