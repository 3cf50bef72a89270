import { describe, expect, test } from 'vitest'
import { backOffMs } from '../../../../adapters/hbase/retry/back-off.ts'
import { type Attempt, Retrier, type RetryOptions } from '../../../../adapters/hbase/retry/retrier.ts'
import { within } from '../../../../adapters/hbase/retry/within.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { ManualTime, settled } from './manual-time.ts'

const OPTIONS: RetryOptions = {
  retriesMax: 15,
  pauseMs: 100,
  overloadedPauseMs: 500,
  operationTimeoutMs: 60_000,
  rpcTimeoutMs: 20_000,
}
const HBASE = 'org.apache.hadoop.hbase'

function remote(javaClass: string, message = 'm', doNotRetry = false): RemoteException {
  return new RemoteException({ javaClass, stackTrace: `${javaClass}: ${message}`, doNotRetry })
}

function failing(error: unknown): () => Promise<never> {
  return () => Promise.reject(error)
}

/** The pauses until the operation settles, and its outcome. */
async function pausesOf(
  retrier: Retrier,
  time: ManualTime,
  error: unknown,
  deadline: number = retrier.deadline(OWN_CALL),
): Promise<{ pauses: number[]; outcome: unknown }> {
  const state: { outcome?: unknown } = {}
  retrier.retrying('get of t', OWN_CALL, failing(error), deadline).then(
    () => undefined,
    (outcome: unknown) => Object.assign(state, { outcome }),
  )
  const pauses: number[] = []
  await settled()
  while (state.outcome === undefined) pauses.push(await time.next())
  return { pauses, outcome: state.outcome }
}

describe('the back-off', () => {
  test('grows by HBase’s table, with one percent of chance', () => {
    const none = Array.from({ length: 15 }, (_, retries) => backOffMs(100, retries, () => 0))
    expect(none).toEqual([
      100, 200, 300, 500, 1000, 2000, 4000, 10_000, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000, 20_000,
    ])
    expect(backOffMs(100, 7, () => 0.5)).toBe(10_050)
    expect(backOffMs(100, -1, () => 0)).toBe(100)
  })
})

describe('attempts', () => {
  test('go on until one succeeds', async () => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, OPTIONS)
    const seen: number[] = []
    const result = retrier.retrying('get', OWN_CALL, async ({ number, timeoutMs }) => {
      seen.push(number, timeoutMs)
      if (number < 3) throw remote(`${HBASE}.NotServingRegionException`)
      return 'row'
    })
    expect([await time.next(), await time.next()]).toEqual([100, 200])
    expect(await result).toBe('row')
    expect(seen).toEqual([1, 20_000, 2, 20_000, 3, 20_000])
    expect(time.timers).toBe(0)
  })

  test('end with the retries, by the code of the last failure', async () => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, { ...OPTIONS, retriesMax: 2 })
    const { pauses, outcome } = await pausesOf(
      retrier,
      time,
      remote(`${HBASE}.RegionTooBusyException`, 'over'),
    )
    expect(pauses).toEqual([100, 200])
    expect(outcome).toMatchObject({
      code: 'REGION_TOO_BUSY',
      message: 'get of t failed after attempts=3: over',
      detail: { attempts: 3 },
    })
  })

  test('end with the time, the last one with what is left of it', async () => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, OPTIONS)
    const start = time.now()
    const { pauses, outcome } = await pausesOf(
      retrier,
      time,
      new RpcError('CONNECT_FAILED', 'refused'),
      retrier.deadline(OWN_CALL, 1_000),
    )
    expect(pauses).toEqual([100, 200, 300, 350])
    expect(time.now() - start).toBe(950)
    expect(outcome).toMatchObject({ code: 'UNAVAILABLE' })
    expect(outcome).toBeInstanceOf(HBaseError)
  })

  test('report what servers answered before where the last one has no time for an answer', async () => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, OPTIONS)
    const busy = remote(`${HBASE}.RegionTooBusyException`, 'over the memstore limit')
    const attempt = ({ timeoutMs }: Attempt): Promise<never> =>
      Promise.reject(timeoutMs > 50 ? busy : new RpcError('CALL_TIMEOUT', `no answer after ${timeoutMs} ms`))
    const outcome = retrier.retrying('put of t', OWN_CALL, attempt, retrier.deadline(OWN_CALL, 1_000))
    const seen = expect(outcome).rejects.toMatchObject({
      code: 'REGION_TOO_BUSY',
      message: expect.stringMatching(/^put of t failed after attempts=5: .*over the memstore limit/),
    })
    await settled()
    for (let i = 0; i < 4; i++) await time.next()
    await seen
  })

  test('report that there was no answer where nothing else is known', async () => {
    const retrier = new Retrier(new ManualTime(), () => 0, OPTIONS)
    const silent = failing(new RpcError('CALL_TIMEOUT', 'no answer after 40 ms'))
    const outcome = retrier.retrying('get of t', OWN_CALL, silent, retrier.deadline(OWN_CALL, 40))
    await expect(outcome).rejects.toMatchObject({ message: expect.stringContaining('no answer after 40 ms') })
  })

  test('have no more time than the operation', async () => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, OPTIONS)
    const attempt = async ({ timeoutMs, deadline }: Attempt): Promise<void> => {
      expect([timeoutMs, deadline]).toEqual([700, time.now() + 700])
    }
    await retrier.retrying('get', OWN_CALL, attempt, retrier.deadline(OWN_CALL, 700))
  })

  test('pause longer for a server that is overloaded', async () => {
    const overloaded = [
      remote(`${HBASE}.CallQueueTooBigException`),
      new RemoteException({ javaClass: 'java.io.IOException', stackTrace: '', serverOverloaded: true }),
    ]
    for (const error of overloaded) {
      const time = new ManualTime()
      const retrier = new Retrier(time, () => 0, { ...OPTIONS, retriesMax: 2 })
      expect((await pausesOf(retrier, time, error)).pauses).toEqual([500, 1000])
    }
  })

  test('pause as long as a quota asks for', async () => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, { ...OPTIONS, retriesMax: 1 })
    const throttled = `${HBASE}.quotas.RpcThrottlingException`
    const asked = async (message: string): Promise<number[]> =>
      (await pausesOf(retrier, time, remote(throttled, message))).pauses
    expect(await asked('number of requests exceeded - wait 12sec, 200ms')).toEqual([12_200])
    expect(await asked('read size limit exceeded - wait 5ms')).toEqual([5])
    expect(await asked('number of requests exceeded')).toEqual([100])
  })

  test.each<[string, unknown, string]>([
    ['what HBase says cannot be retried', remote('java.lang.Exception', 'no', true), 'DO_NOT_RETRY'],
    [
      'a class that says so',
      remote(`${HBASE}.regionserver.NoSuchColumnFamilyException`),
      'NO_SUCH_COLUMN_FAMILY',
    ],
    ['a subclass that says so', remote(`${HBASE}.security.AccessDeniedException`), 'ACCESS_DENIED'],
    ['an expired scanner', remote(`${HBASE}.regionserver.LeaseException`), 'UNKNOWN_SCANNER'],
    ['a table that is not there', new HBaseError('TABLE_NOT_FOUND', 't'), 'TABLE_NOT_FOUND'],
    ['too much in flight already', new RpcError('OVERLOADED', 'full'), 'OVERLOADED'],
    ['too large a request', new RpcError('REQUEST_TOO_LARGE', 'big'), 'TOO_LARGE'],
    ['an answer that cannot be', new RpcError('BAD_RESPONSE', 'bad'), 'IO'],
  ])('are not repeated for %s', async (_, error, code) => {
    const time = new ManualTime()
    const { pauses, outcome } = await pausesOf(new Retrier(time, () => 0, OPTIONS), time, error)
    expect(pauses).toEqual([])
    expect(outcome).toMatchObject({ code, message: error instanceof Error ? error.message : '' })
  })

  test.each<[unknown, string]>([
    [remote(`${HBASE}.exceptions.RegionMovedException`), 'NOT_SERVING_REGION'],
    [remote(`${HBASE}.exceptions.RegionOpeningException`), 'NOT_SERVING_REGION'],
    [remote(`${HBASE}.regionserver.RegionServerStoppedException`), 'UNAVAILABLE'],
    [remote(`${HBASE}.regionserver.RegionServerAbortedException`), 'UNAVAILABLE'],
    [remote(`${HBASE}.ipc.ServerNotRunningYetException`), 'UNAVAILABLE'],
    [remote(`${HBASE}.PleaseHoldException`), 'UNAVAILABLE'],
    [remote(`${HBASE}.exceptions.MasterStoppedException`, 'bye', true), 'UNAVAILABLE'],
    [remote(`${HBASE}.CallDroppedException`), 'OVERLOADED'],
    [remote('java.io.IOException'), 'IO'],
    [new RpcError('CONNECTION_CLOSED', 'reset'), 'UNAVAILABLE'],
    [new RpcError('CALL_TIMEOUT', 'late'), 'TIMEOUT'],
    [new HBaseError('UNAVAILABLE', 'no master'), 'UNAVAILABLE'],
    [new HBaseError('NOT_SERVING_REGION', 'a hole'), 'NOT_SERVING_REGION'],
  ])('are repeated for %s', async (error, code) => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, { ...OPTIONS, retriesMax: 1 })
    const { pauses, outcome } = await pausesOf(retrier, time, error)
    expect(pauses).toHaveLength(1)
    expect(outcome).toMatchObject({ code })
  })

  test('throw a bug unchanged', async () => {
    const time = new ManualTime()
    const bug = new TypeError('undefined is not a function')
    expect(await pausesOf(new Retrier(time, () => 0, OPTIONS), time, bug)).toEqual({
      pauses: [],
      outcome: bug,
    })
  })

  test('end at once when the store is closed', async () => {
    const time = new ManualTime()
    const retrier = new Retrier(time, () => 0, OPTIONS)
    const pending = retrier.retrying('get', OWN_CALL, failing(new RpcError('CONNECT_FAILED', 'gone')))
    await settled()
    retrier.close()
    await expect(pending).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(time.timers).toBe(0)
  })
})

describe('a deadline', () => {
  test('ends the waiting, and not the work', async () => {
    const time = new ManualTime()
    const never = new Promise<never>(() => undefined)
    const late = within(time, time.now() + 50, 'a connection', never)
    const inTime = within(time, time.now() + 60, 'a connection', Promise.resolve(1))
    expect(await inTime).toBe(1)
    const caught = late.catch((error: unknown) => error)
    expect(await time.next()).toBe(50)
    expect(await caught).toMatchObject({ code: 'TIMEOUT' })
    expect(time.timers).toBe(0)
  })
})
