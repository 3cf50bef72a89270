/**
 * Compares every figure of a server's report with a real HBase's, after the same work, and writes docs/figures.md: `npm run figures`.
 *
 * Starts a real HBase of one server, Tidegate in front of it, and Tidegate on an embedded engine, each on free ports with fresh data. Ends
 * with exit code 1 where a figure does not agree as test/harness/figures/figure-rules.ts says. Without Java or Maven the tool compares nothing.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import type { Store } from '../src/store/store.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { faultsOf } from '../test/harness/figures/figure-rules.ts'
import { figuresDocument, withTables } from '../test/harness/figures/figures-document.ts'
import { type Figures, reportedFigures, type ServerPorts } from '../test/harness/figures/reported-figures.ts'
import { doRestWork } from '../test/harness/figures/rest-work.ts'
import { doSharedWork } from '../test/harness/figures/shared-work.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { QUICK_SETTINGS } from '../test/harness/real-hbase/quick-settings.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { openRpcStore } from '../test/harness/rpc-store.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const PAGE = new URL('../../docs/figures.md', import.meta.url).pathname
/** The rates of HBase are of five seconds, and its servers report to the master every three. */
const REPORTED_MS = 10_000

async function serve(store: string): Promise<ChildServer> {
  const doors = ['--rest', '0', '--thrift', 'off', '--rpc', '0', '--zookeeper', 'off', '--web', '0']
  return ChildServer.start(SERVE, ['serve', '--store', store, ...doors, '--log-level', 'error'])
}

function portsOf(server: ChildServer): ServerPorts {
  return { master: server.port('rpc'), rest: server.port('rest'), webs: [server.port('web')] }
}

/** Does the work by native RPC and by REST. */
async function workAt({ master, rest }: ServerPorts): Promise<void> {
  const store: Store = await openRpcStore(master)
  try {
    await doSharedWork(store)
  } finally {
    await store.close()
  }
  await doRestWork(rest)
}

async function ofEngine(): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'figures-'))
  const server = await serve(`native:${directory}`)
  try {
    await workAt(portsOf(server))
    await later(REPORTED_MS)
    return await reportedFigures(portsOf(server))
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Of a real HBase whose clients come through Tidegate, so that both count the same requests. HBase's own REST server has its own. */
async function ofHBase(): Promise<{ readonly hbase: Figures; readonly front: Figures }> {
  const hbase = await RealHBase.start({ settings: QUICK_SETTINGS, gateways: ['rest'] })
  const { master, masterInfo, rest, restInfo, zookeeper } = hbase.ports
  try {
    const front = await serve(`hbase:127.0.0.1:${zookeeper}`)
    try {
      await workAt(portsOf(front))
      await doRestWork(rest)
      await later(REPORTED_MS)
      const own = await reportedFigures({ master, rest, webs: [masterInfo, restInfo] })
      return { hbase: own, front: await reportedFigures(portsOf(front)) }
    } finally {
      await front.stop()
    }
  } finally {
    await hbase.stop()
  }
}

const missing = missingTools()
if (missing.length > 0) {
  process.stdout.write(`no figures: this machine has no ${missing.join(' and no ')}\n`)
} else {
  const figures = { engine: await ofEngine(), ...(await ofHBase()) }
  const faults = faultsOf(figures)
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), figuresDocument(figures)))
  process.stdout.write(`${figures.hbase.size} figures compared, ${faults.length} do not agree\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
