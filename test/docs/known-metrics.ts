/** The metrics of a running server, and those that only other servers have, with their labels. */

import { pino } from 'pino'
import { clusterMetrics } from '../../adapters/hbase/cluster-metrics.ts'
import { ArchiveState } from '../../src/backup/archive/archive-state.ts'
import { LoginWatch } from '../../src/cli/kerberos/login-watch.ts'
import { LoginCounts, loginMetrics } from '../../src/gateway/identity/guard/login-counts.ts'
import { certificateMetrics } from '../../src/gateway/identity/tls/certificate-metrics.ts'
import { CertificateRefusals } from '../../src/gateway/identity/tls/certificate-refusals.ts'
import type { Metric } from '../../src/model/metric.ts'
import { replicationMetrics } from '../../src/replication/replication-metrics.ts'
import { standbyMetrics } from '../../src/standby/standby-figures.ts'
import { FakeCluster } from '../adapters/hbase/fake-cluster.ts'
import { b64, ConsoleClient } from '../doors/web/console-client.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

/** Labels that Prometheus itself adds to each sample. */
export const OF_PROMETHEUS: readonly string[] = ['job', 'instance']

/** By the name that a query has for it, the labels of each metric. */
export type KnownMetrics = ReadonlyMap<string, ReadonlySet<string>>

export async function knownMetrics(): Promise<KnownMetrics> {
  const known = new Map<string, ReadonlySet<string>>([['up', new Set()]])
  learnText(known, await metricsOfServer())
  learn(known, otherMetrics())
  // Node reports collections once there was one.
  known.set('nodejs_gc_duration_seconds_sum', new Set(['kind']))
  return known
}

async function metricsOfServer(): Promise<string> {
  let text = ''
  await inTemporaryFolder(async (folder) => {
    const client = await ConsoleClient.start({ store: `native:${folder}`, consoleWrites: true })
    try {
      await client.change({ kind: 'createTable', table: 't', families: [{ name: b64('f') }] })
      await client.put('t', b64('r'), b64('v'))
      await client.change({ kind: 'flush', table: 't' })
      await (await fetch(`http://127.0.0.1:${client.server.ports.rest}/nowhere/r`)).text()
      text = await (await client.ask('/metrics')).text()
    } finally {
      await client.server.stop()
    }
  })
  return text
}

/** Metrics of servers with other settings. */
function otherMetrics(): Metric[] {
  return [
    ...clusterMetrics(new FakeCluster().cluster),
    ...new ArchiveState({ folder: '', everyMs: 1, now: () => 0 }).metrics(),
    ...replicationMetrics(() => []),
    ...standbyMetrics(() => undefined),
    ...certificateMetrics({ ends: [], listEnds: [], refusals: new CertificateRefusals() }),
    ...loginMetrics({ counts: new LoginCounts() }),
    new LoginWatch({ principal: '', secondsLeft: 0, trouble: undefined }, pino({ level: 'silent' })).metric,
    { name: 'tidegate_native_outage', kind: 'gauge', help: '', labels: ['cause'], read: () => [] },
  ]
}

function learnText(known: Map<string, ReadonlySet<string>>, text: string): void {
  // A metric may have no sample at the moment.
  for (const [, name] of text.matchAll(/^# TYPE (\w+) (?:counter|gauge)$/gm)) known.set(name!, new Set())
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map((label) => label[1]!)
    known.set(name!, new Set([...(known.get(name!) ?? []), ...names]))
  }
}

function learn(known: Map<string, ReadonlySet<string>>, metrics: readonly Metric[]): void {
  for (const { name, kind, labels = [] } of metrics) {
    if (kind === 'histogram') known.set(`${name}_bucket`, new Set([...labels, 'le']))
    else known.set(name, new Set(labels))
  }
}
