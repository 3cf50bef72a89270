/** Changes of a few bytes that make many large cells: increments and appends of large values. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MutationBatch, type RowOperation } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const MEMSTORES = 400_000
/** A quarter of the memstores. */
const CHANGE_MAX = 100_000
const VALUE = 8_000
const KEY = 4 + 8 + 12 + 1 + 1 + 2
const [ROW, FAMILY] = [Buffer.from('r'), Buffer.from('f')]
const OPTIONS = { durability: 'USE_DEFAULT' } as const

let session: StoreUnderTest

beforeEach(async () => {
  session = await StoreUnderTest.open({ memstoreBytesMax: MEMSTORES, cellBytesMax: 20_000 })
  await session.createTable(tableOf('f'))
})

afterEach(() => session.store.close())

const column = (index: number): Buffer => Buffer.from(`q${index}`)

/** One append of a byte to each of the columns. */
function append(columns: readonly number[]): RowOperation {
  const batch = new MutationBatch()
  for (const each of columns) batch.put(ROW, FAMILY, column(each), Buffer.from('x'))
  return { kind: 'append', cells: batch.cells.block() }
}

async function lengths(): Promise<number> {
  const read = await session.store.rows.get(TABLE, [get(ROW)], { bytes: 1 << 24 }, OWN_CALL)
  return read.cells.byteLength
}

test('are made as a whole, or refused as a whole where they make more cells than one change may', async () => {
  const values = new MutationBatch()
  for (let i = 0; i < 4; i++) values.put(ROW, FAMILY, column(i), Buffer.alloc(VALUE))
  values.endMutation()
  expect(await session.store.rows.mutate(TABLE, values, OWN_CALL)).toEqual([])
  const operations = fc.array(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(operations, fc.boolean(), async (asked, returnResults) => {
      const before = await lengths()
      const change = { row: ROW, operations: asked.map(append), options: OPTIONS, returnResults }
      const cells = asked.flat().length
      const outcome = session.store.rows.mutateRow(TABLE, change, OWN_CALL)
      if (cells * (VALUE + KEY) > CHANGE_MAX) {
        await expect(outcome).rejects.toMatchObject({ code: 'TOO_LARGE' })
        expect(await lengths()).toBe(before)
      } else {
        const { applied, results } = await outcome
        expect([applied, results.counts]).toEqual([true, [returnResults ? cells : 0]])
        expect(await lengths()).toBeGreaterThan(before)
      }
    }),
    { numRuns: testRuns(60) },
  )
})

test('of two of the largest cells are made, however small the memory is', async () => {
  const small = await StoreUnderTest.open({ memstoreBytesMax: 10_000, cellBytesMax: 20_000 })
  await small.createTable(tableOf('f'))
  const batch = new MutationBatch()
  for (let i = 0; i < 2; i++) batch.put(ROW, FAMILY, column(i), Buffer.alloc(19_900))
  const operation = { kind: 'append', cells: batch.cells.block() } as const
  const outcome = await small.store.rows.mutateRow(
    TABLE,
    { row: ROW, operations: [operation], options: OPTIONS },
    OWN_CALL,
  )
  expect(outcome.applied).toBe(true)
  await small.store.close()
})
