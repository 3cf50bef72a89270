/**
 * HBase's /jmx: the beans that monitoring programs read, with the attributes that Tidegate knows. Counters begin at the start of the
 * server; times are in milliseconds.
 */

import { getHeapStatistics } from 'node:v8'
import type { DoorCounters, RequestCounts } from '../../../gateway/observing/metrics.ts'
import { HBASE_VERSION } from '../../../model/hbase-version.ts'
import { Latencies } from '../../../model/latencies.ts'
import type { MetricReading } from '../../../model/metric.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import { allLoads, totalOf } from '../status/region-loads.ts'
import type { ServerFacts } from '../status/server-facts.ts'
import { type Bean, hadoop } from './bean.ts'
import { requestsOf } from './request-sum.ts'
import { restBean } from './rest-bean.ts'

const BYTES_PER_MEGABYTE = 1048576

export interface JmxParts {
  readonly store: Store
  readonly call: Call
  readonly facts: ServerFacts
  readonly uptimeSeconds: number
}

export async function beans({ store, call, facts, uptimeSeconds }: JmxParts): Promise<Bean[]> {
  const metrics = await store.metrics()
  const status = await store.upkeep.cluster?.status(call).catch(() => undefined)
  const loads = await allLoads(store, onOwnBehalf(call))
  const servers = status?.liveServers.length ?? 1
  const counters = (door: string): DoorCounters | undefined => facts.doors.get(door)?.counters
  const { used_heap_size: heapUsed, total_heap_size: heapTotal } = getHeapStatistics()
  const startMs = Date.now() - Math.round(uptimeSeconds * 1000)
  return [
    { name: 'java.lang:type=Memory', HeapMemoryUsage: { used: heapUsed, committed: heapTotal } },
    { name: 'java.lang:type=Runtime', Uptime: Math.round(uptimeSeconds * 1000), StartTime: startMs },
    {
      name: 'Hadoop:service=HBase,name=Info',
      'tag.tidegate': facts.version,
      version: HBASE_VERSION,
      store: store.kind,
    },
    hadoop('JvmMetrics', {
      MemHeapUsedM: heapUsed / BYTES_PER_MEGABYTE,
      MemHeapCommittedM: heapTotal / BYTES_PER_MEGABYTE,
    }),
    restBean(counters('rest')),
    thriftBean('ThriftOne', 'Hbase', counters('thrift')),
    thriftBean('ThriftTwo', 'THBaseService', counters('thrift')),
    regionServerBean(metrics, loads, counters('rpc'), startMs),
    hadoop('Master,sub=Server', {
      'tag.clusterId': await store.clusterId().catch(() => ''),
      'tag.isActiveMaster': 'true',
      numRegionServers: servers,
      numDeadRegionServers: status?.deadServers.length ?? 0,
      averageLoad: loads.length / Math.max(1, servers),
      masterStartTime: startMs,
    }),
  ]
}

function thriftBean(sub: string, service: string, counters: DoorCounters | undefined): Bean {
  const asked = [...(counters?.asked() ?? [])].filter((kind) => kind.service === service)
  const methods = asked.flatMap(({ method, counts }) => Object.entries(timesOf(method, [counts])))
  return hadoop(`Thrift,sub=${sub}`, {
    'tag.Context': sub === 'ThriftOne' ? 'thrift-one' : 'thrift-two',
    ...timesOf(
      'thriftCall',
      asked.map(({ counts }) => counts),
    ),
    ...Object.fromEntries(methods),
  })
}

/** The attributes of a histogram, as HBase names them. */
function timesOf(name: string, each: readonly RequestCounts[]): Record<string, number> {
  const all = new Latencies()
  for (const { latencies } of each) all.addAll(latencies)
  const { count, totalMs } = all
  return {
    [`${name}_num_ops`]: count,
    [`${name}_mean`]: count === 0 ? 0 : totalMs / count,
    [`${name}_median`]: all.quantile(0.5),
    [`${name}_75th_percentile`]: all.quantile(0.75),
    [`${name}_95th_percentile`]: all.quantile(0.95),
    [`${name}_99th_percentile`]: all.quantile(0.99),
    [`${name}_99.9th_percentile`]: all.quantile(0.999),
    [`${name}_max`]: all.quantile(1),
  }
}

/** HBase's attributes, and the engine's metrics that hold their values. */
const OF_ENGINE: Readonly<Record<string, string>> = {
  memStoreSize: 'memstore_data_bytes',
  storeFileSize: 'table_store_file_bytes',
  hlogFileCount: 'wal_files',
  hlogFileSize: 'wal_bytes',
  blockCacheSize: 'block_cache_bytes',
  blockCacheHitCount: 'block_cache_hits_total',
  blockCacheMissCount: 'block_cache_misses_total',
  blockCacheEvictionCount: 'block_cache_evictions_total',
  compactionQueueLength: 'waiting_compactions',
  splitSuccessCount: 'region_splits_total',
}

/** HBase's counts of calls by native RPC, and the methods that they count. */
const OF_CALLS: Readonly<Record<string, string>> = {
  rpcGetRequestCount: 'Get',
  rpcScanRequestCount: 'Scan',
  rpcMultiRequestCount: 'Multi',
  rpcMutateRequestCount: 'Mutate',
}

function regionServerBean(
  metrics: readonly MetricReading[],
  loads: readonly RegionLoad[],
  counters: DoorCounters | undefined,
  startMs: number,
): Bean {
  const values = new Map(metrics.map(({ name, samples }) => [name, samples]))
  const engine = Object.entries(OF_ENGINE).flatMap(([attribute, name]) => {
    const samples = values.get(`tidegate_native_${name}`)
    return samples === undefined
      ? []
      : [[attribute, samples.reduce((sum, { value }) => sum + value, 0)] as const]
  })
  const asked = [...(counters?.asked() ?? [])]
  const timed = (name: string, method: string): Record<string, number> =>
    timesOf(
      name,
      asked.flatMap((kind) => (kind.method === method ? [kind.counts] : [])),
    )
  const calls = Object.entries(OF_CALLS).map(([attribute, method]) => {
    return [attribute, requestsOf(counters, (_, each) => each === method).all] as const
  })
  const [readRequestCount, writeRequestCount] = [
    totalOf(loads, (load) => load.readRequests),
    totalOf(loads, (load) => load.writeRequests),
  ]
  return hadoop('RegionServer,sub=Server', {
    'tag.Context': 'regionserver',
    regionServerStartTime: startMs,
    regionCount: loads.length,
    storeCount: totalOf(loads, (load) => load.stores),
    storeFileCount: totalOf(loads, (load) => load.storeFiles),
    // A cluster reports whole megabytes.
    storeFileSize: totalOf(loads, (load) => load.storeFileSizeMB) * BYTES_PER_MEGABYTE,
    ...Object.fromEntries(engine),
    totalRequestCount: readRequestCount + writeRequestCount,
    totalRowActionRequestCount: readRequestCount + writeRequestCount,
    readRequestCount,
    filteredReadRequestCount: totalOf(loads, ({ figures }) => Number(figures?.filteredReadRequests ?? 0)),
    writeRequestCount,
    ...Object.fromEntries(calls),
    ...timed('Get', 'Get'),
    ...timed('Mutate', 'Mutate'),
    ...timed('ScanTime', 'Scan'),
  })
}
