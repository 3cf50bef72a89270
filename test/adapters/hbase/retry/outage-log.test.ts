import { beforeEach, expect, test } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { OutageLog } from '../../../../adapters/hbase/retry/outage-log.ts'
import { Retrier } from '../../../../adapters/hbase/retry/retrier.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ManualTime } from './manual-time.ts'

const GONE = new RpcError('CONNECT_FAILED', 'refused')

let time: ManualTime
let retrier: Retrier
let outages: OutageLog
let logged: [level: string, message: string, fields: Readonly<Record<string, unknown>>][]

beforeEach(() => {
  time = new ManualTime()
  logged = []
  outages = new OutageLog(time, (...line) => logged.push(line))
  retrier = new Retrier(time, () => 0, { ...DEFAULT_HBASE_OPTIONS, retriesMax: 0 }, outages)
})

function attempt(error?: unknown): Promise<unknown> {
  const operation = retrier.retrying('get of t', OWN_CALL, async () => {
    if (error !== undefined) throw error
  })
  return operation.catch((failure: unknown) => failure)
}

test('an outage is logged once, and once its end with what it has cost', async () => {
  await attempt()
  for (let i = 0; i < 100; i++) {
    await attempt(GONE)
    await time.advance(100)
  }
  await time.advance(5_000)
  for (let i = 0; i < 100; i++) await attempt()
  expect(logged).toEqual([
    [
      'warn',
      'the cluster does not serve (get of t failed after attempts=1: refused): operations fail until it does; see whether its ZooKeeper, master and region servers are up, and reachable from here',
      { code: 'UNAVAILABLE', reason: 'get of t failed after attempts=1: refused' },
    ],
    ['info', 'the cluster serves again', { failedOperations: 100, outageMs: 9_900 }],
  ])
})

test('one that flickers counts once', async () => {
  for (let i = 0; i < 50; i++) {
    await attempt(GONE)
    await time.advance(4_000)
    await attempt()
  }
  expect(logged.map(([level]) => level)).toEqual(['warn'])
})

test('a final failure is no outage, nor is the end of the store', async () => {
  await attempt(new HBaseError('TABLE_NOT_FOUND', 't'))
  retrier.close()
  await attempt(GONE)
  expect(logged).toEqual([])
})

test('one that other operations do not meet is not one of the whole cluster', async () => {
  await attempt(GONE)
  expect(outages.reasonOfAll).toContain('refused')
  await attempt()
  expect(outages.reasonOfAll).toBeUndefined()
  expect(outages.reason).toContain('refused')
  await time.advance(4_000)
  await attempt(GONE)
  await time.advance(1_000)
  expect(outages.reasonOfAll).toContain('refused')
})

test('a cluster that will not let Tidegate in is one at once; a user whom it refuses is none', async () => {
  expect(await attempt(new RpcError('USER_REFUSED', 'no'))).toMatchObject({ code: 'ACCESS_DENIED' })
  expect(outages.reason).toBeUndefined()
  expect(await attempt(new RpcError('LOGIN_REFUSED', 'unknown principal'))).toMatchObject({
    code: 'UNAVAILABLE',
    message: 'unknown principal',
  })
  expect(outages.reason).toBe('unknown principal')
  expect(logged).toHaveLength(1)
})
