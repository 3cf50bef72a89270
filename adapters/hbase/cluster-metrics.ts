/** The metrics of the adapter, described in docs/metrics.md. */

import { counter, gauge, type Metric } from '../../src/model/metric.ts'
import type { Cluster } from './cluster/cluster.ts'

export function clusterMetrics({ calls, connections, locator, outages, retrier }: Cluster): Metric[] {
  return [
    {
      name: 'tidegate_hbase_calls_total',
      kind: 'counter',
      help: 'Calls of servers of the cluster, by method',
      labels: ['method'],
      read: () => [...calls.sent].map(([method, sent]) => ({ labels: { method }, value: sent.calls })),
    },
    {
      name: 'tidegate_hbase_call_seconds',
      kind: 'histogram',
      help: 'How long calls of servers of the cluster took, by method',
      labels: ['method'],
      read: () => [...calls.sent].flatMap(([method, { latencies }]) => [...latencies.samples({ method })]),
    },
    {
      name: 'tidegate_hbase_failures_total',
      kind: 'counter',
      help: 'What requests of the cluster failed with, by what it means',
      labels: ['kind'],
      read: () => Object.entries(calls.failures).map(([kind, value]) => ({ labels: { kind }, value })),
    },
    counter('tidegate_hbase_retries_total', 'Pauses before another attempt', () => retrier.retries),
    counter(
      'tidegate_hbase_operations_given_up_total',
      'Operations that failed although another attempt might have succeeded: retries or time were used up',
      () => retrier.givenUp,
    ),
    counter(
      'tidegate_hbase_location_lookups_total',
      'Searches of hbase:meta for the region of a row that was not known, or no longer',
      () => locator.lookups,
    ),
    gauge(
      'tidegate_hbase_connections',
      'Connections to servers of the cluster that are open',
      () => connections.size,
    ),
    counter('tidegate_hbase_outages_total', 'Outages of the cluster that have begun', () => outages.begun),
    {
      name: 'tidegate_hbase_outage',
      kind: 'gauge',
      help: '1 during an outage, else 0',
      together: 'max',
      read: () => [{ value: outages.reason === undefined ? 0 : 1 }],
    },
    counter(
      'tidegate_hbase_outage_seconds_total',
      'How long outages have lasted, the present one included',
      () => outages.totalMs / 1000,
    ),
  ]
}
