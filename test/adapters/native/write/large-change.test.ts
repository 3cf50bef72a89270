import { afterEach, expect, it, vi } from 'vitest'
import { LargeChange, NotYet } from '../../../../adapters/native/write/large-change.ts'
import { appendOperation } from '../../../../src/doors/thrift/service/row-changes.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { requestMemory } from '../../../../src/gateway/limits/store-memory.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { LoopTurns } from '../../../../src/model/loop-turns.ts'
import { DEFAULT_MUTATION_OPTIONS } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { HeldMemory } from '../../../../src/store/request-memory.ts'
import type { RowMutationOutcome } from '../../../../src/store/rows.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const MIB = 1024 * 1024
const PART = 256 * 1024
afterEach(() => {
  vi.useRealTimers()
})

const watch = { check: (): void => undefined }

function changeOf(budget: MemoryBudget, request?: HeldMemory): LargeChange {
  const turns = new LoopTurns(() => performance.now())
  return new LargeChange({ memory: requestMemory(budget), turns }, request)
}

function append(store: StoreUnderTest['store'], row: string, value: Buffer): Promise<RowMutationOutcome> {
  const column = { family: Buffer.from('f'), qualifier: Buffer.from('q'), value }
  const operations = [appendOperation(Buffer.from(row), [column])]
  const mutation = { row: Buffer.from(row), operations, options: DEFAULT_MUTATION_OPTIONS }
  return store.rows.mutateRow(TABLE, mutation, OWN_CALL)
}

it('takes memory before it makes new values, and waits for what others give back', async () => {
  const budget = new MemoryBudget(10 * MIB)
  budget.take(7 * MIB, 'another')
  const large = changeOf(budget)
  changeOf(budget).read(1000)
  expect(budget.granted).toBe(7 * MIB)
  expect(() => large.read(MIB)).toThrow(NotYet)
  const ready = large.ready(watch)
  budget.give(2 * MIB)
  await ready
  large.read(MIB)
  expect(budget.granted).toBe(9 * MIB)
  large.end()
  // The client's answer is counted a turn later.
  expect(budget.granted).toBe(6 * MIB)
  await new Promise((resolve) => setImmediate(resolve))
  expect(budget.granted).toBe(5 * MIB)
})

it('counts once what a change reads again, and its conditions beside it', () => {
  const budget = new MemoryBudget(10 * MIB)
  const large = changeOf(budget)
  large.readCondition(MIB)
  for (let attempt = 0; attempt < 3; attempt++) {
    large.readAgain()
    large.read(MIB)
    expect(budget.granted).toBe(5 * MIB)
  }
})

it('counts many small values together', () => {
  const budget = new MemoryBudget(10 * MIB)
  const large = changeOf(budget)
  for (let value = 0; value < 1024; value++) large.read(1024)
  expect(budget.granted).toBe(4 * MIB)
})

it('is refused for good where all memory is too little', () => {
  const large = changeOf(new MemoryBudget(10 * MIB))
  expect(() => large.read(3 * MIB)).toThrow(/takes 12582912 bytes of memory/)
})

it('is refused for good where the memory that its own request holds leaves too little', () => {
  const budget = new MemoryBudget(10 * MIB)
  budget.take(3 * MIB, 'the request')
  const large = changeOf(budget, { bytes: 3 * MIB, waits: undefined })
  large.read(MIB)
  expect(() => large.read(MIB)).toThrow(
    expect.objectContaining({
      code: 'TOO_LARGE',
      message: expect.stringMatching(/8388608 bytes .* and 3145728 for its request, .* --memory-max/),
    }),
  )
})

it('waits no longer than is left to its request, which has waited before', async () => {
  vi.useFakeTimers()
  const budget = new MemoryBudget(10 * MIB)
  budget.take(9 * MIB, 'another')
  const request = { bytes: 0, waits: { number: 0, ms: 29_000 } }
  const large = changeOf(budget, request)
  expect(() => large.read(MIB)).toThrow(NotYet)
  const ready = expect(large.ready(watch)).rejects.toMatchObject({ code: 'OVERLOADED' })
  await vi.advanceTimersByTimeAsync(999)
  expect(budget.isWaitedFor).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  await ready
  expect(request.waits.ms).toBe(30_000)
})

it('leaves the line when its client has gone', async () => {
  const budget = new MemoryBudget(10 * MIB)
  budget.take(10 * MIB, 'another')
  const large = changeOf(budget)
  expect(() => large.read(MIB)).toThrow(NotYet)
  const gone = new AbortController()
  const ready = large.ready({ ...watch, gone: gone.signal })
  gone.abort()
  await expect(ready).rejects.toMatchObject({ code: 'CALLER_GONE' })
  expect(budget.isWaitedFor).toBe(false)
})

it('makes appends of many clients one after the other, each once, within the memory of requests', async () => {
  const budget = new MemoryBudget(9 * PART)
  let most = 0
  const memory = requestMemory(budget)
  const noted = {
    ...memory,
    tryTake: (bytes: number, held: number): boolean => {
      const isTaken = memory.tryTake(bytes, held)
      most = Math.max(most, budget.granted)
      return isTaken
    },
  }
  const session = await StoreUnderTest.open({ memory: noted })
  await session.createTable(tableOf('f'))
  const rows = Array.from({ length: 8 }, (_, index) => `row${index}`)
  for (const row of rows) await append(session.store, row, Buffer.alloc(PART, row))
  const appends = rows.flatMap((row) =>
    ['a', 'b'].map((suffix) => append(session.store, row, Buffer.from(suffix))),
  )
  const outcomes = await Promise.all(appends)
  const lengths = outcomes.map(({ results }) => cellsOf(results.cells)[0]!.value.length - PART)
  for (let index = 0; index < lengths.length; index += 2)
    expect(lengths.slice(index, index + 2).sort((a, b) => a - b)).toEqual([1, 2])
  expect(most).toBeGreaterThan(4 * PART)
  expect(most).toBeLessThan(9 * PART)
  await new Promise((resolve) => setImmediate(resolve))
  expect(budget.granted).toBe(0)
  await session.store.close()
})
