/** The data of the overview page: versions, health, doors and memory. */

import { getHeapStatistics } from 'node:v8'
import { HBASE_VERSION } from '../../../model/hbase-version.ts'
import type { MetricReading } from '../../../model/metric.ts'
import { residentBytes } from '../../../model/resident-bytes.ts'
import { readiness } from '../status/health.ts'
import { visibleHealth } from '../status/visible-health.ts'
import type { ConsoleRequest } from './console-request.ts'

interface Account {
  readonly name: string
  readonly bytes: number
  /** The limit in bytes; undefined: the account has no known limit. */
  readonly max?: number | undefined
}

export async function overview({
  store,
  call,
  facts,
  memory,
  uptimeSeconds,
}: ConsoleRequest): Promise<object> {
  const { version, doors, life, reports, console } = facts
  const seen = await visibleHealth({ ...(await readiness(life)), insecure: life.open }, { call, facts })
  const { insecure = [], ...health } = seen
  return {
    version,
    hbase: HBASE_VERSION,
    store: store.kind,
    clusterId: await store.clusterId().catch(() => undefined),
    uptimeSeconds,
    health,
    insecure,
    processes: reports?.processes ?? 1,
    user: call.principal?.user,
    writes: console?.writes ?? false,
    slowLogMs: console?.slow?.limitMs,
    doors: [...doors].map(([name, { port, counters }]) => ({
      name,
      port,
      connections: counters.connections(),
    })),
    memory: {
      refused: memory.refused,
      accounts: [
        { name: 'requests and answers', bytes: memory.granted, max: finite(memory.bytesMax) },
        ...accountsOf(await store.metrics()),
        ...ofProcess(),
      ],
    },
  }
}

function accountsOf(metrics: readonly MetricReading[]): Account[] {
  const value = (name: string): number | undefined =>
    metrics.find((metric) => metric.name === `tidegate_native_${name}`)?.samples[0]?.value
  const accounts = [
    { name: 'memstores', bytes: value('memstore_bytes') },
    { name: 'flushed memstores that scanners read', bytes: value('held_snapshot_bytes') },
    { name: 'block cache', bytes: value('block_cache_bytes'), max: value('block_cache_max_bytes') },
  ]
  return accounts.filter((account): account is Account => account.bytes !== undefined)
}

function ofProcess(): Account[] {
  const resident = residentBytes()
  const heap = { name: 'JavaScript heap', bytes: getHeapStatistics().used_heap_size }
  return Number.isNaN(resident) ? [heap] : [heap, { name: 'resident set of the process', bytes: resident }]
}

function finite(bytes: number): number | undefined {
  return Number.isFinite(bytes) ? bytes : undefined
}
