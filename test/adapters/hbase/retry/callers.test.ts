import { beforeEach, describe, expect, test } from 'vitest'
import { OutageLog } from '../../../../adapters/hbase/retry/outage-log.ts'
import { Retrier, type RetryOptions } from '../../../../adapters/hbase/retry/retrier.ts'
import { untilGone } from '../../../../adapters/hbase/retry/until-gone.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import { failure } from '../../../store/suite/store-under-test.ts'
import { gate } from '../gate.ts'
import { ManualTime, settled } from './manual-time.ts'

const OPTIONS: RetryOptions = {
  retriesMax: 15,
  pauseMs: 100,
  overloadedPauseMs: 500,
  operationTimeoutMs: 60_000,
  rpcTimeoutMs: 20_000,
}
const AWAY = new RpcError('CONNECT_FAILED', 'refused')

let time: ManualTime
let outages: OutageLog
let retrier: Retrier
let attempts: number

beforeEach(() => {
  time = new ManualTime()
  outages = new OutageLog(time, () => undefined)
  retrier = new Retrier(time, () => 0, OPTIONS, outages)
  attempts = 0
})

function failing(call: Call, error: unknown = AWAY): Promise<string> {
  return failure(
    retrier.retrying('get of t', call, async () => {
      attempts++
      throw error
    }),
  )
}

describe('a caller who hangs up', () => {
  test('ends the pause before the next attempt, and makes no outage', async () => {
    const caller = new AbortController()
    const outcome = failing({ ...OWN_CALL, signal: caller.signal })
    await settled()
    expect(time.timers).toBe(1)
    caller.abort()
    expect(await outcome).toBe('CALLER_GONE: the client has hung up')
    expect([attempts, time.timers, retrier.givenUp, outages.begun]).toEqual([1, 0, 0, 0])
  })

  test('before any request causes no request', async () => {
    expect(await failing({ ...OWN_CALL, signal: AbortSignal.abort() })).toMatch(/^CALLER_GONE/)
    expect(attempts).toBe(0)
  })

  test('during a call gets CALLER_GONE', async () => {
    expect(await failing(OWN_CALL, new RpcError('CALL_CANCELLED', 'the client has hung up'))).toMatch(
      /^CALLER_GONE/,
    )
    expect(attempts).toBe(1)
  })

  test('leaves others alone', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const gone = failing({ ...OWN_CALL, signal: first.signal })
    let isOver = false
    const stays = failing({ ...OWN_CALL, signal: second.signal }).then(() => {
      isOver = true
    })
    await settled()
    first.abort()
    expect(await gone).toMatch(/^CALLER_GONE/)
    expect([isOver, time.timers]).toEqual([false, 1])
    second.abort()
    await stays
  })
})

describe("a caller's deadline", () => {
  test('is that of the operation where it is earlier, and of each call', () => {
    const soon = { ...OWN_CALL, deadline: time.epochMs() + 5_000 }
    expect(retrier.deadline(soon)).toBe(time.now() + 5_000)
    expect(retrier.deadline(soon, 1_000)).toBe(time.now() + 1_000)
    expect(retrier.deadline({ ...OWN_CALL, deadline: time.epochMs() + 90_000 })).toBe(time.now() + 60_000)
    expect(retrier.attempt(1, retrier.deadline(soon), soon).timeoutMs).toBe(5_000)
  })

  test('ends the attempts with TIMEOUT, and makes no outage', async () => {
    const outcome = failing({ ...OWN_CALL, deadline: time.epochMs() + 700 })
    await time.advance(700)
    expect(await outcome).toMatch(/^TIMEOUT: get of t has no time left after attempts=5: refused$/)
    expect([retrier.givenUp, outages.begun]).toEqual([0, 0])
  })

  test('that has passed causes no request', async () => {
    expect(await failing({ ...OWN_CALL, deadline: time.epochMs() })).toMatch(/^TIMEOUT/)
    expect(attempts).toBe(0)
  })
})

test('a priority of 0 is none, another goes with each call', () => {
  const attempts = [0, 100].map((priority) => retrier.attempt(1, 0, { ...OWN_CALL, priority }))
  expect(attempts.map(({ priority }) => priority)).toEqual([undefined, 100])
})

test('a closed store sends no request', async () => {
  retrier.close()
  expect(await failing(OWN_CALL)).toBe('UNAVAILABLE: the store is closed')
  expect(attempts).toBe(0)
})

describe('a promise that is awaited until the caller is gone', () => {
  test('is returned, or passed to the cleanup', async () => {
    const caller = new AbortController()
    const late: string[] = []
    const inTime = untilGone(caller.signal, Promise.resolve('in time'), (value) => late.push(value))
    expect(await inTime).toBe('in time')
    const { promise, open } = gate()
    const slow = promise.then(() => 'too late')
    const waiting = untilGone(caller.signal, slow, (value) => late.push(value))
    caller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
    open()
    await settled()
    expect(late).toEqual(['too late'])
    const never = untilGone(caller.signal, Promise.resolve('later still'), (value) => late.push(value))
    await expect(never).rejects.toMatchObject({ code: 'CALL_CANCELLED' })
    await settled()
    expect(late).toEqual(['too late', 'later still'])
  })
})
