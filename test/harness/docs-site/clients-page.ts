/** docs/clients.md: which clients of other people run, in which versions, and when that was last tried. */

import type { ClientResult, KeptTarget, KnownClient } from '../client-transcripts/client-results.ts'

const HEAD = `<!-- Made by \`npm run docs:clients\` of the files in docs/clients. -->

# Clients, versions, features

This page is for users of HBase's clients who ask whether theirs works with Tidegate. Each line is a program of another project, unchanged.
A script runs it against Tidegate and compares its output, step by step, with
its output on a real HBase 2.6.1. A step **may differ** if a file beside the recording gives the reason.

`

const PROXY = `
The same programs with Tidegate in front of a real HBase 2.6.1, by \`--target proxy\`:

`

const TAIL = `
A script keeps its result with \`-- --keep\`, as a file in the folder clients beside this page. \`npm run docs:clients\` makes this page of those files. "Not kept" marks
a client whose script has not run that way yet: it may work all the same.

## Clients that cannot work

**Phoenix** keeps its tables' rows by coprocessors of its own, Java classes that run within HBase's region servers. Tidegate runs no Java: it refuses Phoenix's
tables, and no setting changes that. If a cluster has Phoenix, Phoenix's clients connect to the cluster itself. The same holds for other programs that
install coprocessors or filters of their own (\`docs/differences-from-hbase.md\`).

## gohbase

Go's proxy answers 403 for \`github.com/tsuna/gohbase\`, also for the version that \`test/clients/gohbase/go.mod\` names. \`GOPROXY=direct\` fetches it from GitHub. If
you cannot reach GitHub either, name a folder with gohbase's sources. A program of yours does so by \`go mod edit -replace github.com/tsuna/gohbase=FOLDER\`, and
\`npm run test:gohbase\` by the variable \`GOHBASE_SOURCE=FOLDER\`. The proxy has the modules that gohbase needs.

## HBase's own tests of its client

\`npm run test:hbase-client\` runs 114 classes of HBase's tests. On Tidegate's engine (2026-11-29, commits 43387d8c to 043cd8c0, in three runs): 1055 tests pass and
none fails but one, by the client's own tracing.

- 96 cannot pass, each with its reason in \`test/clients/hbase-client-tests/expected-failures.json\`. Some need replication peers or a writable
  hbase:meta, which a real HBase has. The rest ask for settings, classes or files of a server in the tests' own process.
- 188 asked for another object of such a server and count as out of reach.
- \`ServerObjects.java\` gives the tests the server's names, regions and ZooKeeper, which a client can find out. The first 48 classes ran before that. Since then some 20 of their tests
  that were out of reach have passed (TestAsyncNamespaceAdminApi, TestSnapshotWithTTLFromClient, clones with another file tracker).
- TestZKConnectionRegistry, TestAsyncAdminWithRegionReplicas and TestRegionLocator give hbase:meta copies, and have run later. 16 of their tests pass, one writes to ZooKeeper, and two
  move copies of hbase:meta.

In front of a real HBase 91 of the classes have run (2026-11-28, commits 1d1c9e61ee to 1c585211): 960 tests pass and none fails unexpectedly. 62 cannot pass, and 176 are out of reach. These have
not run there: 19 classes of snapshots (most clones and restores, all of MOB families, the one of TTLs), TestMultiParallel, TestRawAsyncTableScan, TestRegionLocator,
TestUpdateConfiguration, and the end of TestAsyncTableScanner.
\`--results FILE\` writes the outcome of each test, so that two runs can be compared.

## The Java client 3, and clients that ask the master

Clients of release 3 ask no ZooKeeper: without a setting they ask the master's port, 16000 of their own host. Tidegate answers there as HBase's master does (\`--master PORT\`,
\`hbase.master.port\`). If \`--rpc\` has another port than 16020, the master's port is off until you state \`--master PORT\`. Clients on another host need one of these keys in their \`hbase-site.xml\`:

- \`hbase.masters\`, set to \`HOST:16000\`;
- \`hbase.client.bootstrap.servers\`, set to the address of native RPC (\`HOST:16020\`);
- \`hbase.client.registry.impl\`, set to \`org.apache.hadoop.hbase.client.ZKConnectionRegistry\`, to ask ZooKeeper.

A client of release 2 asks the master where \`hbase.client.registry.impl\` is \`org.apache.hadoop.hbase.client.MasterRegistry\` and \`hbase.masters\` is \`HOST:16000\`.
\`npm run test:java-client -- --registry master\` runs the programs of 2.6.1 so.

\`npm run test:systems -- --only registries\` runs these clients; \`-- --only versions\` runs those that ask ZooKeeper.

## Clients that every test run uses

\`npm test\` runs these on REST and Thrift, and fails if they do not work:

| client | version | door | test |
| --- | --- | --- | --- |
| npm's \`hbase\` | 0.6.1 | REST | \`test/clients/hbase-rest.test.ts\` |
| Apache Thrift's library for Node, with HBase's own IDL | 0.24.0 | Thrift 1 and 2 | \`test/clients/thrift1.test.ts\`, \`test/clients/thrift2.test.ts\` |

\`npm run test:kits\` runs PyPI's \`happybase\` 1.3.0 (Thrift 1) and HBase's Java client 2.6.1, as the packages for tests of other projects use them.
`

export function clientsPage(
  clients: readonly KnownClient[],
  resultOf: (name: string, target: KeptTarget) => ClientResult | undefined,
): string {
  const rows = clients.map((known) => {
    const { client, versions, door, features, command } = known
    return `| ${[client, versions, door, features, resultText(resultOf(known.name, 'tidegate')), `\`${command}\``].join(' | ')} |`
  })
  const head = ['client', 'versions', 'door', 'features', 'last kept result', 'command']
  const behind = clients.flatMap(({ name, client, versions, command }) => {
    const result = resultOf(name, 'proxy')
    const proxied = `\`${command}${command.includes(' -- ') ? '' : ' --'} --target proxy\``
    return result === undefined ? [] : [`| ${[client, versions, resultText(result), proxied].join(' | ')} |`]
  })
  return `${HEAD}${tableOf(head, rows)}\n${PROXY}${tableOf(['client', 'versions', 'last kept result', 'command'], behind)}\n${TAIL}`
}

function tableOf(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n')
}

function resultText(result: ClientResult | undefined): string {
  if (result === undefined) return 'not kept'
  const { date, version, commit, node, passed, failed, mayDiffer } = result
  const bad = failed === 0 ? '' : `, **${failed} failed**`
  const differ = mayDiffer === 0 ? '' : ` (${mayDiffer} may differ)`
  return `${date}: ${passed} of ${passed + failed} steps${differ}${bad}; Tidegate ${version}, ${commit}, Node ${node}`
}
