/**
 * HBase's /jmx: the beans that monitoring programs read, with the attributes that Tidegate knows. Counters begin at the start of the
 * server; times are in milliseconds.
 */

import { memoryUsage } from 'node:process'
import type { DoorCounters, RequestCounts } from '../../../gateway/observing/metrics.ts'
import { HBASE_VERSION } from '../../../model/hbase-version.ts'
import { Latencies } from '../../../model/latencies.ts'
import type { MetricReading } from '../../../model/metric.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import { loadsByTable, totalOf } from '../status/region-loads.ts'
import type { ServerFacts } from '../status/server-facts.ts'

type Attribute = string | number | boolean | object
export type Bean = Readonly<Record<string, Attribute>> & { readonly name: string }

export interface JmxParts {
  readonly store: Store
  readonly call: Call
  readonly facts: ServerFacts
  readonly uptimeSeconds: number
}

export async function beans({ store, call, facts, uptimeSeconds }: JmxParts): Promise<Bean[]> {
  const metrics = await store.metrics()
  const loads = [...(await loadsByTable(store, call)).values()].flat()
  const status = await store.upkeep.cluster?.status(call).catch(() => undefined)
  const servers = status?.liveServers.length ?? 1
  const counters = (door: string): DoorCounters | undefined => facts.doors.get(door)?.counters
  const { heapUsed, heapTotal } = memoryUsage()
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
    hadoop('JvmMetrics', { MemHeapUsedM: heapUsed / 1048576, MemHeapCommittedM: heapTotal / 1048576 }),
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

function hadoop(name: string, attributes: Readonly<Record<string, Attribute>>): Bean {
  return { name: `Hadoop:service=HBase,name=${name}`, ...attributes }
}

interface Sum {
  readonly ok: number
  readonly other: number
}

function sumOf(counters: DoorCounters | undefined, isOf: (service: string, method: string) => boolean): Sum {
  const sum = { ok: 0, other: 0 }
  for (const { service, method, counts } of counters?.asked() ?? []) {
    if (!isOf(service, method)) continue
    sum.ok += counts.ok - counts.absent
    sum.other += counts.refused + counts.failed + counts.absent
  }
  return sum
}

/** HBase counts all reads of rows as gets, those that find nothing as failed ones, and scans separately. */
function restBean(counters: DoorCounters | undefined): Bean {
  const all = sumOf(counters, () => true)
  const verbs = (services: readonly string[], ...methods: readonly string[]): Sum =>
    sumOf(counters, (service, method) => services.includes(service) && methods.includes(method))
  const gets = verbs(['row', 'multiget'], 'GET', 'HEAD')
  const puts = verbs(['row'], 'PUT', 'POST')
  const deletes = verbs(['row'], 'DELETE')
  const scans = sumOf(counters, (service) => service === 'scan' || service.startsWith('scanner'))
  return hadoop('REST', {
    'tag.Context': 'rest',
    requests: all.ok + all.other,
    successfulGet: gets.ok,
    failedGet: gets.other,
    successfulPut: puts.ok,
    failedPut: puts.other,
    successfulDelete: deletes.ok,
    failedDelete: deletes.other,
    successfulScanCount: scans.ok,
    failedScanCount: scans.other,
  })
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
  regionCount: 'regions',
  memStoreSize: 'memstore_bytes',
  storeFileCount: 'store_files',
  hlogFileCount: 'wal_files',
  hlogFileSize: 'wal_bytes',
  blockCacheSize: 'block_cache_bytes',
  blockCacheHitCount: 'block_cache_hits_total',
  blockCacheMissCount: 'block_cache_misses_total',
  blockCacheEvictionCount: 'block_cache_evictions_total',
  compactionQueueLength: 'waiting_compactions',
  splitSuccessCount: 'region_splits_total',
}

function regionServerBean(
  metrics: readonly MetricReading[],
  loads: readonly RegionLoad[],
  counters: DoorCounters | undefined,
  startMs: number,
): Bean {
  const values = new Map(metrics.map(({ name, samples }) => [name, samples[0]?.value ?? 0]))
  const engine = Object.entries(OF_ENGINE).flatMap(([attribute, name]) => {
    const value = values.get(`tidegate_native_${name}`)
    return value === undefined ? [] : [[attribute, value] as const]
  })
  const asked = [...(counters?.asked() ?? [])]
  const timed = (name: string, method: string): Record<string, number> =>
    timesOf(
      name,
      asked.flatMap((kind) => (kind.method === method ? [kind.counts] : [])),
    )
  const [readRequestCount, writeRequestCount] = [
    totalOf(loads, (load) => load.readRequests),
    totalOf(loads, (load) => load.writeRequests),
  ]
  return hadoop('RegionServer,sub=Server', {
    'tag.Context': 'regionserver',
    regionServerStartTime: startMs,
    regionCount: loads.length,
    storeCount: totalOf(loads, (load) => load.stores),
    storeFileSize: totalOf(loads, (load) => load.storeFileSizeMB) * 1048576,
    ...Object.fromEntries(engine),
    totalRequestCount: readRequestCount + writeRequestCount,
    readRequestCount,
    writeRequestCount,
    ...timed('Get', 'Get'),
    ...timed('Mutate', 'Mutate'),
    ...timed('ScanNext', 'Scan'),
  })
}
