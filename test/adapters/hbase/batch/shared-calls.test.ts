import { expect, test } from 'vitest'
import { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { blockOf } from '../../../../src/model/cell-block.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowMutation,
  valueCondition,
} from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Catalog } from '../../../../src/store/catalog.ts'
import type { MutationFailure } from '../../../../src/store/rows.ts'
import {
  bytes,
  failure,
  failureTexts,
  NO_GET_LIMITS,
  resultTexts,
} from '../../../store/suite/store-under-test.ts'
import { FakeCluster, TABLE } from '../fake-cluster.ts'
import { remote } from '../remote.ts'

/** Regions up to g, up to p and the rest, on the servers a, b, a, with a cell in each of these rows. */
async function start(...rows: string[]): Promise<{ fake: FakeCluster; store: HBaseStore }> {
  const fake = new FakeCluster()
  fake.layOut(
    ['g', 'p'],
    rows.map((row) => cell(row)),
  )
  const store = new HBaseStore(fake.cluster, {} as Catalog, {})
  // Regions are located and connections open before what is tested.
  for (const row of ['a', 'h', 'z'])
    await fake.passing(store.rows.get(TABLE, [get(bytes(row))], NO_GET_LIMITS, OWN_CALL))
  fake.calls.length = 0
  return { fake, store }
}

function cell(row: string, value = row): CellParts {
  return {
    row: bytes(row),
    family: bytes('f'),
    qualifier: bytes('q'),
    timestamp: 5n,
    type: CellType.Put,
    value: bytes(value),
  }
}

function read(store: HBaseStore, row: string): Promise<string[]> {
  return store.rows.get(TABLE, [get(bytes(row))], NO_GET_LIMITS, OWN_CALL).then(resultTexts)
}

function put(store: HBaseStore, row: string, value = row): Promise<readonly MutationFailure[]> {
  const batch = new MutationBatch()
  batch.put(bytes(row), bytes('f'), bytes('q'), bytes(value), 5n).endMutation()
  return store.rows.mutate(TABLE, batch, OWN_CALL)
}

function increment(row: string): RowMutation {
  const cells = blockOf([{ ...cell(row), value: Buffer.alloc(8) }])
  return {
    row: bytes(row),
    operations: [{ kind: 'increment', cells }],
    options: DEFAULT_MUTATION_OPTIONS,
  }
}

test('gets of one turn are a call for each server, and each has its own result', async () => {
  const { fake, store } = await start('a', 'b', 'h', 'z')
  const rows = ['z', 'nothing', 'b', 'h', 'a', 'z']
  const results = await fake.passing(Promise.all(rows.map((row) => read(store, row))))
  expect(results).toEqual(rows.map((row) => [row === 'nothing' ? '' : `${row}/f:q@5=${row}`]))
  expect(fake.calls.toSorted()).toEqual(['Multi a', 'Multi b'])
})

test('a request that is alone in its turn has its own call', async () => {
  const { fake, store } = await start('a', 'h')
  await fake.passing(Promise.all([read(store, 'a'), read(store, 'h')]))
  await fake.passing(read(store, 'a'))
  expect(fake.calls).toEqual(['Get a', 'Get b', 'Get a'])
})

test('a call has no more than eight', async () => {
  const { fake, store } = await start('a')
  const results = await fake.passing(Promise.all(Array.from({ length: 17 }, () => read(store, 'a'))))
  expect(new Set(results.flat())).toEqual(new Set(['a/f:q@5=a']))
  expect(fake.calls).toEqual(['Multi a', 'Multi a', 'Get a'])
})

test('a request that fails among others gets the failure of its own call', async () => {
  const { fake, store } = await start('a', 'b')
  fake.refusedRows.add('b')
  const all = Promise.all([
    read(store, 'a'),
    failure(read(store, 'b')),
    put(store, 'c'),
    put(store, 'b').then(failureTexts),
  ])
  expect(await fake.passing(all)).toEqual([
    ['a/f:q@5=a'],
    'NO_SUCH_COLUMN_FAMILY: ',
    [],
    ['0 NO_SUCH_COLUMN_FAMILY: '],
  ])
  expect(fake.calls.toSorted()).toEqual(['Get a', 'Multi a', 'Multi a', 'Mutate a'])
})

test('puts share a call with others of their region', async () => {
  const { fake, store } = await start()
  await fake.passing(Promise.all(['a', 'h', 'b', 'z', 'c'].map((row) => put(store, row))))
  expect(fake.calls.toSorted()).toEqual(['Multi a', 'Mutate a', 'Mutate b'])
  const rows = ['a', 'b', 'c', 'h', 'z']
  const results = await fake.passing(Promise.all(rows.map((row) => read(store, row))))
  expect(results).toEqual(rows.map((row) => [`${row}/f:q@5=${row}`]))
})

test('a large request has its own call', async () => {
  const { fake, store } = await start()
  const large = 'x'.repeat(40_000)
  await fake.passing(Promise.all([put(store, 'a', large), put(store, 'b', large), put(store, 'c')]))
  expect(fake.calls.toSorted()).toEqual(['Multi a', 'Mutate a'])
})

test('increments and conditional changes share no call', async () => {
  const { fake, store } = await start()
  const condition = valueCondition(bytes('f'), bytes('q'), 'EQUAL', undefined)
  const conditional: RowMutation = {
    row: bytes('a'),
    operations: [{ kind: 'mutate', cells: blockOf([cell('a')]) }],
    options: DEFAULT_MUTATION_OPTIONS,
    condition,
  }
  const changes = [increment('a'), increment('b'), conditional, conditional]
  await fake.passing(Promise.all(changes.map((change) => store.rows.mutateRow(TABLE, change, OWN_CALL))))
  expect(fake.calls).toEqual(['Mutate a', 'Mutate a', 'Mutate a', 'Mutate a'])
})

test('after a failure that has met all of a call each is tried again alone', async () => {
  const { fake, store } = await start('a', 'b')
  fake.before = (method) => {
    if (method === 'Multi') throw new RpcError('CALL_TIMEOUT', 'no answer')
  }
  expect(await fake.passing(Promise.all([read(store, 'a'), read(store, 'b')]))).toEqual([
    ['a/f:q@5=a'],
    ['b/f:q@5=b'],
  ])
  expect(fake.calls).toEqual(['Multi a', 'Get a', 'Get a'])
})

test('a final failure of a whole call does not fail the other requests', async () => {
  const { fake, store } = await start('a', 'b')
  fake.before = (method) => {
    if (method === 'Multi') throw new RpcError('REQUEST_TOO_LARGE', 'too large together')
  }
  expect(await fake.passing(Promise.all([read(store, 'a'), read(store, 'b')]))).toEqual([
    ['a/f:q@5=a'],
    ['b/f:q@5=b'],
  ])
  expect(fake.calls).toEqual(['Multi a', 'Get a', 'Get a'])
})

test('a region that is gone is located by each request', async () => {
  const { fake, store } = await start('a', 'b')
  fake.move(0)
  const results = await fake.passing(
    Promise.all([read(store, 'a'), read(store, 'b'), put(store, 'c'), put(store, 'd')]),
  )
  expect(results.slice(0, 2)).toEqual([['a/f:q@5=a'], ['b/f:q@5=b']])
  expect(await fake.passing(read(store, 'd'))).toEqual(['d/f:q@5=d'])
})

test('an answer that came too late for a server that is full is asked for again', async () => {
  const { fake, store } = await start('a', 'b')
  let refusals = 3
  fake.before = () => {
    if (refusals-- > 0) throw remote('CallQueueTooBigException')
  }
  expect(await fake.passing(Promise.all([read(store, 'a'), read(store, 'b')]))).toEqual([
    ['a/f:q@5=a'],
    ['b/f:q@5=b'],
  ])
})
