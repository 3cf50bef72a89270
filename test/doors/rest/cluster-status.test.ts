/** The state of a cluster behind the door, in the forms that HBase 2.6.1 gives it. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClusterInfo, ClusterStatus, RegionLoad } from '../../../src/store/upkeep.ts'
import { type RestServer, SERVER, startRestServer } from './rest-server.ts'

const REGION: RegionLoad = {
  name: Buffer.from('hbase:meta,,1'),
  stores: 3,
  storeFiles: 4,
  storeFileSizeMB: 5,
  memStoreSizeMB: 6,
  storeFileIndexSizeKB: 7,
  readRequests: 203,
  writeRequests: 238,
  rootIndexSizeKB: 8,
  staticIndexSizeKB: 9,
  staticBloomSizeKB: 10,
  compactingCells: 11,
  completedSequenceId: -1,
  storeSequenceIds: [],
  lastMajorCompaction: 0,
  compactedCells: 12,
}
const STATUS: ClusterStatus = {
  clusterId: 'afd60a90',
  hbaseVersion: '2.5.11',
  master: { host: 'm', port: 16000, startCode: 1 },
  backupMasters: [],
  liveServers: [
    {
      server: { host: 'a', port: 16020, startCode: 1795326551146 },
      requests: 2310251,
      requestsPerSecond: 12,
      heapUsedMB: 338,
      heapMaxMB: 1024,
      coprocessors: [],
      regions: [REGION],
    },
    {
      server: { host: 'b', port: 16020, startCode: 2 },
      requests: 0,
      requestsPerSecond: 0,
      heapUsedMB: 1,
      heapMaxMB: 2,
      coprocessors: [],
      regions: [],
    },
  ],
  deadServers: [{ host: 'c', port: 16020, startCode: 3 }],
  isBalancerOn: true,
  masterCoprocessors: [],
  regionsInTransition: [],
}

let server: RestServer
beforeAll(async () => {
  const cluster: ClusterInfo = {
    status: () => Promise.resolve(STATUS),
    hbaseVersion: () => Promise.resolve(STATUS.hbaseVersion),
    regionLoads: () => Promise.resolve([]),
    procedures: () => Promise.resolve([]),
  }
  server = await startRestServer({}, { upkeep: { cluster } })
})
afterAll(() => server.close())

test('is XML with attributes in order of their names', async () => {
  expect((await server.get('/status/cluster', 'text/xml')).text).toBe(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
      '<ClusterStatus averageLoad="0.5" regions="1" requests="441"><DeadNodes><Node>c,16020,3</Node></DeadNodes>' +
      '<LiveNodes><Node heapSizeMB="338" maxHeapSizeMB="1024" name="a:16020" requests="2310251" startCode="1795326551146">' +
      '<Region currentCompactedKVs="12" memStoreSizeMB="6" name="aGJhc2U6bWV0YSwsMQ==" readRequestsCount="203" ' +
      'rootIndexSizeKB="8" storefileIndexSizeKB="7" storefileSizeMB="5" storefiles="4" stores="3" totalCompactingKVs="11" ' +
      'totalStaticBloomSizeKB="10" totalStaticIndexSizeKB="9" writeRequestsCount="238"/></Node>' +
      '<Node heapSizeMB="1" maxHeapSizeMB="2" name="b:16020" requests="0" startCode="2"/></LiveNodes></ClusterStatus>',
  )
})

test('is JSON', async () => {
  expect((await server.get('/status/cluster')).text).toBe(
    '{"LiveNodes":[{"name":"a:16020","startCode":1795326551146,"requests":2310251,"heapSizeMB":338,"maxHeapSizeMB":1024,' +
      '"Region":[{"name":"aGJhc2U6bWV0YSwsMQ==","stores":3,"storefiles":4,"storefileSizeMB":5,"storefileIndexSizeKB":7,' +
      '"readRequestsCount":203,"writeRequestsCount":238,"rootIndexSizeKB":8,"totalStaticIndexSizeKB":9,' +
      '"totalStaticBloomSizeKB":10,"totalCompactingKVs":11,"currentCompactedKVs":12,"memStoreSizeMB":6}]},' +
      '{"name":"b:16020","startCode":2,"requests":0,"heapSizeMB":1,"maxHeapSizeMB":2,"Region":[]}],' +
      '"DeadNodes":["c,16020,3"],"regions":1,"requests":441,"averageLoad":0.5}',
  )
})

test('is text for people', async () => {
  const { text } = await server.get('/status/cluster', 'text/plain')
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    '2 live servers, 1 dead servers, 0.5000 average load',
    '',
    '2 live servers',
    'a:16020 1795326551146',
    'requests=2310251, regions=1',
    'heapSizeMB=338',
    'maxHeapSizeMB=1024',
    '',
    'hbase:meta,,1',
    'stores=3',
    'storefiless=4',
    'storefileSizeMB=5',
    'memstoreSizeMB=6',
    'storefileIndexSizeKB=7',
    'readRequestsCount=203',
    'writeRequestsCount=238',
    'rootIndexSizeKB=8',
    'totalStaticIndexSizeKB=9',
    'totalStaticBloomSizeKB=10',
    'totalCompactingKVs=11',
    'currentCompactedKVs=12',
    '',
    'b:16020 2',
    'requests=0, regions=0',
    'heapSizeMB=1',
    'maxHeapSizeMB=2',
    '',
    '',
    '',
    '1 dead servers',
    'c,16020,3',
    '',
  ])
})

test('is protobuf', async () => {
  const { body } = await server.get('/status/cluster', 'application/x-protobuf')
  const region = `0a0d${Buffer.from('hbase:meta,,1').toString('hex')}1003180420052806300738cb0140ee0148085009580a600b680c`
  const first = `0a07613a313630323010eac8b48ea03418eb808d0120d20228800832${length(region)}${region}`
  const second = '0a07623a31363032301002180020012802'
  expect(body.toString('hex')).toBe(
    `0a${length(first)}${first}0a${length(second)}${second}1209${Buffer.from('c,16020,3').toString('hex')}` +
      '180120b90329000000000000e03f',
  )
})

function length(hex: string): string {
  return Buffer.of(hex.length / 2).toString('hex')
}

test('without servers behind the door has the server whose address clients get', async () => {
  const alone = await startRestServer()
  try {
    const { LiveNodes, regions } = JSON.parse((await alone.get('/status/cluster')).text) as {
      LiveNodes: { name: string; startCode: number; Region: unknown[] }[]
      regions: number
    }
    const name = `${SERVER.host}:${SERVER.port}`
    expect(LiveNodes).toMatchObject([{ name, startCode: SERVER.startCode, Region: [{ stores: 2 }] }])
    expect(regions).toBe(1)
    expect((await alone.get('/t/regions')).text).toContain(`"location":"${name}"`)
  } finally {
    await alone.close()
  }
})

test('names the version of the cluster', async () => {
  expect((await server.get('/version/cluster', 'text/plain')).text).toBe('2.5.11')
})
