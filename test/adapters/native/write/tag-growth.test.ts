/** Tags are stated once a mutation, and each of its cells has them: a few hundred kilobytes could make gigabytes. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sliceEnd } from '../../../../adapters/native/write/batch-slices.ts'
import { tagGrowth } from '../../../../adapters/native/write/tag-growth.ts'
import { TagType, tag } from '../../../../src/model/cell-tags.ts'
import { MutationBatch, type MutationOptions } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const MEMSTORES = 400_000
/** A quarter of the memstores. */
const CHANGE_MAX = 100_000
const TAG_BYTES = 5000
const LIFE_BYTES = 11
const FAMILY = Buffer.from('f')
const REST = { durability: 'USE_DEFAULT' } as const

let session: StoreUnderTest

beforeEach(async () => {
  session = await StoreUnderTest.open({ memstoreBytesMax: MEMSTORES, cellBytesMax: 20_000 })
  await session.createTable(tableOf('f'))
})

afterEach(() => session.store.close())

function tagged(bytes: number): MutationOptions {
  return { ...REST, tags: tag(TagType.Acl, Buffer.alloc(bytes - 3, 7)) }
}

function addPut(batch: MutationBatch, row: string, cells: number, options: MutationOptions): MutationBatch {
  for (let i = 0; i < cells; i++) batch.put(Buffer.from(row), FAMILY, Buffer.from(`q${i}`), Buffer.from('v'))
  batch.endMutation(options)
  return batch
}

async function cellsOfRow(row: string): Promise<number> {
  const asked = [get(Buffer.from(row))]
  const { counts } = await session.store.rows.get(TABLE, asked, { bytes: 1 << 24 }, OWN_CALL)
  return counts[0]!
}

test('a mutation is refused as a whole where its tags are more than one change may have, and the others are made', async () => {
  const anyOptions = fc.constantFrom<MutationOptions>(REST, { ...REST, ttlMs: 1e9 }, tagged(TAG_BYTES), {
    ...tagged(TAG_BYTES),
    ttlMs: 1e9,
  })
  const mutations = fc.array(fc.tuple(fc.nat({ max: 40 }), anyOptions), { minLength: 1, maxLength: 6 })
  let run = 0
  await fc.assert(
    fc.asyncProperty(mutations, async (asked) => {
      run++
      const batch = new MutationBatch()
      for (const [index, [cells, options]] of asked.entries())
        addPut(batch, `${run}-${index}`, cells, options)
      const failures = await session.store.rows.mutate(TABLE, batch, OWN_CALL)
      const isRefused = ([cells, { tags, ttlMs }]: (typeof asked)[number]): boolean =>
        cells * ((tags?.length ?? 0) + (ttlMs === undefined ? 0 : LIFE_BYTES)) > CHANGE_MAX
      const expected = asked.flatMap((each, index) => (isRefused(each) ? [[index, 'TOO_LARGE']] : []))
      expect(failures.map(({ index, error }) => [index, error.code])).toEqual(expected)
      for (const [index, each] of asked.entries())
        expect(await cellsOfRow(`${run}-${index}`)).toBe(isRefused(each) ? 0 : each[0])
    }),
    { numRuns: testRuns(30) },
  )
})

test('all operations of an atomic change count together', async () => {
  const cells = addPut(new MutationBatch(), 'r', 15, REST).cells.block()
  const operation = { kind: 'mutate', cells } as const
  const change = { row: Buffer.from('r'), operations: [operation], options: tagged(TAG_BYTES) }
  await session.store.rows.mutateRow(TABLE, change, OWN_CALL)
  const twice = { ...change, operations: [operation, operation] }
  await expect(session.store.rows.mutateRow(TABLE, twice, OWN_CALL)).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringContaining('the tags of one change'),
  })
})

test('more tags than a batch may be are refused before any is made', async () => {
  const batch = addPut(new MutationBatch(), 'r', 20_000, tagged(60_000))
  await expect(tagGrowth(batch)).rejects.toThrow(/take more than 268435456 bytes/)
  expect(tagGrowth(addPut(new MutationBatch(), 'r', 20_000, REST))).toBeUndefined()
})

test('a slice of a batch is small with its tags, too', async () => {
  const batch = new MutationBatch()
  for (let i = 0; i < 100; i++) addPut(batch, `r${i}`, 10, tagged(60_000))
  const growth = await tagGrowth(batch)
  expect(growth?.reduce((sum, each) => sum + each)).toBe(100 * 10 * 60_002)
  expect(sliceEnd(batch, 0)).toBe(100)
  for (let start = 0; start < batch.length; start = sliceEnd(batch, start, growth))
    expect(sliceEnd(batch, start, growth) - start).toBe(1)
})
