import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { get } from '../../../../src/model/query.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import { bytes, failure, NO_GET_LIMITS, resultTexts } from '../../../store/suite/store-under-test.ts'
import { caller } from '../caller.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import { remote } from '../remote.ts'
import { settled } from '../retry/manual-time.ts'
import { puts, start, textOf } from '../store-on-fake-cluster.ts'

let fake: FakeCluster
let store: HBaseStore

beforeEach(async () => {
  ;({ fake, store } = start())
  // Regions are located and connections open before what is tested.
  await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'h'), OWN_CALL))
  fake.calls.length = 0
  fake.options.length = 0
})

async function read(row: string, call: Call): Promise<string> {
  const results = await store.rows.get(TABLE, [get(bytes(row))], NO_GET_LIMITS, call)
  return resultTexts(results)[0]!
}

/** With the calls of all under way. */
async function underWay(): Promise<void> {
  for (let i = 0; i < 3; i++) await settled()
}

describe('a caller who hangs up', () => {
  test('ends a call that is under way, and the server is blamed for nothing', async () => {
    const { call, hangUp } = caller()
    const requests: (() => Promise<unknown>)[] = [
      () => read('a', call),
      () => store.rows.get(TABLE, [get(bytes('a')), get(bytes('h'))], NO_GET_LIMITS, call),
      () => store.rows.mutate(TABLE, puts('a'), call),
      () => store.rows.mutate(TABLE, puts('a', 'b', 'h'), call),
    ]
    const open = fake.hold()
    const outcomes = requests.map((request) => failure(request()))
    await underWay()
    hangUp()
    for (const outcome of outcomes) expect(await outcome).toMatch(/^CALLER_GONE/)
    open()
    expect(fake.calls).toEqual([])
    expect(fake.cluster.locator.cached(TABLE, bytes('a'))).toBeDefined()
    expect(fake.cluster.calls.failures.final).toBe(0)
  })

  test('ends the pause before another attempt', async () => {
    const { call, hangUp } = caller()
    fake.before = () => {
      throw remote('RegionTooBusyException')
    }
    const batch = failure(store.rows.get(TABLE, [get(bytes('a')), get(bytes('h'))], NO_GET_LIMITS, call))
    await underWay()
    expect(fake.time.timers).toBe(1)
    hangUp()
    expect(await batch).toMatch(/^CALLER_GONE/)
    expect(fake.time.timers).toBe(0)
  })
})

describe('callers who share a call', () => {
  test('do not end it for each other', async () => {
    const [stays, goes] = [caller(), caller()]
    const open = fake.hold()
    const [first, second] = [read('a', stays.call), failure(read('b', goes.call))]
    await underWay()
    goes.hangUp()
    open()
    expect(await fake.passing(first)).toBe(textOf('a'))
    await second
    expect(fake.calls).toEqual(['Multi a'])
  })

  test('end it when all of them are gone', async () => {
    const callers = [caller(), caller()]
    const open = fake.hold()
    const outcomes = callers.map(({ call }) => failure(read('a', call)))
    await underWay()
    for (const { hangUp } of callers) hangUp()
    for (const outcome of outcomes) expect(await outcome).toMatch(/^CALLER_GONE/)
    open()
    expect(fake.calls).toEqual([])
  })

  test('share none with one who has gone before it was sent', async () => {
    const [stays, goes] = [caller(), caller()]
    const [first, second] = [read('a', stays.call), failure(read('b', goes.call))]
    goes.hangUp()
    expect(await fake.passing(first)).toBe(textOf('a'))
    expect(await second).toMatch(/^CALLER_GONE/)
    expect(fake.calls).toEqual(['Get a'])
  })

  test('share none with one who has much less time, nor with one of another priority', async () => {
    const hurried = { ...OWN_CALL, deadline: fake.time.epochMs() + 2_000 }
    const urgent = { ...OWN_CALL, priority: 100 }
    const all = Promise.all([read('a', OWN_CALL), read('a', hurried), read('b', OWN_CALL), read('b', urgent)])
    await fake.passing(all)
    expect(fake.calls.toSorted()).toEqual(['Get a', 'Get a', 'Multi a'])
    expect(fake.options.map(({ timeoutMs, priority }) => [timeoutMs, priority])).toEqual(
      expect.arrayContaining([
        [2_000, undefined],
        [20_000, 100],
        [20_000, undefined],
      ]),
    )
  })
})

test('a deadline ends the waiting for a server that is silent, and what is known of it stays', async () => {
  const { call } = caller({ deadline: fake.time.epochMs() + 1_000 })
  fake.before = () => {
    if (fake.time.now() > 0) throw new RpcError('CALL_TIMEOUT', 'late')
  }
  const outcome = failure(read('a', call))
  await fake.time.advance(1_000)
  expect(await outcome).toMatch(/^TIMEOUT: get of t has no time left after attempts=\d: late$/)
  expect(await store.outage()).toBeUndefined()
})
