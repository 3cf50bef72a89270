import { beforeEach, describe, expect, test } from 'vitest'
import { MetaTable } from '../../../../adapters/hbase/cluster/meta-table.ts'
import { RegionLocator } from '../../../../adapters/hbase/cluster/region-locator.ts'
import { ServerConnections } from '../../../../adapters/hbase/connections/server-connections.ts'
import type { Attempt } from '../../../../adapters/hbase/retry/retrier.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { ManualTime } from '../retry/manual-time.ts'
import { FakeMeta, type MetaRegion, SERVER_A, SERVER_B } from './fake-meta.ts'

const T = parseTableName('t')
const row = (text: string): Buffer => Buffer.from(text)

let meta: FakeMeta
let time: ManualTime
let locator: RegionLocator
let attempt: Attempt

beforeEach(() => {
  meta = new FakeMeta()
  time = new ManualTime()
  const connections = new ServerConnections({
    time,
    options: { user: 'u' },
    connect: () => Promise.resolve(meta),
  })
  locator = new RegionLocator(new MetaTable(meta.registry(), connections, time), time)
  attempt = { number: 1, deadline: time.now() + 5_000, timeoutMs: 5_000, call: OWN_CALL }
})

/** Regions of `t` between the keys. */
function regionsOf(...keys: readonly string[]): MetaRegion[] {
  return [...keys, ''].map((endKey, i) => ({
    table: 't',
    startKey: keys[i - 1] ?? '',
    endKey,
    server: i % 2 === 0 ? SERVER_A : SERVER_B,
  }))
}

function remote(javaClass: string, message = ''): RemoteException {
  return new RemoteException({
    javaClass: `org.apache.hadoop.hbase.${javaClass}`,
    stackTrace: `org.apache.hadoop.hbase.${javaClass}: ${message}`,
  })
}

async function before(key: string): Promise<string> {
  return (await locator.locateBefore(T, row(key), attempt)).startKey.toString()
}

describe('the locator', () => {
  test('reads many regions at once for a scan of the table', async () => {
    const keys = Array.from({ length: 999 }, (_, i) => String(i + 1).padStart(4, '0'))
    meta.regions = regionsOf(...keys)
    for (const [passed, key] of ['', ...keys].entries()) {
      const region = await locator.locateNext(T, row(key), Math.min(passed, 200), attempt)
      expect(region.startKey.toString()).toBe(key)
    }
    expect(locator.lookups).toBe(12)
  })

  test('finds the next region also where none begins at the row', async () => {
    meta.regions = regionsOf('g', 'p')
    const region = await locator.locateNext(T, row('h'), 5, attempt)
    expect(region.startKey.toString()).toBe('g')
    expect(locator.cached(T, row('q'))?.startKey.toString()).toBe('p')
  })

  test('finds the region of a row, and remembers it', async () => {
    meta.regions = regionsOf('g', 'p')
    const region = await locator.locate(T, row('h'), attempt)
    expect(region).toMatchObject({
      table: 't',
      startKey: row('g'),
      endKey: row('p'),
      regionId: 1_700_000_000_000,
      server: SERVER_B,
      openSequenceId: 2,
    })
    expect(region.name.toString()).toBe(`t,g,1700000000000.${region.encodedName}.`)
    expect(locator.cached(T, row('o'))).toBe(region)
    expect(locator.cached(T, row('p'))).toBeUndefined()
    expect(await locator.locate(T, row('g'), attempt)).toBe(region)
    expect(meta.calls).toEqual([{ method: 'Scan', timeoutMs: 5_000, priority: 200 }])
  })

  test('brings along the regions before the one that was asked for', async () => {
    meta.regions = regionsOf('c', 'g', 'p')
    await locator.locate(T, row('x'), attempt)
    expect((await locator.locate(T, row('a'), attempt)).startKey).toEqual(EMPTY)
    expect(meta.calls).toHaveLength(1)
  })

  test('is not misled by tables with similar names, nor by rows with commas', async () => {
    meta.regions = [
      { table: 't-1', startKey: '', endKey: '', server: SERVER_B },
      { table: 't0', startKey: '', endKey: '', server: SERVER_B },
      { table: 's', startKey: '', endKey: '', server: SERVER_B },
      ...regionsOf('a,5', 'a,5,9'),
    ]
    expect((await locator.locate(T, row('a,5,1'), attempt)).endKey).toEqual(row('a,5,9'))
    expect((await locator.locateBefore(T, EMPTY, attempt)).startKey).toEqual(row('a,5,9'))
    const [all] = [await locator.regions(T, attempt)]
    expect(all.map(({ startKey }) => startKey.toString())).toEqual(['', 'a,5', 'a,5,9'])
  })

  test('finds the region before a row', async () => {
    meta.regions = regionsOf('g', 'p')
    for (let round = 0; round < 2; round++) {
      expect([
        await before('g'),
        await before('h'),
        await before('p'),
        await before('q'),
        await before(''),
      ]).toEqual(['', 'g', 'g', 'p', 'p'])
      locator.forgetTable(T)
    }
  })

  test('passes over a region that was split', async () => {
    meta.regions = [
      { table: 't', startKey: '', endKey: '', regionId: 1, isSplit: true, server: SERVER_A },
      { table: 't', startKey: '', endKey: 'm', regionId: 2, server: SERVER_A },
      { table: 't', startKey: 'm', endKey: '', regionId: 2, server: SERVER_B },
    ]
    expect((await locator.locate(T, row('b'), attempt)).endKey).toEqual(row('m'))
    expect(await locator.regions(T, attempt)).toHaveLength(2)
  })

  test('asks once for all who miss at once, and again for what that did not bring', async () => {
    meta.regions = regionsOf('g', 'p')
    const open = meta.hold()
    const answers = Promise.all(
      ['a', 'h', 'b', 'i', 'z', 'c'].map((key) => locator.locate(T, row(key), attempt)),
    )
    open()
    expect((await answers).map(({ startKey }) => startKey.toString())).toEqual(['', 'g', '', 'g', 'p', ''])
    expect(meta.calls.length).toBeLessThanOrEqual(3)
  })

  test('lets all who miss at once hear of the failure, and tries anew for the next', async () => {
    meta.regions = regionsOf()
    meta.failures.push(remote('NotServingRegionException'))
    const open = meta.hold()
    const answers = [row('a'), row('b')].map((key) => locator.locate(T, key, attempt))
    open()
    for (const answer of answers) {
      await expect(answer).rejects.toMatchObject({
        javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
      })
    }
    expect(await locator.locate(T, row('a'), attempt)).toMatchObject({ server: SERVER_A })
    expect(meta.calls).toHaveLength(2)
  })

  test('waits for another’s lookup no longer than its own time', async () => {
    meta.regions = regionsOf()
    const open = meta.hold()
    const first = locator.locate(T, row('a'), attempt)
    const second = locator.locate(T, row('b'), { ...attempt, deadline: time.now() + 20 })
    const caught = second.catch((error: unknown) => error)
    await time.advance(20)
    expect(await caught).toMatchObject({ code: 'TIMEOUT' })
    open()
    expect(await first).toMatchObject({ server: SERVER_A })
  })

  test('reports which table does not exist, is not enabled, or not served', async () => {
    await expect(locator.locate(T, row('a'), attempt)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
      message: 't',
    })
    await expect(locator.regions(T, attempt)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND', message: 't' })
    meta.regions = [{ table: 't', startKey: '', endKey: 'g' }]
    meta.states.set('t', 'DISABLED')
    await expect(locator.locate(T, row('a'), attempt)).rejects.toMatchObject({
      code: 'TABLE_NOT_ENABLED',
      message: 't is disabled.',
    })
    meta.states.set('t', 'ENABLED')
    await expect(locator.locate(T, row('a'), attempt)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    await expect(locator.locate(T, row('h'), attempt)).rejects.toMatchObject({
      code: 'NOT_SERVING_REGION',
      message: 'hbase:meta has no region of t with row h',
    })
    await expect(locator.locateBefore(T, EMPTY, attempt)).rejects.toMatchObject({
      code: 'NOT_SERVING_REGION',
    })
    expect(await locator.regions(T, attempt)).toMatchObject([{ server: { host: '', port: 0 } }])
  })

  test('lists a table of many regions page by page', async () => {
    const keys = Array.from({ length: 1_100 }, (_, i) => String(10_000 + i))
    meta.regions = regionsOf(...keys)
    const regions = await locator.regions(T, attempt)
    expect(regions.map(({ endKey }) => endKey.toString())).toEqual([...keys, ''])
    expect(meta.calls).toHaveLength(2)
    expect(locator.cached(T, row('10500x'))?.startKey).toEqual(row('10500'))
  })

  test('knows hbase:meta itself from the registry', async () => {
    meta.metaServers.push(SERVER_B)
    const region = await locator.locate(META_TABLE, row('t,,1'), attempt)
    expect(region).toMatchObject({
      encodedName: '1588230740',
      server: SERVER_A,
      startKey: EMPTY,
      endKey: EMPTY,
    })
    expect(await locator.locateBefore(META_TABLE, EMPTY, attempt)).toBe(region)
    locator.failed(region, remote('NotServingRegionException'))
    expect(await locator.locate(META_TABLE, EMPTY, attempt)).toMatchObject({ server: SERVER_B })
    expect(meta.questions).toBe(2)
  })

  test('asks the registry again when hbase:meta is not where it was', async () => {
    meta.regions = regionsOf()
    meta.failures.push(new RpcError('CONNECTION_CLOSED', 'reset'))
    await expect(locator.locate(T, row('a'), attempt)).rejects.toBeInstanceOf(RpcError)
    await locator.locate(T, row('a'), attempt)
    expect(meta.questions).toBe(2)
    meta.failures.push(remote('CallQueueTooBigException'))
    await expect(locator.locate(T, row('\0'), attempt)).resolves.toBeDefined()
    await expect(locator.regions(T, attempt)).rejects.toBeInstanceOf(RemoteException)
    expect(meta.questions).toBe(2)
  })
})

describe('a failed call', () => {
  test.each([
    ['NotServingRegionException', false],
    ['exceptions.RegionOpeningException', false],
    ['exceptions.RegionMovedException', false],
    ['RegionTooBusyException', true],
    ['CallQueueTooBigException', true],
    ['quotas.RpcThrottlingException', true],
    ['regionserver.NoSuchColumnFamilyException', true],
  ])('with %s leaves the region known: %s', async (javaClass, stays) => {
    meta.regions = regionsOf('g')
    const region = await locator.locate(T, row('x'), attempt)
    locator.failed(region, remote(javaClass))
    expect(locator.cached(T, row('x')) === region).toBe(stays)
    expect(locator.cached(T, row('a'))).toBeDefined()
  })

  test.each([
    ['of a connection', new RpcError('CONNECT_FAILED', 'refused')],
    ['of a server that stops', remote('regionserver.RegionServerStoppedException')],
  ])('%s makes all regions of the server unknown', async (_, error) => {
    meta.regions = regionsOf('g', 'p')
    const region = await locator.locate(T, row('x'), attempt)
    locator.failed(region, error)
    expect(['a', 'h', 'x'].map((key) => locator.cached(T, row(key))?.server)).toEqual([
      undefined,
      SERVER_B,
      undefined,
    ])
  })

  test('because the region has moved says where to', async () => {
    meta.regions = regionsOf('g')
    const region = await locator.locate(T, row('x'), attempt)
    const moved = remote(
      'exceptions.RegionMovedException',
      'Region moved to: hostname=c.example port=16021 startCode=1700000000009. As of locationSeqNum=17.',
    )
    locator.failed(region, moved)
    expect(locator.cached(T, row('x'))).toEqual({
      ...region,
      server: { host: 'c.example', port: 16021, startCode: 1_700_000_000_009 },
      openSequenceId: 17,
    })
    // The same answer, late: what is known by now is newer.
    locator.failed(region, remote('NotServingRegionException'))
    expect(locator.cached(T, row('x'))?.server.host).toBe('c.example')
  })

  test('that reports an older move than the known one causes a lookup in hbase:meta', async () => {
    meta.regions = [{ table: 't', startKey: '', endKey: '', server: SERVER_A, openSequenceId: 20 }]
    const region = await locator.locate(T, row('x'), attempt)
    locator.failed(
      region,
      remote(
        'exceptions.RegionMovedException',
        'Region moved to: hostname=b port=16020 startCode=1700000000002. As of locationSeqNum=5.',
      ),
    )
    expect(locator.cached(T, row('x'))).toBeUndefined()
  })
})
