/**
 * Tidegate in front of a real HBase beside HBase's own REST and Thrift servers in front of the same HBase, in one run, with
 * one generator: `npm run bench:gateways`. Starts an HBase of its own (Java and Maven are needed).
 *
 * Only the ratios mean something. Rounds alternate between the two sides, after half a minute that warms the JVMs up, and
 * the median round counts.
 */

import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, closedLoop, isWholeFrame } from '../test/harness/closed-loop.ts'
import { residentBytes } from '../test/harness/process-usage.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { i32Answer, scannerClose, scannerOpenWithScan } from '../test/harness/thrift-frames.ts'
import { readRestAnswer } from './answers/rest-answer.ts'
import { readThriftAnswer } from './answers/thrift-answer.ts'
import { type BenchTable, fillTable, ROWS_PER_SCAN } from './bench-table.ts'
import { bufferedScanLoop } from './buffered-scan-loop.ts'
import { answerBytes, httpAnswerBytes, restPuts, thriftPuts, unframed } from './gateway-requests.ts'
import { restGetRequests, thriftGetRequests } from './get-requests.ts'
import { scanLoop } from './scan-loop.ts'
import { type Comparison, compare, type Side } from './side-by-side.ts'

/** A gateway has many clients: fewer leave cores idle, and measure only the round trip. */
const CLIENTS = 64
const SCANNING_CLIENTS = 16
const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname

interface Gateways {
  readonly tidegate: ChildServer
  readonly hbase: RealHBase
  readonly table: BenchTable
}

/** The same messages to both Thrift servers, whose answers are equally long. */
async function thriftComparison(
  { tidegate, hbase }: Gateways,
  name: string,
  frames: readonly Buffer[],
): Promise<Comparison> {
  const bytes = await answerBytes(tidegate.port('thrift'), frames[0]!)
  const requests = frames.map(unframed)
  const side = (pid: number | undefined, port: number): Side => ({
    pid,
    run: (durationMs) =>
      closedLoop({
        port,
        requests,
        answerBytes: bytes,
        readAnswer: readThriftAnswer,
        connections: CLIENTS,
        durationMs,
      }),
  })
  return {
    name,
    goal: 1.5,
    ours: side(tidegate.pid, tidegate.port('thrift')),
    peer: side(hbase.pidOf('thrift1'), hbase.ports.thrift1),
  }
}

async function restComparison(
  { tidegate, hbase }: Gateways,
  name: string,
  requests: readonly Buffer[],
): Promise<Comparison> {
  const side = async (pid: number | undefined, port: number): Promise<Side> => {
    const bytes = await httpAnswerBytes(port, requests[0]!)
    return {
      pid,
      run: (durationMs) =>
        closedLoop({
          port,
          requests,
          answerBytes: bytes,
          readAnswer: readRestAnswer,
          connections: CLIENTS,
          durationMs,
        }),
    }
  }
  return {
    name,
    goal: 1.5,
    ours: await side(tidegate.pid, tidegate.port('rest')),
    peer: await side(hbase.pidOf('rest'), hbase.ports.rest),
  }
}

async function scanComparison({ tidegate, hbase, table }: Gateways): Promise<Comparison> {
  const port = tidegate.port('thrift')
  const probe = await scanLoop({ port, table, connections: 1, durationMs: 0 })
  const opened = await askOnce(port, scannerOpenWithScan(table.name, ROWS_PER_SCAN), isWholeFrame)
  const open = opened.length - 4
  const close = await answerBytes(port, scannerClose(i32Answer(opened)))
  const bytes = { open, close, page: probe.answerBytes - 4 }
  const side = (pid: number | undefined, of: number): Side => ({
    pid,
    run: (durationMs) =>
      bufferedScanLoop({ port: of, table, connections: SCANNING_CLIENTS, durationMs, bytes }),
  })
  return {
    name: `Thrift scannerGetList(${ROWS_PER_SCAN})`,
    goal: 2,
    ours: side(tidegate.pid, port),
    peer: side(hbase.pidOf('thrift1'), hbase.ports.thrift1),
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1048576)} MiB`
}

function compareMemory({ tidegate, hbase }: Gateways): boolean {
  const ours = tidegate.residentBytes()
  const rest = residentBytes(hbase.pidOf('rest'))
  const thrift = residentBytes(hbase.pidOf('thrift1'))
  process.stdout.write(
    `resident memory: tidegate ${mebibytes(ours)} for both, HBase's REST server ${mebibytes(rest)} and its Thrift ` +
      `server ${mebibytes(thrift)} (goal: a third of theirs)\n`,
  )
  return ours * 3 <= rest + thrift
}

async function run(hbase: RealHBase): Promise<boolean[]> {
  const store = `hbase:127.0.0.1:${hbase.ports.zookeeper}`
  const doors = ['--rest', '0', '--thrift', '0', '--rpc', 'off', '--zookeeper', 'off', '--web', 'off']
  const args = ['serve', '--store', store, ...doors, '--log-level', 'warn']
  const tidegate = await ChildServer.start(SERVE, args)
  try {
    const table = await fillTable(tidegate.port('thrift'))
    const gateways = { tidegate, hbase, table }
    const met: boolean[] = []
    met.push(await compare(await thriftComparison(gateways, 'Thrift getRow', thriftGetRequests(table))))
    met.push(await compare(await restComparison(gateways, 'REST GET as JSON', restGetRequests(table))))
    met.push(await compare(await scanComparison(gateways)))
    // Last, as puts make new versions, and reads over these take the region server ever longer.
    met.push(await compare(await thriftComparison(gateways, 'Thrift mutateRow', thriftPuts(table))))
    met.push(await compare(await restComparison(gateways, 'REST PUT', restPuts(table))))
    met.push(compareMemory(gateways))
    return met
  } finally {
    await tidegate.stop()
  }
}

async function main(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) throw new Error(`this benchmark needs ${missing.join(' and ')} on the path`)
  const hbase = await RealHBase.start()
  try {
    const met = await run(hbase)
    process.stdout.write(`${met.filter(Boolean).length} of ${met.length} goals met\n`)
    process.exitCode = met.every(Boolean) ? 0 : 1
  } finally {
    await hbase.stop()
  }
}

await main()
