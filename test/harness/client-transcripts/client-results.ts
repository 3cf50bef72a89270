/**
 * What the scripts that run other people's clients found, one file of JSON for each in docs/clients: they write it with `--keep`, and
 * docs/clients.md is made of them.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'

export interface ClientResult {
  /** The day, in UTC: `2026-11-25`. */
  readonly date: string
  /** Of Tidegate. */
  readonly version: string
  readonly commit: string
  readonly node: string
  /** Steps whose answers were those of a real HBase, or differ from them for a reason that is written down. */
  readonly passed: number
  readonly failed: number
  /** Of these steps those that may differ. */
  readonly mayDiffer: number
}

/** The last line of a script that runs other people's clients. */
export function verdictLine({ passed, failed }: Pick<ClientResult, 'passed' | 'failed'>): string {
  return `${passed} passed, ${failed} failed\n`
}

export interface KnownClient {
  /** The name of its file in docs/clients. */
  readonly name: string
  readonly client: string
  readonly versions: string
  /** By which door it comes, and how it finds the server. */
  readonly door: string
  readonly features: string
  readonly command: string
}

const RPC = 'native RPC'

export const KNOWN_CLIENTS: readonly KnownClient[] = [
  {
    name: 'java-client-2.6.1',
    client: "HBase's Java client",
    versions: '2.6.1',
    door: `${RPC}, by a bootstrap server`,
    features: 'Table, AsyncTable, scans, Admin, AsyncAdmin, regions, snapshots, replicas of regions',
    command: 'npm run test:java-client',
  },
  {
    name: 'java-client-2.4.17',
    client: "HBase's Java client",
    versions: '2.4.17',
    door: `${RPC}, by ZooKeeper`,
    features: 'Table, AsyncTable, scans',
    command: 'npm run test:java-client -- --client 2.4.17',
  },
  {
    name: 'java-client-1.7.2',
    client: "HBase's Java client",
    versions: '1.7.2',
    door: `${RPC}, by ZooKeeper`,
    features: 'HTable, scans, HBaseAdmin',
    command: 'npm run test:java-client -- --client 1.7.2',
  },
  {
    name: 'java-client-1.4.14',
    client: "HBase's Java client",
    versions: '1.4.14',
    door: `${RPC}, by ZooKeeper`,
    features: 'HTable, scans, HBaseAdmin',
    command: 'npm run test:java-client -- --client 1.4.14',
  },
  {
    name: 'java-client-1.2.12',
    client: "HBase's Java client",
    versions: '1.2.12',
    door: `${RPC}, by ZooKeeper`,
    features: 'HTable, scans, HBaseAdmin',
    command: 'npm run test:java-client -- --client 1.2.12',
  },
  {
    name: 'java-client-1.1.13',
    client: "HBase's Java client",
    versions: '1.1.13',
    door: `${RPC}, by ZooKeeper`,
    features: 'HTable, scans, HBaseAdmin',
    command: 'npm run test:java-client -- --client 1.1.13',
  },
  {
    name: 'java-client-endpoint',
    client: "AggregationClient of HBase's hbase-endpoint",
    versions: '2.6.1',
    door: `${RPC}, by a bootstrap server`,
    features: 'count, sum, minimum, maximum, average, median of columns',
    command: 'npm run test:java-client -- --client endpoint',
  },
  {
    name: 'java-client-quotas',
    client: "HBase's Java client, on servers that keep quotas",
    versions: '2.6.1',
    door: `${RPC}, by a bootstrap server`,
    features: 'throttles, space quotas, limits of namespaces',
    command: 'npm run test:java-client -- --client quotas',
  },
  {
    name: 'pig',
    client: "Pig's HBaseStorage",
    versions: 'Pig 0.18.0 with HBase 2.4.17 and 2.6.1',
    door: `${RPC}, by ZooKeeper and by a bootstrap server`,
    features: 'LOAD with filters and splits, STORE',
    command: 'npm run test:pig',
  },
  {
    name: 'mapreduce',
    client: "HBase's MapReduce jobs",
    versions: '2.6.1',
    door: `${RPC}, by ZooKeeper`,
    features:
      'Export, Import, ImportTsv, bulk loads, CopyTable, RowCounter, PerformanceEvaluation, LoadTestTool',
    command: 'npm run test:mapreduce',
  },
  {
    name: 'opentsdb',
    client: 'OpenTSDB (asynchbase)',
    versions: '2.4.1',
    door: `${RPC}, by ZooKeeper`,
    features: 'points, queries, the bytes of its tables',
    command: 'npm run test:opentsdb',
  },
  {
    name: 'systems',
    client: "JanusGraph, Flink SQL, Spark with hbase-spark, Beam's HBaseIO, Omid, Gora, HBase's Java clients",
    versions: '1.1.0, 1.19.1, 3.3.2 with 1.0.1, 2.60.0, 1.1.2, 0.8, 1.1 to 3.0.0-beta-1',
    door: `${RPC}, by ZooKeeper`,
    features:
      "graphs, SQL, RDDs and data frames, pipelines, transactions, Gora's own 33 tests, the interface that all clients have",
    command: 'npm run test:systems',
  },
  {
    name: 'gohbase',
    client: 'gohbase',
    versions: 'as in `test/clients/gohbase/go.mod`',
    door: `${RPC}, by ZooKeeper`,
    features: 'gets, puts, deletes, scans, counters, check-and-put, tables',
    command: 'npm run test:gohbase',
  },
  {
    name: 'native-clients',
    client: "npm's hbase-rpc-client, PyPI's hbase-driver",
    versions: '0.1.15, 1.1.1',
    door: `${RPC}, by ZooKeeper`,
    features: 'gets, puts, deletes, scans, counters',
    command: 'npm run test:native-clients',
  },
  {
    name: 'hbase-shell',
    client: "HBase's shell",
    versions: '2.4.17',
    door: `${RPC}, by a master`,
    features: '354 commands: data, tables, namespaces, snapshots, quotas, permissions, regions',
    command: 'npm run test:hbase-shell',
  },
  {
    name: 'hbase-rest',
    client: "HBase's own tests of its REST server and client",
    versions: '2.6.1',
    door: 'REST',
    features: 'rows, multigets, scanners with filters, schemas, namespaces, RemoteHTable, RemoteAdmin',
    command: 'npm run test:hbase-rest',
  },
  {
    name: 'hbase-client',
    client: "HBase's own tests of its client",
    versions: '2.6.1',
    door: `${RPC}, by ZooKeeper`,
    features: 'Table, AsyncTable, scans, Admin, AsyncAdmin, snapshots, region locations',
    command: 'npm run test:hbase-client',
  },
  {
    name: 'zookeeper',
    client: "ZooKeeper's command line, HBase's classes that read znodes",
    versions: '3.8.4 and 2.6.1',
    door: 'ZooKeeper',
    features: 'znodes, watches, refused changes; steps are lines of output',
    command: 'npm run test:zookeeper',
  },
  {
    name: 'timeline',
    client: "Hadoop's TimelineClient",
    versions: '3.3.6',
    door: 'timeline',
    features: 'entities, domains, events, filters; steps are lines of output',
    command: 'npm run test:timeline',
  },
  {
    name: 'logins',
    client: "curl, npm's `hbase`, PyPI's happybase, HBase's Java client, with passwords over TLS",
    versions: 'of the machine, 0.6.1, 1.3.0, 2.6.1',
    door: 'REST, Thrift over HTTP, native RPC',
    features: 'a right password is let in, a wrong one is not',
    command: 'npm run test:logins',
  },
]

/** On Tidegate's own store, or with Tidegate as a proxy in front of a real HBase. */
export type KeptTarget = 'tidegate' | 'proxy'

function resultFile(name: string, target: KeptTarget): string {
  const file = target === 'tidegate' ? name : `${name}.${target}`
  return fileURLToPath(new URL(`docs/clients/${file}.json`, packageRoot()))
}

/** Undefined where no run was kept. */
export function keptResult(name: string, target: KeptTarget = 'tidegate'): ClientResult | undefined {
  const file = resultFile(name, target)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ClientResult) : undefined
}

/** Throws for a client that is not among the known ones: no page would show it. */
export function keepResult(
  name: string,
  counts: Pick<ClientResult, 'passed' | 'failed' | 'mayDiffer'>,
  target: KeptTarget = 'tidegate',
): void {
  if (!KNOWN_CLIENTS.some((known) => known.name === name))
    throw new Error(`${name} is not in test/harness/client-transcripts/client-results.ts`)
  const root = fileURLToPath(packageRoot())
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly version: string }
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const result: ClientResult = { date, version, commit, node: process.versions.node, ...counts }
  mkdirSync(`${root}docs/clients`, { recursive: true })
  writeFileSync(resultFile(name, target), `${JSON.stringify(result, null, 2)}\n`)
}
