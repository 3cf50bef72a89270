import { beforeEach, describe, expect, test } from 'vitest'
import { type LocatedRegion, readMetaRows } from '../../../../adapters/hbase/cluster/meta-row.ts'
import { MetaTable } from '../../../../adapters/hbase/cluster/meta-table.ts'
import { RegionLocator } from '../../../../adapters/hbase/cluster/region-locator.ts'
import { RegionTargets } from '../../../../adapters/hbase/cluster/region-targets.ts'
import { ServerConnections } from '../../../../adapters/hbase/connections/server-connections.ts'
import { FinalFailure } from '../../../../adapters/hbase/retry/final-failure.ts'
import type { Attempt } from '../../../../adapters/hbase/retry/retrier.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { regionName, replicaName } from '../../../../src/model/region-name.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionRef } from '../../../../src/store/target.ts'
import { remote } from '../remote.ts'
import { ManualTime } from '../retry/manual-time.ts'
import { FakeMeta, type MetaCopy, metaBlock, SERVER_A, SERVER_B } from './fake-meta.ts'

const T = parseTableName('t')
const FIRST = regionName(T, Buffer.alloc(0), 1_700_000_000_000)
const ROW = Buffer.from('a')
const MOVED = `Region moved to: hostname=${SERVER_A.host} port=${SERVER_A.port} startCode=${SERVER_A.startCode}. As of locationSeqNum=9.`

let meta: FakeMeta
let time: ManualTime
let locator: RegionLocator
let targets: RegionTargets
let attempt: Attempt

beforeEach(() => {
  meta = new FakeMeta()
  meta.states.set('t', 'ENABLED')
  publish({ replica: 1, server: SERVER_B })
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

function publish(...copies: MetaCopy[]): void {
  meta.regions = [{ table: 't', startKey: '', endKey: '', server: SERVER_A, copies }]
}

function copy(replica: number): RegionRef {
  return { table: T, encodedName: FIRST.encodedName, replica }
}

test('hbase:meta has the copies of a region, each with its name, its server and its opening', () => {
  const copies = [
    { replica: 1, server: SERVER_B, openSequenceId: 7 },
    { replica: 0x1f, server: undefined },
  ]
  const [copied, plain] = readMetaRows(
    metaBlock([
      { table: 't', startKey: '', endKey: 'm', server: SERVER_A, copies },
      { table: 't', startKey: 'm', endKey: '', server: SERVER_A },
    ]),
  )
  expect(copied).toMatchObject({ ...FIRST, server: SERVER_A, openSequenceId: 2 })
  expect(copied?.copies).toMatchObject([
    {
      ...replicaName(FIRST.name, 1),
      replica: 1,
      server: SERVER_B,
      openSequenceId: 7,
      endKey: Buffer.from('m'),
    },
    { ...replicaName(FIRST.name, 0x1f), replica: 0x1f, server: { host: '' } },
  ])
  expect(Object.keys(plain!)).not.toContain('copies')
})

describe('a copy that is named', () => {
  test('is on its own server, and found once', async () => {
    const found = await targets.locate(copy(1), ROW, 'Get', attempt)
    expect(found).toMatchObject({ ...replicaName(FIRST.name, 1), server: SERVER_B })
    const asked = meta.calls.length
    expect(targets.cached(copy(1), ROW)).toBe(found)
    expect(targets.cached(copy(0), ROW)).toMatchObject({ ...FIRST, server: SERVER_A })
    expect(await targets.named(copy(1), attempt)).toBe(found)
    expect(meta.calls).toHaveLength(asked)
  })

  test('is not online where hbase:meta has none', async () => {
    const failure: unknown = await targets.named(copy(2), attempt).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(FinalFailure)
    expect(failure).toMatchObject({ error: { code: 'NOT_SERVING_REGION' } })
  })

  test('may be on no server for a while', async () => {
    publish({ replica: 1, server: undefined })
    await locator.locate(T, ROW, attempt)
    expect(targets.cached(copy(1), ROW)).toBeUndefined()
    await expect(targets.named(copy(1), attempt)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    publish({ replica: 1, server: SERVER_B })
    expect(await targets.named(copy(1), attempt)).toMatchObject({ server: SERVER_B })
  })
})

describe('after a failure of a copy', () => {
  let located: LocatedRegion

  beforeEach(async () => {
    located = await targets.named(copy(1), attempt)
  })

  test('hbase:meta is asked again', async () => {
    locator.failed(located, remote('NotServingRegionException'))
    expect(targets.cached(copy(1), ROW)).toBeUndefined()
    publish({ replica: 1, server: SERVER_A, openSequenceId: 9 })
    expect(await targets.named(copy(1), attempt)).toMatchObject({ server: SERVER_A, openSequenceId: 9 })
  })

  test('its server says where it is now, and the region stays where it is', () => {
    locator.failed(located, remote('exceptions.RegionMovedException', MOVED))
    expect(targets.cached(copy(1), ROW)).toMatchObject({ server: SERVER_A, openSequenceId: 9 })
    expect(targets.cached(copy(0), ROW)).toMatchObject({ server: SERVER_A, openSequenceId: 2 })
  })

  test('a region that moves keeps its copies', () => {
    const region = targets.cached(T, ROW)!
    const message = MOVED.replaceAll(String(SERVER_A.startCode), '5')
    locator.failed(region, remote('exceptions.RegionMovedException', message))
    expect(targets.cached(T, ROW)).toMatchObject({ server: { startCode: 5 }, openSequenceId: 9 })
    expect(targets.cached(copy(1), ROW)).toMatchObject({ server: SERVER_B, openSequenceId: 2 })
  })

  test('a failure of an older location changes nothing', () => {
    locator.failed({ ...located, server: SERVER_A }, remote('NotServingRegionException'))
    locator.failed({ ...located, openSequenceId: 1 }, remote('NotServingRegionException'))
    expect(targets.cached(copy(1), ROW)).toBe(located)
  })

  test('nothing is remembered of a server that is gone', () => {
    locator.failed(located, new RpcError('CONNECT_FAILED', 'refused'))
    expect(targets.cached(copy(1), ROW)).toBeUndefined()
  })
})

describe('the copy of a located region', () => {
  test('is looked for in hbase:meta where the region is remembered without it', async () => {
    publish()
    const region = await locator.locate(T, ROW, attempt)
    publish({ replica: 1, server: SERVER_B })
    expect(await targets.copy(region, 1, attempt)).toMatchObject({ server: SERVER_B })
    await expect(targets.copy(region, 2, attempt)).rejects.toBeInstanceOf(FinalFailure)
  })

  test('of a region that is gone makes the region be looked for again', async () => {
    publish()
    const region = await locator.locate(T, ROW, attempt)
    meta.regions = [{ table: 't', startKey: '', endKey: '', regionId: 5, server: SERVER_A }]
    await expect(targets.copy(region, 1, attempt)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    expect(targets.cached(T, ROW)).toBeUndefined()
  })
})
