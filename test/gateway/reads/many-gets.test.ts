/** Gets of many rows: the budget of memory limits them, and nothing else. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { getInPieces } from '../../../src/gateway/reads/many-gets.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { type Get, get } from '../../../src/model/query.ts'
import { NO_RESULTS, type Results } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { GetLimits } from '../../../src/store/rows.ts'

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

test('are answered as one, with any size of the pieces, in memory that is taken until it is given back', async () => {
  const memory = new MemoryBudget(64 * MIB)
  const { results, grant } = await getInPieces({ store: reader, memory }, TABLE, gets, OWN_CALL)
  expect(results.counts).toHaveLength(20)
  const whole = await reader.rows.get(TABLE, gets, { bytes: Number.POSITIVE_INFINITY })
  const { buffer, start, end } = whole.cells
  const found = results.cells
  expect(found.buffer.subarray(found.start, found.end).equals(buffer.subarray(start, end))).toBe(true)
  expect(memory.granted).toBe(2 * found.byteLength)
  grant.release()
  expect(memory.granted).toBe(0)
})

describe('where others have the memory', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('they wait for it, hold none meanwhile, and are read anew', async () => {
    const memory = new MemoryBudget(64 * MIB)
    memory.note(40 * MIB)
    const got = getInPieces({ store: reader, memory }, TABLE, gets, OWN_CALL)
    await vi.advanceTimersByTimeAsync(1000)
    expect([memory.isWaitedFor, memory.granted]).toEqual([true, 40 * MIB])
    memory.give(40 * MIB)
    const { results, grant } = await got
    expect(results.counts).toHaveLength(20)
    grant.release()
    expect([memory.granted, memory.refused]).toEqual([0, 0])
  })

  test('they are refused once their waits, and those of their request, have lasted 30 s', async () => {
    const memory = new MemoryBudget(64 * MIB)
    memory.note(40 * MIB)
    const request = { bytes: 0, waits: { number: 0, ms: 10_000 } }
    const outcomes: unknown[] = []
    const got = getInPieces({ store: reader, memory }, TABLE, gets, { ...OWN_CALL, memory: request })
    got.catch((error: unknown) => outcomes.push(error))
    await vi.advanceTimersByTimeAsync(19_900)
    expect(outcomes).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(outcomes).toMatchObject([{ code: 'OVERLOADED' }])
    expect([memory.granted, memory.refused]).toEqual([40 * MIB, 1])
  })

  test('they end once their client has gone', async () => {
    const memory = new MemoryBudget(64 * MIB)
    memory.note(40 * MIB)
    const gone = new AbortController()
    const got = getInPieces({ store: reader, memory }, TABLE, gets, { ...OWN_CALL, signal: gone.signal })
    setTimeout(() => gone.abort(), 1000)
    await Promise.all([
      expect(got).rejects.toMatchObject({ code: 'CALLER_GONE' }),
      vi.advanceTimersByTimeAsync(1000),
    ])
    expect([memory.granted, memory.isWaitedFor]).toEqual([40 * MIB, false])
  })

  test('many that need more than half of it each are all answered, one after the other', async () => {
    const memory = new MemoryBudget(64 * MIB)
    const ask = async (): Promise<number> => {
      const { results, grant } = await getInPieces({ store: reader, memory }, TABLE, gets, OWN_CALL)
      await new Promise((resolve) => setTimeout(resolve, 100))
      grant.release()
      return results.counts.length
    }
    const answered: number[] = []
    for (let client = 0; client < 8; client++) void ask().then((count) => answered.push(count))
    // Results are copied in several turns of the event loop.
    for (let turn = 0; turn < 1000 && answered.length < 8; turn++) {
      await vi.advanceTimersByTimeAsync(10)
      await nextTurn()
    }
    expect(answered).toEqual(Array.from({ length: 8 }, () => 20))
    expect([memory.granted, memory.refused]).toEqual([0, 0])
  })
})

test('are refused for good where there is too little memory at all', async () => {
  const memory = new MemoryBudget(64 * MIB)
  const many = [...gets, ...gets]
  const asked = getInPieces({ store: reader, memory }, TABLE, many, OWN_CALL)
  await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE' })
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
