import { beforeEach, describe, expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { NamedRegions } from '../../../../adapters/hbase/maintain/named-regions.ts'
import { RegionServers } from '../../../../adapters/hbase/maintain/region-servers.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { SERVER_A, SERVER_B } from '../cluster/fake-meta.ts'
import { remote } from '../remote.ts'
import { settled } from '../retry/manual-time.ts'
import { FakeServers, named, T } from './fake-servers.ts'

const FIRST = { table: 't', startKey: '', endKey: 'm', server: SERVER_A }
const LAST = { table: 't', startKey: 'm', endKey: '', server: SERVER_B }
const MAJOR = { major: true }
const byName = (startKey: string) => ({ type: 1, value: named(startKey).name })

let fake: FakeServers
let servers: RegionServers

function start(regions: ConstructorParameters<typeof FakeServers>[0]): void {
  fake = new FakeServers(regions)
  servers = new RegionServers(
    fake.cluster,
    new Master(fake.cluster, () => 0.5),
    new NamedRegions(fake.cluster),
  )
}

beforeEach(() => start([FIRST, LAST]))

describe('a table is compacted', () => {
  it('by the servers of its regions, each asked once', async () => {
    await servers.compactTable(T, { major: true, family: Buffer.from('f') }, OWN_CALL)
    const family = Buffer.from('f')
    expect(fake.admin['a']!.asked).toEqual([
      { method: 'CompactRegion', request: { region: byName(''), major: true, family } },
    ])
    expect(fake.admin['b']!.asked).toEqual([
      { method: 'CompactRegion', request: { region: byName('m'), major: true, family } },
    ])
  })

  it('except regions that are on no server', async () => {
    start([FIRST, { ...LAST, server: undefined }])
    await servers.compactTable(T, { major: false }, OWN_CALL)
    expect(fake.admin['a']!.asked).toMatchObject([{ request: { major: false } }])
    expect(fake.admin['b']!.asked).toEqual([])
  })

  it('where its regions have moved to', async () => {
    fake.admin['a']!.answers.push(remote('NotServingRegionException'))
    const done = servers.compactTable(T, MAJOR, OWN_CALL)
    await settled()
    fake.meta.regions = [{ ...FIRST, server: SERVER_B, openSequenceId: 9 }, LAST]
    await fake.time.next()
    await done
    const asked = fake.admin['b']!.asked.map(({ request }) => (request as { region: unknown }).region)
    expect(asked).toEqual([byName('m'), byName('')])
  })

  it('except regions that have been split meanwhile', async () => {
    fake.admin['a']!.answers.push(remote('NotServingRegionException'))
    const done = servers.compactTable(T, MAJOR, OWN_CALL)
    await settled()
    fake.meta.regions = [
      { ...FIRST, isSplit: true },
      { ...FIRST, endKey: 'c', regionId: 1_800_000_000_000 },
      { ...FIRST, startKey: 'c', regionId: 1_800_000_000_000 },
      LAST,
    ]
    await fake.time.next()
    await done
    expect(fake.admin['a']!.asked).toHaveLength(1)
  })

  it('unless it is disabled, or does not exist', async () => {
    fake.meta.states.set('t', 'DISABLED')
    await expect(servers.compactTable(T, MAJOR, OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_ENABLED',
    })
    fake.meta.states.delete('t')
    await expect(servers.compactTable(T, MAJOR, OWN_CALL)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    expect(fake.admin['a']!.asked).toEqual([])
  })

  it('or a server refuses', async () => {
    fake.admin['b']!.answers.push(remote('regionserver.NoSuchColumnFamilyException', 'column family zz'))
    await expect(servers.compactTable(T, MAJOR, OWN_CALL)).rejects.toMatchObject({
      code: 'NO_SUCH_COLUMN_FAMILY',
    })
  })

  it('or several refuse, of which the first one in the table is reported', async () => {
    const name = 'regionserver.NoSuchColumnFamilyException'
    fake.admin['a']!.answers.push(remote('NotServingRegionException'), remote(name, 'not in the first'))
    fake.admin['b']!.answers.push(remote(name, 'not in the last'))
    const done = expect(servers.compactTable(T, MAJOR, OWN_CALL)).rejects.toThrow('not in the first')
    await settled()
    await fake.time.next()
    await done
  })
})

describe('a region', () => {
  it('is compacted and flushed by its full name', async () => {
    await servers.compactRegion(named('m').name, { major: false }, OWN_CALL)
    for (const flushed of [true, false]) {
      fake.admin['b']!.answers.push({ flushed })
      expect(await servers.flushRegion(named('m').name, undefined, OWN_CALL)).toBe(flushed)
    }
    fake.admin['b']!.answers.push({ flushed: true })
    await servers.flushRegion(named('m').name, Buffer.from('f'), OWN_CALL)
    expect(fake.admin['b']!.asked).toEqual([
      { method: 'CompactRegion', request: { region: byName('m'), major: false } },
      { method: 'FlushRegion', request: { region: byName('m') } },
      { method: 'FlushRegion', request: { region: byName('m') } },
      { method: 'FlushRegion', request: { region: byName('m'), family: Buffer.from('f') } },
    ])
  })

  it('is known to the master by its encoded name', async () => {
    const encoded = Buffer.from(named('m').encodedName)
    const tableName = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
    const regionInfo = { tableName, startKey: Buffer.from('m'), regionId: 1_700_000_000_000n }
    fake.admin['a']!.answers.push({ regionInfo })
    await servers.compactRegion(encoded, MAJOR, OWN_CALL)
    expect(fake.admin['a']!.asked).toEqual([
      { method: 'GetRegionInfo', request: { region: { type: 2, value: encoded } } },
    ])
    expect(fake.admin['b']!.asked).toMatchObject([{ request: { region: byName('m') } }])
  })

  it('that does not exist is an illegal argument', async () => {
    const invalid = { code: 'ILLEGAL_ARGUMENT', message: expect.stringMatching(/^Invalid region: /) }
    await expect(servers.compactRegion(named('x').name, MAJOR, OWN_CALL)).rejects.toMatchObject(invalid)
    await expect(servers.flushRegion(Buffer.from('t'), undefined, OWN_CALL)).rejects.toMatchObject(invalid)
    expect(fake.admin['a']!.asked).toEqual([])
    fake.admin['a']!.answers.push(new RemoteException({ javaClass: 'java.io.IOException', stackTrace: '' }))
    const encoded = Buffer.from(named('x').encodedName)
    await expect(servers.compactRegion(encoded, MAJOR, OWN_CALL)).rejects.toMatchObject(invalid)
  })

  it('of hbase:meta is one too', async () => {
    fake.admin['a']!.answers.push({ flushed: true })
    await servers.flushRegion(Buffer.from('hbase:meta,,1'), undefined, OWN_CALL)
    const value = Buffer.from('hbase:meta,,1')
    expect(fake.admin['a']!.asked).toEqual([
      { method: 'FlushRegion', request: { region: { type: 1, value } } },
    ])
  })
})

describe('the compaction state', () => {
  const [NONE, MINOR, MAJOR_ONE, BOTH] = [0, 1, 2, 3]
  it.each([
    [NONE, NONE, 'NONE'],
    [NONE, MINOR, 'MINOR'],
    [MAJOR_ONE, NONE, 'MAJOR'],
    [MAJOR_ONE, MINOR, 'MAJOR_AND_MINOR'],
    [NONE, BOTH, 'MAJOR_AND_MINOR'],
  ])('of regions in %i and %i is %s', async (first, last, together) => {
    fake.admin['a']!.answers.push({ compactionState: first })
    fake.admin['b']!.answers.push({ compactionState: last })
    expect(await servers.compactionState(T, OWN_CALL)).toBe(together)
    expect(fake.admin['a']!.asked).toEqual([
      { method: 'GetRegionInfo', request: { region: byName(''), compactionState: true } },
    ])
  })

  it('of a table without open regions is NONE', async () => {
    start([{ ...FIRST, server: undefined }])
    expect(await servers.compactionState(T, OWN_CALL)).toBe('NONE')
  })
})

describe('the store files of a region', () => {
  it('are those that its server lists', async () => {
    fake.admin['b']!.answers.push({ storeFile: ['file:/data/t/f/1'] })
    const family = [Buffer.from('f')]
    expect(await servers.storeFiles(named('m').name, family, OWN_CALL)).toEqual(['file:/data/t/f/1'])
    expect(fake.admin['b']!.asked).toEqual([
      { method: 'GetStoreFile', request: { region: byName('m'), family } },
    ])
  })

  it('are none where it is gone', async () => {
    start([FIRST])
    expect(await servers.storeFiles(named('m').name, [], OWN_CALL)).toEqual([])
  })
})
