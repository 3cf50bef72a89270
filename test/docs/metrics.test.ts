import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { clusterMetrics } from '../../adapters/hbase/cluster-metrics.ts'
import { ArchiveState } from '../../src/backup/archive/archive-state.ts'
import { LoginWatch } from '../../src/cli/kerberos/login-watch.ts'
import { serverMetrics } from '../../src/doors/web/status/server-metrics.ts'
import { LoginCounts, loginMetrics } from '../../src/gateway/identity/guard/login-counts.ts'
import { certificateMetrics } from '../../src/gateway/identity/tls/certificate-metrics.ts'
import { CertificateRefusals } from '../../src/gateway/identity/tls/certificate-refusals.ts'
import type { Certificates } from '../../src/gateway/identity/tls/certificates.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import { openTracing } from '../../src/gateway/observing/tracing/open-tracing.ts'
import { ServerLife } from '../../src/gateway/server-life.ts'
import { replicationMetrics } from '../../src/replication/replication-metrics.ts'
import { standbyMetrics } from '../../src/standby/standby-figures.ts'
import { FakeCluster } from '../adapters/hbase/fake-cluster.ts'
import { StoreUnderTest } from '../adapters/native/store-under-test.ts'
import { parsedSettings } from '../cli/parsed-settings.ts'

test('every metric is documented, with its type and labels, and no other', async () => {
  const engine = await StoreUnderTest.open()
  const logger = pino({ level: 'silent' })
  const { tracing } = parsedSettings('--otlp-endpoint=http://c')
  const traces = openTracing(tracing!, '', logger).metrics()
  // Their names and labels ask for no certificate and no login.
  const ends: Certificates['ends'] = []
  const logins = [
    ...certificateMetrics({ ends, listEnds: [], refusals: new CertificateRefusals() }),
    ...loginMetrics({ counts: new LoginCounts() }),
    new LoginWatch({ principal: '', secondsLeft: 0, trouble: undefined }, logger).metric,
  ]
  const life = ServerLife.serving(engine.store)
  const facts = { version: '', doors: new Map(), life, traces, logins }
  const readings = await serverMetrics(new MemoryBudget(), facts)()
  const archive = new ArchiveState({ folder: '', everyMs: 1, now: () => 0 }).metrics()
  const replication = replicationMetrics(() => [])
  const standby = standbyMetrics(() => undefined)
  const metrics = [
    ...readings,
    ...archive,
    ...replication,
    ...standby,
    ...clusterMetrics(new FakeCluster().cluster),
  ]
  await engine.store.close()
  const lines = metrics.map(({ name, kind, labels = [] }) => {
    return `\`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')}`.trim()
  })
  const text = readFileSync('docs/metrics.md', 'utf8')
  const documented = [...text.matchAll(/^\| (`tidegate_\w+` \| \w+ \|(?: `[^|]*`)?) +\|/gm)]
  expect(documented.map((match) => match[1]!.trim()).toSorted()).toEqual(lines.toSorted())
})
