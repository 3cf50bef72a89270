import { beforeEach, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import type { MultiRequest } from '../../../../adapters/hbase/messages/multi-method.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { bytes, failure, resultTexts } from '../../../store/suite/store-under-test.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import { remote } from '../remote.ts'
import { start } from '../store-on-fake-cluster.ts'

const ROWS = ['h', 'a', 'none', 'z', 'b', 'i']
const VALUE_BYTES = 1_000

let fake: FakeCluster
let store: HBaseStore

beforeEach(async () => {
  ;({ fake, store } = start())
  const batch = new MutationBatch()
  for (const row of ROWS.filter((name) => name !== 'none')) {
    batch.put(bytes(row), bytes('f'), bytes('q'), Buffer.alloc(VALUE_BYTES, row), 5n).endMutation()
  }
  await fake.passing(store.rows.mutate(TABLE, batch, OWN_CALL))
  fake.calls.length = 0
})

/** The rows that were answered, `-` for one that is not there. */
async function answered(limit: number, rows: readonly string[] = ROWS): Promise<string> {
  const gets = rows.map((row) => get(bytes(row)))
  const results = await fake.passing(store.rows.get(TABLE, gets, { bytes: limit }, OWN_CALL))
  return resultTexts(results)
    .map((text) => text[0] ?? '-')
    .join('')
}

/** How many gets each call had since this was asked last. */
function sent(): number[] {
  const counts = fake.requests.map((request) =>
    (request as MultiRequest).regionActions.reduce((sum, { gets = [] }) => sum + gets.length, 0),
  )
  fake.requests.length = 0
  return counts
}

test('gets are answered from the first on until the bytes are reached, one at least', async () => {
  expect(await answered(1_000_000)).toBe('ha-zbi')
  expect(await answered(0)).toBe('h')
  expect(await answered(1)).toBe('h')
  expect(await answered(VALUE_BYTES + 500)).toBe('ha')
  expect(await answered(2 * VALUE_BYTES + 500)).toBe('ha-z')
  expect(await answered(Number.POSITIVE_INFINITY)).toBe('ha-zbi')
})

test('the more rows are likely to be too much, the fewer are asked for at a time', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => ROWS[i % ROWS.length]!)
  sent()
  expect(await answered(100_000_000, rows)).toHaveLength(300)
  expect(sent()).toHaveLength(2)
  // Two rows' worth of the size that rows are taken for before any was seen; then so many as fit.
  const some = await answered(128 * 1024, rows)
  expect(some.replaceAll('-', '').length).toBe(Math.ceil((128 * 1024) / (VALUE_BYTES + 30)))
  expect(sent().reduce((sum, count) => sum + count, 0)).toBeLessThan(300)
})

test('a server whose answer is full is asked for the rest at once, unless it is enough', async () => {
  for (const row of ['b', 'z']) fake.fullRows.add(row)
  fake.after = () => fake.fullRows.delete('b')
  const before = fake.time.now()
  expect(await answered(1, ['a', 'b', 'z'])).toBe('a')
  expect(fake.calls).toEqual(['Multi a'])
  fake.after = () => fake.fullRows.delete('z')
  expect(await answered(1_000_000, ['a', 'b', 'z'])).toBe('abz')
  expect(fake.calls).toEqual(['Multi a', 'Multi a', 'Multi a'])
  expect(fake.time.now()).toBe(before)
})

test('a get that fails behind the last that is answered fails nothing', async () => {
  fake.refusedRows.add('i')
  expect(await answered(1)).toBe('h')
  expect(await failure(answered(1_000_000))).toMatch(/^NO_SUCH_COLUMN_FAMILY/)
  fake.before = () => {
    throw remote('regionserver.NoSuchColumnFamilyException', 'x')
  }
  expect(await failure(answered(1))).toBe('NO_SUCH_COLUMN_FAMILY: x')
})
