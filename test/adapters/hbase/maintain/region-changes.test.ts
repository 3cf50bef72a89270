import { beforeEach, describe, expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { NamedRegions } from '../../../../adapters/hbase/maintain/named-regions.ts'
import { RegionChanges } from '../../../../adapters/hbase/maintain/region-changes.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SERVER_A, SERVER_B } from '../cluster/fake-meta.ts'
import { remote } from '../remote.ts'
import { settled } from '../retry/manual-time.ts'
import { FakeServers, FINISHED, named, RUNNING, T } from './fake-servers.ts'

const FIRST = { table: 't', startKey: '', endKey: 'm', server: SERVER_A }
const LAST = { table: 't', startKey: 'm', endKey: '', server: SERVER_B }
const ALIEN = { table: 'u', startKey: '', endKey: '', server: SERVER_B }
const UNKNOWN = {
  code: 'DO_NOT_RETRY',
  javaClass: 'org.apache.hadoop.hbase.UnknownRegionException',
}
const byEncodedName = (startKey: string) => ({ type: 2, value: Buffer.from(named(startKey).encodedName) })
const byName = (startKey: string) => ({ type: 1, value: named(startKey).name })

let fake: FakeServers
let changes: RegionChanges

beforeEach(() => {
  fake = new FakeServers([FIRST, LAST, ALIEN])
  const { cluster } = fake
  changes = new RegionChanges(cluster, new Master(cluster, () => 0.5), new NamedRegions(cluster))
})

function locate(row: string): Promise<unknown> {
  const { locator, retrier } = fake.cluster
  return locator.locate(T, Buffer.from(row), retrier.attempt(1, retrier.deadline(OWN_CALL), OWN_CALL))
}

/** The start keys of the regions that the master was asked to split. */
function splitStarts(): string[] {
  return fake.master.asked
    .filter(({ method }) => method === 'SplitRegion')
    .map(({ request }) => String((request as { regionInfo: { startKey: Buffer } }).regionInfo.startKey))
}

describe('a split', () => {
  it('of a region ends with its procedure, and its table is then located anew', async () => {
    await locate('n')
    fake.master.answers.push({ procId: 7n }, RUNNING, FINISHED)
    let over = false
    const done = changes.splitRegion(named('m').name, Buffer.from('p'), OWN_CALL).then(() => {
      over = true
    })
    await settled()
    expect(fake.cluster.locator.cached(T, Buffer.from('n'))).toBeDefined()
    expect(over).toBe(false)
    expect(await fake.time.next()).toBe(10)
    await done
    expect(fake.cluster.locator.cached(T, Buffer.from('n'))).toBeUndefined()
    expect(fake.master.asked[0]).toEqual({
      method: 'SplitRegion',
      request: {
        regionInfo: {
          regionId: 1_700_000_000_000n,
          tableName: { namespace: Buffer.from('default'), qualifier: Buffer.from('t') },
          startKey: Buffer.from('m'),
          endKey: Buffer.alloc(0),
          offline: false,
          split: false,
          replicaId: 0,
        },
        splitRow: Buffer.from('p'),
        nonceGroup: expect.any(BigInt),
        nonce: expect.any(BigInt),
      },
    })
    expect(fake.master.asked.slice(1).map(({ method }) => method)).toEqual([
      'getProcedureResult',
      'getProcedureResult',
    ])
  })

  it('of a table at a row splits the region with that row', async () => {
    fake.master.answers.push({ procId: 7n }, FINISHED)
    await changes.splitTable(T, Buffer.from('c'), OWN_CALL)
    expect(splitStarts()).toEqual([''])
    await expect(changes.splitTable(T, Buffer.from('m'), OWN_CALL)).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'should not give a splitkey which equals to startkey!',
    })
    expect(splitStarts()).toEqual([''])
  })

  it('of a table splits each region, even if others fail', async () => {
    fake.master.answers.push(
      remote('DoNotRetryIOException', 'Region not splittable'),
      { procId: 7n },
      FINISHED,
    )
    await expect(changes.splitTable(T, undefined, OWN_CALL)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: 'Region not splittable',
    })
    expect(splitStarts()).toEqual(['', 'm'])
    expect(fake.master.asked.at(-1)).toMatchObject({ method: 'getProcedureResult', request: { procId: 7n } })
  })
})

describe('a merge', () => {
  it('names its regions by their encoded names', async () => {
    fake.master.answers.push({ procId: 7n }, FINISHED)
    await changes.mergeRegions([named('').name, named('m').name], true, OWN_CALL)
    expect(fake.master.asked[0]).toMatchObject({
      method: 'MergeTableRegions',
      request: { region: [byEncodedName(''), byEncodedName('m')], forcible: true, nonce: expect.any(BigInt) },
    })
  })

  it("fails with the procedure's failure", async () => {
    const className = 'org.apache.hadoop.hbase.exceptions.MergeRegionException'
    const exception = { genericException: { className, message: 'not mergeable' } }
    fake.master.answers.push({ procId: 7n }, { state: 2, exception })
    await expect(
      changes.mergeRegions([named('').name, named('m').name], false, OWN_CALL),
    ).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: 'not mergeable',
      javaClass: className,
    })
  })

  it('is refused for one region, for two tables, and for unknown regions', async () => {
    const alien = (await fake.cluster.regions('u' as typeof T, OWN_CALL))[0]!
    await expect(changes.mergeRegions([named('').name], false, OWN_CALL)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: 'Need two Regions at least to run a Merge',
    })
    await expect(changes.mergeRegions([named('').name, alien.name], false, OWN_CALL)).rejects.toMatchObject({
      code: 'ILLEGAL_ARGUMENT',
      message: 'Cannot merge regions from two different tables t and u',
    })
    await expect(
      changes.mergeRegions([named('').name, named('x').name], false, OWN_CALL),
    ).rejects.toMatchObject(UNKNOWN)
    expect(fake.master.asked).toEqual([])
  })
})

describe('a region', () => {
  it('moves to the named server, or to any', async () => {
    fake.master.answers.push({}, {})
    await changes.moveRegion(named('m').name, SERVER_A, OWN_CALL)
    await changes.moveRegion(named('m').name, undefined, OWN_CALL)
    const destServerName = { hostName: 'a', port: 16020, startCode: 1_700_000_000_001n }
    expect(fake.master.asked).toEqual([
      { method: 'MoveRegion', request: { region: byEncodedName('m'), destServerName } },
      { method: 'MoveRegion', request: { region: byEncodedName('m') } },
    ])
  })

  it('is closed and opened by its full name', async () => {
    fake.master.answers.push({}, {})
    await changes.unassignRegion(named('').name, OWN_CALL)
    fake.meta.regions = [{ ...FIRST, server: undefined }]
    await changes.assignRegion(named('').name, OWN_CALL)
    expect(fake.master.asked).toEqual([
      { method: 'UnassignRegion', request: { region: byName('') } },
      { method: 'AssignRegion', request: { region: byName('') } },
    ])
  })

  it('that does not exist is unknown', async () => {
    await expect(changes.moveRegion(named('x').name, undefined, OWN_CALL)).rejects.toMatchObject(UNKNOWN)
    await expect(changes.assignRegion(Buffer.from('t,,1'), OWN_CALL)).rejects.toMatchObject(UNKNOWN)
    await expect(changes.splitRegion(Buffer.from('t'), undefined, OWN_CALL)).rejects.toMatchObject(UNKNOWN)
  })
})
