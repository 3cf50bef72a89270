import { describe, expect, test } from 'vitest'
import type { MultiRequest } from '../../../adapters/hbase/messages/multi-method.ts'
import type { MutateRequest } from '../../../adapters/hbase/messages/mutate-method.ts'
import { RpcError } from '../../../adapters/hbase/rpc/rpc-error.ts'
import { filterToEncode } from '../../../src/filter/protobuf/encoded-filters.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import type { Filter } from '../../../src/model/filter.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  type FilterCondition,
  MutationBatch,
  type RowOperation,
  valueCondition,
} from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { bytes, failure, failureTexts, NO_GET_LIMITS } from '../../store/suite/store-under-test.ts'
import { TABLE } from './fake-cluster.ts'
import { remote } from './remote.ts'
import { puts, start } from './store-on-fake-cluster.ts'

describe('mutations', () => {
  test('of one row keep their order, whichever servers the others go to', async () => {
    const { fake, store } = start()
    const batch = new MutationBatch()
    for (const [row, value] of ['a1', 'h1', 'a2', 'z1', 'a3'].map((text) => [text[0]!, text[1]!] as const)) {
      batch.put(bytes(row), bytes('f'), bytes(`q${value}`), bytes(value), 5n).endMutation()
    }
    expect(await fake.passing(store.rows.mutate(TABLE, batch, OWN_CALL))).toEqual([])
    expect(fake.calls.toSorted()).toEqual(['Multi a', 'Multi b'])
    const written = fake.regions[0]!.cells.map(({ value }) => value.toString())
    expect(written).toEqual(['1', '2', '3'])
  })

  test('puts and deletes of one mutation happen together', async () => {
    const { fake, store } = start()
    const batch = puts('a')
    batch.deleteColumn(bytes('a'), bytes('f'), bytes('q'), 5n)
    batch
      .put(bytes('a'), bytes('f'), bytes('q'), bytes('new'), 6n)
      .endMutation({ durability: 'SKIP_WAL', ttlMs: 9 })
    batch.put(bytes('a'), bytes('f'), bytes('q'), bytes('last'), 7n).endMutation()
    expect(await fake.passing(store.rows.mutate(TABLE, batch, OWN_CALL))).toEqual([])
    const [{ regionActions }] = fake.requests as [MultiRequest]
    expect(
      regionActions.map(({ atomic, mutations }) => [atomic, mutations!.map(({ type }) => type)]),
    ).toEqual([
      [false, [2]],
      [true, [3, 2]],
      [false, [2]],
    ])
    expect(regionActions[1]!.mutations).toMatchObject([
      { durability: 'SKIP_WAL', ttlMs: 9 },
      { durability: 'SKIP_WAL', ttlMs: 9 },
    ])
  })

  test('a large batch is cut into calls, which keep its order', async () => {
    const { fake, store } = start()
    const rows = Array.from({ length: 4_500 }, (_, i) => `a${String(i).padStart(4, '0')}`)
    expect(await fake.passing(store.rows.mutate(TABLE, puts(...rows), OWN_CALL))).toEqual([])
    expect(fake.calls).toEqual(['Multi a', 'Multi a', 'Multi a'])
    expect(fake.regions[0]!.cells.map(({ row }) => row.toString())).toEqual(rows)
  })

  test('a refused mutation does not stop the others', async () => {
    const { fake, store } = start()
    const batch = puts('a')
    batch.put(bytes('b'), bytes('f'), bytes('q'), bytes('v'), -1n).endMutation()
    batch.deleteColumn(bytes('h'), bytes(''), bytes('q')).endMutation()
    batch.put(bytes('z'), bytes('f'), bytes('q'), bytes('v'), 5n).endMutation()
    const texts = failureTexts(await fake.passing(store.rows.mutate(TABLE, batch, OWN_CALL)))
    expect(texts[0]).toBe('1 ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-1')
    expect(texts[1]).toMatch(
      /^2 NO_SUCH_COLUMN_FAMILY: Column family {2}does not exist in region t,g,\d+\.\w+\. in table 't', /,
    )
    expect(texts).toHaveLength(2)
    expect(fake.regions.map(({ cells }) => cells.length)).toEqual([1, 0, 1])
  })

  test('a busy region is retried, and all mutations fail when there is no time left', async () => {
    const { fake, store } = start({ retriesMax: 3 })
    let busy = 2
    fake.before = () => {
      if (busy-- > 0) throw remote('RegionTooBusyException', 'Over memstore limit')
    }
    expect(await fake.passing(store.rows.mutate(TABLE, puts('a', 'b'), OWN_CALL))).toEqual([])
    expect(fake.calls).toEqual(['Multi a', 'Multi a', 'Multi a'])
    for (const batch of [puts('a'), puts('a', 'b')]) {
      busy = 100
      expect(await failure(fake.passing(store.rows.mutate(TABLE, batch, OWN_CALL)))).toBe(
        'REGION_TOO_BUSY: mutation of t failed after attempts=4: Over memstore limit',
      )
    }
  })

  test('where some were applied, the failures of the others are reported one by one', async () => {
    const { fake, store } = start({ retriesMax: 1 })
    fake.before = (_, request) => {
      const { regionActions } = request as MultiRequest
      if (regionActions[0]!.mutations![0]!.row.toString() === 'h') throw new RpcError('CALL_TIMEOUT', 'late')
    }
    expect(failureTexts(await fake.passing(store.rows.mutate(TABLE, puts('a', 'h', 'z'), OWN_CALL)))).toEqual(
      ['1 TIMEOUT: mutation of t failed after attempts=2: late'],
    )
  })

  test('none is nothing', async () => {
    const { fake, store } = start()
    expect(await fake.passing(store.rows.mutate(TABLE, new MutationBatch(), OWN_CALL))).toEqual([])
    fake.meta.states.delete('t')
    expect(await failure(fake.passing(store.rows.mutate(TABLE, new MutationBatch(), OWN_CALL)))).toBe(
      'TABLE_NOT_FOUND: t',
    )
    expect(await failure(fake.passing(store.rows.get(TABLE, [], NO_GET_LIMITS, OWN_CALL)))).toBe(
      'TABLE_NOT_FOUND: t',
    )
    expect(fake.calls).toEqual([])
  })
})

describe('changes of a row', () => {
  const amount = blockOf([
    {
      row: bytes('a'),
      family: bytes('f'),
      qualifier: bytes('n'),
      timestamp: 5n,
      type: CellType.Put,
      value: Buffer.alloc(8, 1),
    },
  ])
  const row = bytes('a')
  const options = DEFAULT_MUTATION_OPTIONS

  test('a counter that is tried again has the same nonce, another one another', async () => {
    const { fake, store } = start()
    let lost = 2
    fake.after = () => {
      if (lost-- > 0) throw new RpcError('CONNECTION_CLOSED', 'reset', { sent: true })
    }
    const operations: RowOperation[] = [{ kind: 'increment', cells: amount }]
    await fake.passing(store.rows.mutateRow(TABLE, { row, operations, options }, OWN_CALL))
    await fake.passing(store.rows.mutateRow(TABLE, { row, operations, options }, OWN_CALL))
    const nonces = (fake.requests as MutateRequest[]).map(({ mutation, nonceGroup }) => [
      nonceGroup,
      mutation.nonce,
    ])
    expect(nonces[0]).toEqual(nonces[1])
    expect(nonces[1]).toEqual(nonces[2])
    expect(nonces[3]![0]).toBe(nonces[0]![0])
    expect(nonces[3]![1]).not.toBe(nonces[0]![1])
    expect(nonces.flat()).not.toContain(0n)
  })

  test('several steps are one atomic call, under their condition', async () => {
    const { fake, store } = start()
    const condition = valueCondition(bytes('f'), bytes('q'), 'EQUAL', undefined)
    const operations: RowOperation[] = [
      { kind: 'mutate', cells: amount },
      { kind: 'append', cells: amount },
      { kind: 'increment', cells: amount },
    ]
    await fake.passing(store.rows.mutateRow(TABLE, { row, operations, condition, options }, OWN_CALL))
    const [{ regionActions }] = fake.requests as [MultiRequest]
    expect(regionActions).toMatchObject([
      { atomic: true, condition, mutations: [{ type: 2, nonce: 0n }, { type: 0 }, { type: 1 }] },
    ])
    const [, append, increment] = regionActions[0]!.mutations!
    expect(append!.nonce).not.toBe(increment!.nonce)
  })

  test('a large filter of a condition is encoded in turns, before it is sent', async () => {
    const filters = Array.from({ length: 2000 }, (_, i): Filter => {
      return { kind: 'PrefixFilter', prefix: bytes(`prefix${i}`) }
    })
    const conditions = [1, 2].map((): FilterCondition => {
      return { kind: 'filter', filter: { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters } }
    })
    const [one, ofMany] = conditions
    const operations: RowOperation[] = [{ kind: 'mutate', cells: amount }]
    const { fake, store } = start()
    await fake.passing(store.rows.mutateRow(TABLE, { row, operations, condition: one, options }, OWN_CALL))
    const part = { row, operations, condition: ofMany, options }
    await fake.passing(store.rows.mutateRows(TABLE, { parts: [part] }, OWN_CALL)).catch(() => undefined)
    for (const { filter } of conditions) expect(filterToEncode(filter)).toBeUndefined()
  })

  test('of nothing changes nothing, and is checked all the same', async () => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a'), OWN_CALL))
    fake.calls.length = 0
    const outcome = await fake.passing(
      store.rows.mutateRow(TABLE, { row, operations: [], options }, OWN_CALL),
    )
    expect(outcome).toMatchObject({ applied: true, results: { counts: [0] } })
    expect(fake.calls).toEqual(['Multi a'])
    for (const [value, applied] of [
      ['a', true],
      ['b', false],
    ] as const) {
      const checked = {
        row,
        operations: [],
        condition: valueCondition(bytes('f'), bytes('q'), 'EQUAL', bytes(value)),
        options,
      }
      expect(await fake.passing(store.rows.mutateRow(TABLE, checked, OWN_CALL))).toMatchObject({ applied })
    }
  })

  test('with a negative timestamp is refused before any request', async () => {
    const { fake, store } = start()
    const cell = {
      row,
      family: bytes('nope'),
      qualifier: bytes('q'),
      timestamp: 5n,
      type: CellType.Put,
      value: bytes('v'),
    }
    const cells = blockOf([cell, { ...cell, timestamp: -7n }])
    for (const kind of ['mutate', 'increment', 'append'] as const) {
      const change = store.rows.mutateRow(TABLE, { row, operations: [{ kind, cells }], options }, OWN_CALL)
      expect(await failure(change)).toBe('ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-7')
    }
    expect(fake.calls).toEqual([])
  })
})
