import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { MasterInfo } from '../../../../adapters/hbase/maintain/cluster-status.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { OUTAGE_WAIT_MS } from '../../../../src/store/outage-wait.ts'
import {
  RegionInTransitionSchema,
  RegionLoad_CompactionState,
  ReplicationLoadSinkSchema,
  ReplicationLoadSourceSchema,
} from '../../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { GetClusterStatusResponseSchema } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { FakeServers } from './fake-servers.ts'

const region = (name: string) => ({
  regionSpecifier: { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: Buffer.from(name) },
  stores: 2,
  storefiles: 3,
  storefileSizeMB: 4,
  memStoreSizeMB: 5,
  storefileIndexSizeKB: 6n,
  rootIndexSizeKB: 7,
  totalStaticIndexSizeKB: 8,
  totalStaticBloomSizeKB: 9,
  readRequestsCount: 10n,
  writeRequestsCount: 11n,
  totalCompactingKVs: 12n,
  currentCompactedKVs: 13n,
  // As Java writes -1.
  completeSequenceId: (1n << 64n) - 1n,
  storeCompleteSequenceId: [{ familyName: Buffer.from('f'), sequenceId: 14n }],
  storeUncompressedSizeMB: 15,
  regionSizeMB: 16,
  filteredReadRequestsCount: 17n,
  lastMajorCompactionTs: 18n,
  dataLocality: 0.5,
  storeRefCount: 19,
  dataLocalityForSsd: 0.25,
  blocksTotalWeight: 20n,
  blocksLocalWeight: 21n,
  blocksLocalWithSsdWeight: 22n,
  maxCompactedStoreFileRefCount: 23,
  compactionState: RegionLoad_CompactionState.MAJOR_AND_MINOR,
  currentRegionCachedRatio: 0.75,
})
const sink = { ageOfLastAppliedOp: 25n, timeStampsOfLastAppliedOp: 26n, timestampStarted: 27n }
const source = {
  peerID: 'p',
  ageOfLastShippedOp: 28n,
  sizeOfLogQueue: 29,
  timeStampOfLastShippedOp: 30n,
  replicationLag: 31n,
}
const transition = create(RegionInTransitionSchema, {
  spec: { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: Buffer.from('t,,1') },
  regionState: {
    regionInfo: {
      regionId: 1n,
      tableName: { namespace: Buffer.from('default'), qualifier: Buffer.from('t') },
    },
    state: 1,
  },
})
const server = (hostName: string, port: number) => ({ hostName, port, startCode: 1_700_000_000_001n })
const ANSWER = create(GetClusterStatusResponseSchema, {
  clusterStatus: {
    hbaseVersion: { version: '2.6.1' },
    clusterId: { clusterId: 'id' },
    master: server('m', 1),
    backupMasters: [server('n', 1)],
    balancerOn: true,
    masterCoprocessors: [{ name: 'AccessController' }],
    regionsInTransition: [transition],
    deadServers: [server('d', 3), server('d', 2)],
    liveServers: [
      { server: server('b', 1), serverLoad: {} },
      {
        server: server('a', 1),
        serverLoad: {
          numberOfRequests: 21n,
          totalNumberOfRequests: 22n,
          usedHeapMB: 23,
          maxHeapMB: 24,
          coprocessors: [{ name: 'MultiRowMutationEndpoint' }],
          replLoadSource: [source],
          replLoadSink: sink,
          regionLoads: [region('t,m,1'), region('t,,1')],
        },
      },
    ],
  },
})

function ask(): { fake: FakeServers; master: Master } {
  const fake = new FakeServers([])
  fake.master.answers.push(ANSWER)
  return { fake, master: new Master(fake.cluster, () => 0.5) }
}

function bytesOf<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Buffer {
  return Buffer.from(toBinary(schema, create(schema, message)))
}

test('the status of a cluster is in order of servers and regions', async () => {
  const startCode = 1_700_000_000_001
  const load = {
    stores: 2,
    storeFiles: 3,
    storeFileSizeMB: 4,
    memStoreSizeMB: 5,
    storeFileIndexSizeKB: 6,
    rootIndexSizeKB: 7,
    staticIndexSizeKB: 8,
    staticBloomSizeKB: 9,
    readRequests: 10,
    writeRequests: 11,
    compactingCells: 12,
    compactedCells: 13,
    completedSequenceId: -1,
    storeSequenceIds: [{ family: Buffer.from('f'), sequenceId: 14 }],
    lastMajorCompaction: 18,
    figures: {
      uncompressedSizeMB: 15,
      regionSizeMB: 16,
      filteredReadRequests: 17n,
      dataLocality: 0.5,
      storeReferences: 19,
      dataLocalityForSsd: 0.25,
      blocksTotalWeight: 20n,
      blocksLocalWeight: 21n,
      blocksLocalWithSsdWeight: 22n,
      compactedFileReferences: 23,
      compactionState: 'MAJOR_AND_MINOR',
      cachedRatio: 0.75,
    },
  }
  expect(await new MasterInfo(ask().master).status(OWN_CALL)).toEqual({
    clusterId: 'id',
    hbaseVersion: '2.6.1',
    master: { host: 'm', port: 1, startCode },
    backupMasters: [{ host: 'n', port: 1, startCode }],
    isBalancerOn: true,
    masterCoprocessors: ['AccessController'],
    regionsInTransition: [bytesOf(RegionInTransitionSchema, transition)],
    deadServers: [
      { host: 'd', port: 2, startCode },
      { host: 'd', port: 3, startCode },
    ],
    liveServers: [
      {
        server: { host: 'a', port: 1, startCode },
        requests: 22,
        requestsPerSecond: 21,
        heapUsedMB: 23,
        heapMaxMB: 24,
        regions: [
          { name: Buffer.from('t,,1'), ...load },
          { name: Buffer.from('t,m,1'), ...load },
        ],
        coprocessors: ['MultiRowMutationEndpoint'],
        replication: {
          sources: [bytesOf(ReplicationLoadSourceSchema, source)],
          sink: bytesOf(ReplicationLoadSinkSchema, sink),
        },
      },
      {
        server: { host: 'b', port: 1, startCode },
        requests: 0,
        requestsPerSecond: 0,
        heapUsedMB: 0,
        heapMaxMB: 0,
        regions: [],
        coprocessors: [],
      },
    ],
  })
})

test('a request for the version asks for nothing else', async () => {
  const { fake, master } = ask()
  expect(await new MasterInfo(master).hbaseVersion(OWN_CALL)).toBe('2.6.1')
  expect(fake.master.asked).toEqual([{ method: 'GetClusterStatus', request: { options: [0] } }])
})

const NO_LISTENER = (): RpcError => new RpcError('CONNECT_FAILED', 'no server listens')
const manyTimes = (): RpcError[] => Array.from({ length: 1000 }, NO_LISTENER)

/** The milliseconds after which the version, asked for now, is refused or there. */
async function timeOfVersion({ fake, master }: ReturnType<typeof ask>): Promise<number> {
  const begun = fake.time.now()
  const seen: { ended?: number } = {}
  const end = (): void => {
    seen.ended = fake.time.now() - begun
  }
  void new MasterInfo(master).hbaseVersion(OWN_CALL).then(end, end)
  for (let step = 0; seen.ended === undefined && step < 10_000; step++) await fake.time.advance(100)
  return seen.ended!
}

describe('the version of an absent cluster', () => {
  test('is refused within the wait for an outage, before the first look has ended and after it', async () => {
    const asked = ask()
    asked.fake.meta.failures.push(...manyTimes())
    asked.fake.master.answers.splice(0, asked.fake.master.answers.length, ...manyTimes())
    expect(await timeOfVersion(asked)).toBeLessThanOrEqual(OUTAGE_WAIT_MS + 200)
    await asked.fake.time.advance(5_000)
    expect(await timeOfVersion(asked)).toBeLessThanOrEqual(OUTAGE_WAIT_MS + 200)
  })

  test('is waited for where only the master is absent, since another may replace it', async () => {
    const asked = ask()
    asked.fake.master.answers.splice(0, asked.fake.master.answers.length, ...manyTimes())
    expect(await timeOfVersion(asked)).toBeGreaterThan(30_000)
  })
})
