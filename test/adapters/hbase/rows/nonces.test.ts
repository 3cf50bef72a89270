import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import type { MultiRequest } from '../../../../adapters/hbase/messages/multi-method.ts'
import type { MutateRequest } from '../../../../adapters/hbase/messages/mutate-method.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type RowMutation } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { append, increment, put } from '../../../store/suite/row-operations.ts'
import { bytes } from '../../../store/suite/store-under-test.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import { start } from '../store-on-fake-cluster.ts'

let fake: FakeCluster
let store: HBaseStore

beforeEach(() => {
  ;({ fake, store } = start())
})

async function change(mutation: Partial<RowMutation>): Promise<void> {
  const whole = { row: bytes('a'), operations: [], options: DEFAULT_MUTATION_OPTIONS, ...mutation }
  await fake.passing(store.rows.mutateRow(TABLE, whole, OWN_CALL))
}

describe('a nonce', () => {
  const nonce = { group: 7n, nonce: 9n }

  test('of the client goes to the server as it is', async () => {
    await change({ operations: [increment('a', 'f:n', 1n)], nonce })
    await change({ operations: [append('a', 'f:q', 'x'), increment('a', 'f:n', 1n)], nonce })
    const [single, several] = fake.requests as [MutateRequest, MultiRequest]
    expect([single.nonceGroup, single.mutation.nonce]).toEqual([7n, 9n])
    expect(several.nonceGroup).toBe(7n)
    expect(several.regionActions[0]!.mutations!.map((mutation) => mutation.nonce)).toEqual([9n, 9n])
  })

  test('of the store takes its place where the client gives none', async () => {
    await change({ operations: [increment('a', 'f:n', 1n)] })
    await change({ operations: [increment('a', 'f:n', 1n)], nonce: { group: 7n, nonce: 0n } })
    const [first, second] = fake.requests as [MutateRequest, MutateRequest]
    expect(second.nonceGroup).toBe(first.nonceGroup)
    expect(second.nonceGroup).not.toBe(7n)
    expect(second.mutation.nonce).not.toBe(first.mutation.nonce)
    expect(first.mutation.nonce).not.toBe(0n)
  })

  test('is none of a put: servers do not look at it', async () => {
    await change({ operations: [put('a', 'f:q', 'v')], nonce })
    expect((fake.requests as MutateRequest[])[0]!.mutation.nonce).toBe(0n)
  })
})

test('what the client says beside a mutation goes along, of batches too', async () => {
  const attributes = new Map([['user', bytes('x')]])
  const options = { ...DEFAULT_MUTATION_OPTIONS, attributes }
  await change({ operations: [increment('a', 'f:n', 1n)], options, returnResults: false })
  const batch = new MutationBatch()
  for (const row of ['a', 'b']) batch.put(bytes(row), bytes('f'), bytes('q'), bytes('v')).endMutation(options)
  await fake.passing(store.rows.mutate(TABLE, batch, OWN_CALL))
  const [single, several] = fake.requests as [MutateRequest, MultiRequest]
  expect(single.mutation).toMatchObject({ attributes, returnResults: false })
  expect(several.regionActions[0]!.mutations).toMatchObject([{ attributes }, { attributes }])
})

test('operations of one change go with what the client says of each', async () => {
  const options = { durability: 'SKIP_WAL', ttlMs: 5, attributes: new Map([['user', bytes('x')]]) } as const
  const silent = { returnResults: false }
  await change({
    operations: [
      put('a', 'f:q', 'v'),
      { ...put('a', 'f:r', 'v'), options },
      { ...increment('a', 'f:n', 1n), ...silent },
      increment('a', 'f:m', 1n),
    ],
  })
  const mutations = (fake.requests as MultiRequest[])[0]!.regionActions[0]!.mutations!
  expect(mutations.map(({ durability, ttlMs }) => [durability, ttlMs])).toEqual([
    ['USE_DEFAULT', undefined],
    ['SKIP_WAL', 5],
    ['USE_DEFAULT', undefined],
    ['USE_DEFAULT', undefined],
  ])
  expect(mutations.map(({ attributes }) => attributes)).toEqual([
    undefined,
    options.attributes,
    undefined,
    undefined,
  ])
  expect(mutations.map(({ returnResults }) => returnResults)).toEqual([
    undefined,
    undefined,
    false,
    undefined,
  ])
})
