/**
 * `npm run soak -- [--seconds 1200] [--threads N] [--plot FILE.svg]`: a server on the embedded engine under mixed load through every door,
 * with flushes, compactions and splits as they come, rude clients and bursts. Writers and scanners keep a ledger: no row
 * may be lost, come twice or be torn, every error must be a refusal that may be tried again, and memory, descriptors and
 * the p99 of a get must stay as they were after the first quarter. With --threads (on the Node below tools/newest-node, where this one
 * has none) every thread must have served connections. The log is archived, and restores of random moments are compared with what was acknowledged.
 */

import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, closedLoop, isWholeFrame } from '../test/harness/closed-loop.ts'
import { cpuSecondsOfThreads } from '../test/harness/process-usage.ts'
import { statedThreads } from '../test/harness/server-node.ts'
import { checkAnswer, createTable, getRow, mutateRows } from '../test/harness/thrift-frames.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../test/harness/tidegate-process.ts'
import { Calls } from './chaos/calls.ts'
import { FinalCheck } from './chaos/final-check.ts'
import { Findings } from './chaos/findings.ts'
import { Ledger } from './chaos/ledger.ts'
import { loadTable } from './chaos/load-table.ts'
import { RestScanners, RestScans, RestWrites } from './chaos/rest-door.ts'
import { RpcScans, RpcWrites } from './chaos/rpc-door.ts'
import { ScanLoop } from './chaos/scanners.ts'
import { Family, TABLE } from './chaos/settings.ts'
import { StopSignal } from './chaos/stop-signal.ts'
import { Thrift1Scans, Thrift1Writes, Thrift2Scans, Thrift2Writes } from './chaos/thrift-doors.ts'
import { Writer } from './chaos/writers.ts'
import { CHURN_TABLE, disturbances } from './soak/disturb.ts'
import { beginHistories, Histories } from './soak/history-writers.ts'
import { plot } from './soak/plot.ts'
import { Restores } from './soak/restores.ts'
import { judge, lineOf, type Sample } from './soak/samples.ts'
import { wholeNumber } from './whole-number.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, threads: { type: 'string' }, plot: { type: 'string' } },
})
const THREADS = wholeNumber('threads', values.threads) ?? statedThreads()
const SECONDS = wholeNumber('seconds', values.seconds) ?? 1200
const WRITERS = 8
const SCANNERS = 4
const PAUSE_MS = 25
const SAMPLE_MS = Math.min(10_000, (SECONDS * 1000) / 40)
const PROBES = 4
const PROBE_TABLE = 'probe'
const PROBE_ROWS = 1000
/** Processor time of a thread that has served connections. */
const THREAD_SECONDS_MIN = 2
/** So small that flushes, compactions and splits come all the time. */
const SETTINGS = {
  'hbase.hregion.memstore.flush.size': 8 * 1024 * 1024,
  'hbase.hregion.max.filesize': 24 * 1024 * 1024,
}

const startedAt = performance.now()

function seconds(): number {
  return (performance.now() - startedAt) / 1000
}

function say(text: string): void {
  process.stdout.write(`${seconds().toFixed(0).padStart(5)} s  ${text}\n`)
}

async function createTables(rest: string, thrift: number): Promise<void> {
  const families = Object.values(Family).map((name) => ({ name }))
  const body = JSON.stringify({ name: TABLE, ColumnSchema: families })
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(`${rest}/${TABLE}/schema`, { method: 'PUT', headers, body })
  if (status !== 201) throw new Error(`the table was not made: ${status}`)
  for (const table of [CHURN_TABLE, PROBE_TABLE])
    checkAnswer(await askOnce(thrift, createTable(table, 'f'), isWholeFrame))
  const rows = Array.from({ length: PROBE_ROWS }, (_, i) => `row${i}`)
  checkAnswer(await askOnce(thrift, mutateRows(PROBE_TABLE, rows, 'f:q', 'v'.repeat(100)), isWholeFrame))
}

/** Gets until the next sample, and what the process is like after them. */
async function sample(server: ChildServer, data: string): Promise<Sample> {
  const thrift = server.port('thrift')
  const requests = Array.from({ length: PROBE_ROWS }, (_, i) => getRow(PROBE_TABLE, `row${i}`))
  const same = requests.filter((request) => request.length === requests.at(-1)!.length)
  const answerBytes = (await askOnce(thrift, same[0]!, isWholeFrame)).length
  const loop = { port: thrift, connections: PROBES, durationMs: SAMPLE_MS, requests: same, answerBytes }
  const { callsPerSecond, p50Ms, p99Ms } = await closedLoop(loop)
  const metrics = await (await fetch(`http://127.0.0.1:${server.port('web')}/metrics`)).text()
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return {
    seconds: seconds(),
    residentBytes: server.residentBytes(),
    heapBytes: figure('nodejs_heap_size_used_bytes'),
    externalBytes: figure('nodejs_external_memory_bytes'),
    diskBytes: bytesBelow(data),
    descriptors: descriptorsOf(server.pid),
    getsPerSecond: callsPerSecond,
    p50Ms,
    p99Ms,
    regions: figure('tidegate_native_regions'),
    storeFiles: figure('tidegate_native_store_files'),
  }
}

function descriptorsOf(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

/** Of all files; one that goes meanwhile counts for nothing. */
function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.reduce((sum, file) => {
    return sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0)
  }, 0)
}

/** Main shares out connections, so that each thread has had work. */
function checkThreads(server: ChildServer, findings: Findings): void {
  const seconds = cpuSecondsOfThreads(server.pid, 'tidegate-door-')
  say(`processor time of threads: ${[...seconds].map(([name, used]) => `${name} ${used} s`).join(', ')}`)
  const busy = [...seconds.values()].filter((used) => used >= THREAD_SECONDS_MIN)
  const isServed = process.platform !== 'linux' || busy.length === THREADS
  findings.check('every thread serves', isServed, () => `${busy.length} of ${THREADS} threads`)
}

/** Its log is archived in the folder `destination`. */
function startServer(data: string, destination: string): Promise<ChildServer> {
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['-D', `${key}=${value}`])
  const store = ['--store', `native:${data}`, '--threads', String(THREADS)]
  const archive = ['--archive-log', destination, '--archive-log-every', '1s']
  const args = [...store, ...archive, ...FREE_PORTS, ...settings, '--log-level', 'warn']
  return ChildServer.start(MAIN, ['serve', ...args])
}

async function run(folder: string): Promise<void> {
  const [data, destination] = [join(folder, 'data'), join(folder, 'backups')]
  const server = await startServer(data, destination)
  const [findings, ledger, stop] = [new Findings(), new Ledger(), new StopSignal()]
  const calls = new Calls(findings)
  const thrift = server.port('thrift')
  const rpc = server.port('rpc')
  const rest = `http://127.0.0.1:${server.port('rest')}`
  const counts = new Map<string, number>()
  const samples: Sample[] = []
  try {
    await createTables(rest, thrift)
    await loadTable(ledger, thrift)
    say(`${ledger.rowCount} rows; ${WRITERS} writers, ${SCANNERS} scanners and ${PROBES} readers begin`)
    const tally = { scans: 0, rows: 0, cutShort: 0, resumed: 0, mixed: 0 }
    const context = { calls, findings, ledger, stop, tally, pauseMs: PAUSE_MS }
    const writes = [
      () => new RestWrites(rest),
      () => new Thrift1Writes(thrift),
      () => new Thrift2Writes(thrift),
      () => new RpcWrites(rpc),
    ]
    const writers = Array.from({ length: WRITERS }, (_, id) => {
      const door = writes[id % writes.length]!()
      // Thrift 1's checkAndPut has one column only.
      return new Writer(context, door, id, WRITERS, !(door instanceof Thrift1Writes)).run()
    })
    const scanners = Array.from({ length: SCANNERS }, () => {
      const doors = [
        new RestScans(rest),
        new RestScanners(rest),
        new Thrift1Scans(thrift),
        new Thrift2Scans(thrift),
        new RpcScans(rpc),
      ]
      return new ScanLoop(context, doors).run()
    })
    const others = disturbances({ server: { rest: server.port('rest'), thrift }, findings, stop, counts })
    const histories = new Histories()
    others.push(...(await beginHistories(thrift, { histories, findings, stop })))
    const common = { histories, findings, stop, counts }
    const restores = new Restores({ ...common, folder, destination, server: { thrift, rpc } })
    others.push(...restores.run())
    while (seconds() < SECONDS) {
      samples.push(await sample(server, data))
      say(lineOf(samples.at(-1)!))
    }
    checkThreads(server, findings)
    stop.stop()
    await Promise.all([...writers, ...scanners, ...others])
    const door = new Thrift2Scans(thrift)
    const { rows, steps } = await new FinalCheck(findings, ledger).run(door)
    door.close()
    say(`${rows} rows and ${steps} checked puts at the end; ${tally.scans} scans of ${tally.rows} rows`)
    say(restores.summary)
  } finally {
    stop.stop()
    const code = await server.stop()
    findings.check('the server ends in order', code === 0, () => `exit code ${code}`)
  }
  calls.print()
  for (const [what, count] of counts) process.stdout.write(`${what}: ${count}\n`)
  judge(samples, findings)
  if (values.plot !== undefined) writeFileSync(values.plot, plot(samples))
  findings.print()
  process.exitCode = findings.failures === 0 ? 0 : 1
}

await inTemporaryFolder(run)
// The doors' clients may have left connections open.
process.exit()
