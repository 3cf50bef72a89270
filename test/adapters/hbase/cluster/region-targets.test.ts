import { beforeEach, describe, expect, test } from 'vitest'
import { MetaTable } from '../../../../adapters/hbase/cluster/meta-table.ts'
import { RegionLocator } from '../../../../adapters/hbase/cluster/region-locator.ts'
import { RegionTargets } from '../../../../adapters/hbase/cluster/region-targets.ts'
import { ServerConnections } from '../../../../adapters/hbase/connections/server-connections.ts'
import { FinalFailure } from '../../../../adapters/hbase/retry/final-failure.ts'
import type { Attempt } from '../../../../adapters/hbase/retry/retrier.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { regionName } from '../../../../src/model/region-name.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionRef } from '../../../../src/store/target.ts'
import { ManualTime, settled } from '../retry/manual-time.ts'
import { FakeMeta, SERVER_A, SERVER_B } from './fake-meta.ts'

const T = parseTableName('t')
const REGION_ID = 1_700_000_000_000
const row = (text: string): Buffer => Buffer.from(text)

let meta: FakeMeta
let time: ManualTime
let locator: RegionLocator
let targets: RegionTargets
let attempt: Attempt

beforeEach(() => {
  meta = new FakeMeta()
  meta.regions = [
    { table: 't', startKey: '', endKey: 'm', server: SERVER_A },
    { table: 't', startKey: 'm', endKey: '', server: SERVER_B },
  ]
  meta.states.set('t', 'ENABLED')
  time = new ManualTime()
  const connections = new ServerConnections({
    time,
    options: { user: 'u' },
    connect: () => Promise.resolve(meta),
  })
  locator = new RegionLocator(new MetaTable(meta.registry(), connections, time), time)
  targets = new RegionTargets(locator, time)
  attempt = { number: 1, deadline: time.now() + 5_000, timeoutMs: 5_000, call: OWN_CALL }
})

function ref(startKey: string): RegionRef {
  return { table: T, encodedName: regionName(T, row(startKey), REGION_ID).encodedName }
}

/** The message of a FinalFailure. */
async function refusal(promise: Promise<unknown>): Promise<{ code: string; text: string; class: string }> {
  const failure: unknown = await promise.catch((error: unknown) => error)
  if (!(failure instanceof FinalFailure)) throw new Error('no FinalFailure')
  const { code, message, javaClass } = failure.error
  return { code, text: message, class: javaClass.replace(/^.*\./, '') }
}

describe('a region that is named', () => {
  test('is found in the list of the table, once', async () => {
    expect(targets.cached(ref('m'), row('x'))).toBeUndefined()
    const region = await targets.locate(ref('m'), row('x'), 'Get', attempt)
    expect(region.startKey).toEqual(row('m'))
    const asked = meta.calls.length
    expect(targets.cached(ref('m'), row('x'))).toBe(region)
    expect(await targets.locate(ref('m'), row('y'), 'Get', attempt)).toBe(region)
    expect((await targets.named(ref(''), attempt)).endKey).toEqual(row('m'))
    expect(meta.calls).toHaveLength(asked)
  })

  test('is the one that the row is in, or else none that is known', async () => {
    await targets.named(ref('m'), attempt)
    expect(targets.cached(ref('m'), row('a'))).toBeUndefined()
    expect(targets.cached(T, row('a'))?.encodedName).toBe(ref('').encodedName)
  })

  test('refuses a row that it does not have, in the words of HBase', async () => {
    const { name } = regionName(T, row('m'), REGION_ID)
    expect(await refusal(targets.locate(ref('m'), row('a'), 'batchMutate', attempt))).toEqual({
      code: 'NOT_SERVING_REGION',
      text:
        `Requested row out of range for batchMutate on HRegion ${name.toString()}, ` +
        "startKey='m', getEndKey()='', row='a'",
      class: 'WrongRegionException',
    })
  })

  test('is looked for again after a failure, and is not online once it has been split', async () => {
    const region = await targets.named(ref('m'), attempt)
    locator.failed(region, new RpcError('CALL_TIMEOUT', 'late'))
    meta.regions = [
      { table: 't', startKey: 'm', endKey: 's', regionId: REGION_ID + 1, server: SERVER_A },
      { table: 't', startKey: 's', endKey: '', regionId: REGION_ID + 1, server: SERVER_A },
    ]
    expect(await refusal(targets.locate(ref('m'), row('x'), 'Get', attempt))).toMatchObject({
      code: 'NOT_SERVING_REGION',
      text: expect.stringContaining(`${ref('m').encodedName} is not online on `),
      class: 'NotServingRegionException',
    })
  })

  test('is followed to the server that it has moved to', async () => {
    const region = await targets.named(ref('m'), attempt)
    locator.failed(region, new RpcError('CONNECTION_CLOSED', 'reset'))
    meta.regions = [{ table: 't', startKey: 'm', endKey: '', server: SERVER_A, openSequenceId: 9 }]
    expect((await targets.named(ref('m'), attempt)).server).toEqual(SERVER_A)
  })

  test('may be on no server for a while, or for as long as its table is disabled', async () => {
    meta.regions = [{ table: 't', startKey: '', endKey: '', server: undefined }]
    await expect(targets.named(ref(''), attempt)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    meta.states.set('t', 'DISABLED')
    await expect(targets.named(ref(''), attempt)).rejects.toMatchObject({ code: 'TABLE_NOT_ENABLED' })
    await expect(targets.named({ ...ref(''), table: parseTableName('u') }, attempt)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
    })
  })

  test('is looked for by one, however many ask', async () => {
    await locator.locate(T, row('a'), attempt)
    locator.forgetTable(T)
    const before = meta.calls.length
    const open = meta.hold()
    const all = Promise.all(['', 'm', 'm', ''].map((key) => targets.named(ref(key), attempt)))
    await settled()
    open()
    expect((await all).map(({ startKey }) => startKey.toString())).toEqual(['', 'm', 'm', ''])
    expect(meta.calls.length - before).toBe(1)
  })
})

describe('a caller in a hurry', () => {
  test.each([
    ['a list of regions', (hurried: Attempt) => targets.named(ref('m'), hurried)],
    ['a lookup', (hurried: Attempt) => targets.locate(T, row('x'), 'Get', hurried)],
  ])('does not cut short for others: %s', async (_, find) => {
    await locator.regions(T, attempt)
    locator.forgetTable(T)
    const open = meta.hold()
    const call = { ...OWN_CALL, deadline: time.epochMs() + 100 }
    const hurried = find({ ...attempt, deadline: time.now() + 100, timeoutMs: 100, call }).catch(
      ({ code }: { code: string }) => code,
    )
    const patient = find(attempt)
    await time.advance(100)
    expect(await hurried).toBe('TIMEOUT')
    open()
    expect((await patient).startKey).toEqual(row('m'))
    expect(meta.calls.at(-1)).toMatchObject({ method: 'Scan', timeoutMs: 20_000 })
  })
})
