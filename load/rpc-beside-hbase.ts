/**
 * Tidegate's native RPC door on its embedded engine beside a real HBase region server, under the same bytes: `npm run bench:rpc`.
 * With `-- --proxy` Tidegate stands in front of that HBase, so that the ratio is what a proxy leaves of a server's calls.
 * Starts an HBase of its own (Java and Maven are needed). TIDEGATE_BENCH_ROUND_MS shortens the rounds.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { closedLoop } from '../test/harness/closed-loop.ts'
import { residentBytes } from '../test/harness/process-usage.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { fillRpcTable, PREFACE, RPC_WORKLOADS, type RpcWorkload } from './rpc-requests.ts'
import { compare, type Side } from './side-by-side.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const CONNECTIONS = Number(process.env['TIDEGATE_BENCH_CONNECTIONS'] ?? 16)
const ONLY_RPC = ['--rest', 'off', '--thrift', 'off', '--zookeeper', 'off', '--web', 'off', '--rpc', '0']

interface Server {
  readonly pid: number | undefined
  readonly port: number
  /** The full name of the table's only region. */
  readonly region: Buffer
}

function sideOf({ pid, port, region }: Server, { requestsOf, readAnswer }: RpcWorkload): Side {
  const requests = requestsOf(region)
  return {
    pid,
    run: (durationMs) =>
      closedLoop({
        port,
        requests,
        preface: PREFACE,
        answerBytes: 'framed',
        readAnswer,
        connections: CONNECTIONS,
        durationMs,
      }),
  }
}

function mib(bytes: number): string {
  return `${Math.round(bytes / (1 << 20))} MiB`
}

async function run(hbase: RealHBase, folder: string, isProxy: boolean): Promise<boolean> {
  const store = isProxy ? `hbase:127.0.0.1:${hbase.ports.zookeeper}` : `native:${folder}`
  const tidegate = await ChildServer.start(SERVE, [
    'serve',
    '--store',
    store,
    ...ONLY_RPC,
    '--log-level',
    'warn',
  ])
  try {
    const ports = { ours: tidegate.port('rpc'), peer: hbase.ports.regionServer }
    const ours = { pid: tidegate.pid, port: ports.ours, region: await fillRpcTable(ports.ours) }
    // The same table has the same regions at both doors.
    const region = isProxy ? ours.region : await fillRpcTable(ports.peer)
    const peer = { pid: hbase.pidOf('master'), port: ports.peer, region }
    let areMet = true
    for (const workload of RPC_WORKLOADS) {
      const { name, goal } = workload
      const sides = { ours: sideOf(ours, workload), peer: sideOf(peer, workload) }
      const wanted = isProxy ? 0 : goal
      areMet = (await compare({ name: `RPC ${name}`, goal: wanted, ...sides })) && areMet
    }
    const memory = `${mib(residentBytes(ours.pid))}, HBase's master and region server ${mib(residentBytes(peer.pid))}`
    process.stdout.write(`resident: tidegate ${memory}\n`)
    return areMet
  } finally {
    await tidegate.stop()
  }
}

const missing = missingTools()
if (missing.length > 0) throw new Error(`this benchmark needs ${missing.join(' and ')} on the path`)
const hbase = await RealHBase.start({ gateways: false, heap: '1g' })
const folder = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
try {
  if (!(await run(hbase, folder, process.argv.includes('--proxy')))) process.exitCode = 1
} finally {
  await hbase.stop()
  rmSync(folder, { recursive: true, force: true })
}
