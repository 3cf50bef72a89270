/** The expected answers are those of a real HBase 2.6.1 with hbase.quota.enabled, by its native RPC, unless a comment says otherwise. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { timeText } from '../../../../src/gateway/policies/quotas/quota-limiter.ts'
import type { ThrottleType } from '../../../../src/model/quota.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { IN_NS, LimitedStore, outcome, T } from './limited-store.ts'

let limited: LimitedStore

beforeEach(async () => {
  limited = await LimitedStore.open()
})

afterEach(() => limited.close())

const REQUESTS = 'number of requests exceeded - wait 1min, 0ms'
const UNITS = 'capacity unit exceeded - wait'

function ofReads(words: string): string[] {
  return [words, 'ok', 'ok', words]
}

describe('one a minute, in a get, a get, a put, a put and a scan', () => {
  // A real HBase counts blocks of store files that it reads; the sizes of results are what it counts in a memstore.
  test.each<[ThrottleType, ...string[]]>([
    ['REQUEST_NUMBER', 'ok', REQUESTS, REQUESTS, REQUESTS, REQUESTS],
    ['REQUEST_SIZE', 'ok', ...Array<string>(4).fill('request size limit exceeded - wait 24mins, 0ms')],
    ['WRITE_NUMBER', 'ok', 'ok', 'ok', 'number of write requests exceeded - wait 1min, 0ms', 'ok'],
    ['WRITE_SIZE', 'ok', 'ok', 'ok', 'write size limit exceeded - wait 24mins, 0ms', 'ok'],
    ['READ_NUMBER', 'ok', ...ofReads('number of read requests exceeded - wait 1min, 0ms')],
    ['READ_SIZE', 'ok', ...ofReads('read size limit exceeded - wait 24mins, 0ms')],
    [
      'REQUEST_CAPACITY_UNIT',
      `request ${UNITS} 1hr, 3mins, 0ms`,
      `request ${UNITS} 1hr, 3mins, 0ms`,
      'ok',
      `request ${UNITS} 1min, 0ms`,
      `request ${UNITS} 1hr, 4mins, 0ms`,
    ],
    ['WRITE_CAPACITY_UNIT', 'ok', 'ok', 'ok', `write ${UNITS} 1min, 0ms`, 'ok'],
    ['READ_CAPACITY_UNIT', `read ${UNITS} 1hr, 3mins, 0ms`, ...ofReads(`read ${UNITS} 1hr, 3mins, 0ms`)],
  ])('%s', async (type, ...expected) => {
    await limited.put()
    await limited.throttle({ table: T }, type, 1)
    const asked = [
      () => limited.get(),
      () => limited.get(),
      () => limited.put(),
      () => limited.put(),
      () => limited.scan(),
    ]
    for (const [index, ask] of asked.entries()) expect(await outcome(ask())).toBe(expected[index])
  })
})

test('bytes that were taken by an estimate and not used come back', async () => {
  await limited.throttle({ table: T }, 'REQUEST_SIZE', 1000)
  await limited.put()
  expect(await outcome(limited.get())).toBe('request size limit exceeded - wait 1sec, 440ms')
  expect(await outcome(limited.scan())).toBe('ok')
  limited.pass(60_000)
  expect(await outcome(limited.get())).toBe('ok')
})

test('what was used comes back bit by bit', async () => {
  await limited.throttle({ table: T }, 'REQUEST_NUMBER', 6)
  const ask = (): Promise<string> => outcome(limited.get())
  for (let i = 0; i < 6; i++) expect(await ask()).toBe('ok')
  expect(await ask()).toBe('number of requests exceeded - wait 10sec, 0ms')
  limited.pass(9_999)
  expect(await ask()).toBe('number of requests exceeded - wait 10sec, 0ms')
  limited.pass(1)
  expect([await ask(), await ask()]).toEqual(['ok', 'number of requests exceeded - wait 10sec, 0ms'])
  limited.pass(600_000)
  for (let i = 0; i < 6; i++) expect(await ask()).toBe('ok')
  expect(await ask()).not.toBe('ok')
})

test('a batch counts each of its parts, and one that is larger than a limit waits for all of it', async () => {
  await limited.throttle({ table: T }, 'WRITE_NUMBER', 5)
  expect(await outcome(limited.put('joe', T, 3))).toBe('ok')
  expect(await outcome(limited.put('joe', T, 3))).toBe('number of write requests exceeded - wait 12sec, 0ms')
  limited.pass(60_000)
  expect(await outcome(limited.put('joe', T, 50))).toBe('ok')
  expect(await outcome(limited.put())).toBe(
    'number of write requests exceeded - wait 9min, 12sec, 0ms'.replace('9min,', '9mins,'),
  )
})

test("the error is the one that HBase's clients know, and tells how long to wait", async () => {
  await limited.throttle({ table: T }, 'REQUEST_NUMBER', 1, 'HOURS')
  await limited.get()
  await expect(limited.get()).rejects.toMatchObject({
    code: 'THROTTLED',
    javaClass: 'org.apache.hadoop.hbase.quotas.RpcThrottlingException',
    detail: { waitMs: 3_600_000 },
  })
})

function one(whose: Parameters<LimitedStore['throttle']>[0]): Promise<void> {
  return limited.throttle(whose, 'REQUEST_NUMBER', 1)
}

/** The answer to the second of two gets. */
async function twice(user: string, table = T): Promise<string> {
  await outcome(limited.get(user, table))
  return outcome(limited.get(user, table))
}

describe('whose limits they are', () => {
  test("a user's, wherever he asks", async () => {
    await one({ user: 'joe' })
    expect(await twice('joe')).toBe(REQUESTS)
    expect(await outcome(limited.get('joe', IN_NS))).toBe(REQUESTS)
    expect(await twice('ann')).toBe('ok')
  })

  test("a user's in a table go before those in a namespace, and those before his others", async () => {
    await one({ user: 'joe' })
    await limited.throttle({ user: 'joe', namespace: 'ns' }, 'REQUEST_NUMBER', 2)
    expect(await twice('joe', IN_NS)).toBe('ok')
    await limited.throttle({ user: 'joe', table: IN_NS }, 'REQUEST_NUMBER', 3)
    expect([await twice('joe', IN_NS), await outcome(limited.get('joe', IN_NS))]).toEqual(['ok', 'ok'])
    expect(await outcome(limited.get('joe', IN_NS))).not.toBe('ok')
    expect(await twice('joe')).toBe(REQUESTS)
  })

  test("a namespace's and the region servers'", async () => {
    await one({ namespace: 'ns' })
    expect([await twice('a', IN_NS), await twice('a')]).toEqual([REQUESTS, 'ok'])
    await one({ regionServer: 'all' })
    expect(await twice('a')).toBe(REQUESTS)
  })

  test('a user who bypasses the others has his own alone', async () => {
    await one({ table: T })
    await limited.set({ user: 'joe', bypassesGlobals: true })
    expect([await twice('joe'), await twice('ann')]).toEqual(['ok', REQUESTS])
    await one({ user: 'joe' })
    expect(await twice('joe')).toBe(REQUESTS)
  })

  test("none of the server itself, and none in the system's tables", async () => {
    await one({ regionServer: 'all' })
    await limited.get()
    const rows = limited.store.rows.get(T, [], { bytes: 1 }, OWN_CALL)
    expect(await outcome(rows)).toBe('ok')
    expect(await outcome(limited.get('joe', 'hbase:quota' as typeof T))).toBe('ok')
  })
})

describe('changes of limits count at once', () => {
  test('another limit keeps what was used, no limit frees', async () => {
    await limited.throttle({ table: T }, 'REQUEST_NUMBER', 1)
    await limited.get()
    await limited.throttle({ table: T }, 'REQUEST_NUMBER', 3)
    expect([await outcome(limited.get()), await outcome(limited.get())]).toEqual(['ok', 'ok'])
    expect(await outcome(limited.get())).not.toBe('ok')
    await limited.set({ table: T, removesAll: true })
    expect(await outcome(limited.get())).toBe('ok')
  })

  test('all throttles turned off and on', async () => {
    const { switches } = limited.store.upkeep
    await limited.throttle({ table: T }, 'REQUEST_NUMBER', 1)
    await limited.get()
    await switches!.turn('rpcThrottle', false, OWN_CALL)
    expect(await outcome(limited.get())).toBe('ok')
    await switches!.turn('rpcThrottle', true, OWN_CALL)
    expect(await outcome(limited.get())).toBe(REQUESTS)
  })

  test('users may exceed theirs while the region servers are within theirs', async () => {
    await limited.throttle({ user: 'joe' }, 'REQUEST_NUMBER', 1)
    await limited.throttle({ regionServer: 'all' }, 'REQUEST_NUMBER', 3, 'SECONDS')
    await limited.store.upkeep.quotas!.switchExceeding(true, OWN_CALL)
    for (let i = 0; i < 3; i++) expect(await outcome(limited.get())).toBe('ok')
    expect(await outcome(limited.get())).toBe('number of requests exceeded - wait 333ms')
  })
})

test.each([
  [0, '0ms'],
  [1500, '1sec, 500ms'],
  [60_000, '1min, 0ms'],
  [1_200_000, '20mins, 0ms'],
  [3_780_000, '1hr, 3mins, 0ms'],
  [7_200_001, '2hrs, 1ms'],
])('%i ms are written as %s', (ms, text) => {
  expect(timeText(ms)).toBe(text)
})
