/**
 * How calls grow with the cores: `npm run load:threads [-- NAME]`, on a Node that moves connections to threads. Servers with 0, 1, 3, 7 and 15
 * threads beside the main one answer the workloads of load:compare in turn. NAME: only workloads whose names contain it. A machine with two cores
 * shows no more than two cores' speed. So this measures the processor time of a call, by thread, which says it for any number of cores: a server
 * of C cores is busy when its threads together have used C seconds a second, or one of them all of its own. The servers have one core here and the
 * requests come from another one, so that every thread has work whenever it runs, as on a busy machine.
 *
 * `TIDEGATE_BENCH_HBASE=1`: a real HBase answers the same (Java and Maven are needed). `TIDEGATE_BENCH_THREADS=0,3`: these numbers of threads alone.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildServer } from '../../test/harness/child-server.ts'
import { missingTools } from '../../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../../test/harness/real-hbase/real-hbase.ts'
import { restReads } from '../compare/rest-workloads.ts'
import { rpcWorkloads } from '../compare/rpc-workloads.ts'
import { checkSameAnswers } from '../compare/same-answers.ts'
import { fillTables } from '../compare/tables.ts'
import { type Door, hbaseTarget, serve, type Target, tidegate } from '../compare/target.ts'
import { thriftReads, thriftScans, thriftWrites } from '../compare/thrift-workloads.ts'
import type { Run, Tables, Workload } from '../compare/workload.ts'
import { type ThreadTime, threadTime } from '../thread-time.ts'
import { type Measured, scalingPage } from './scaling-page.ts'

const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 1000)
const ROUNDS = 5
/** Of each thread: V8 compiles what is hot for each of them. */
const WARM_UP_MS = 4 * ROUND_MS
/** JVMs compile what is hot only after half a minute. */
const JVM_WARM_UP_MS = 30 * ROUND_MS
/** Beside the main thread. */
const ASKED: readonly number[] = process.env['TIDEGATE_BENCH_THREADS']?.split(',').map(Number) ?? [
  1, 3, 7, 15,
]
/** The server without threads is what the others are compared with. */
const THREADS: readonly number[] = [...new Set([0, ...ASKED])]
/** Of each thread: so many are busy at a time that a thread seldom waits for one. */
const CLIENTS_A_THREAD = 8

interface Side {
  readonly target: Target
  /** Undefined: HBase. */
  readonly threads: number | undefined
}

function workloads(engine: Target, tables: Tables): Workload[] {
  const known = { engine }
  const all = [
    ...rpcWorkloads(tables),
    ...thriftReads(known, tables),
    ...thriftScans(known, tables.once, 'written once'),
    ...thriftScans(known, tables.overwritten, 'overwritten'),
    ...restReads(tables),
    ...thriftWrites(known, tables),
  ]
  // The numbers of clients are those of this comparison.
  const names = new Set<string>()
  return all.filter(({ name }) => !names.has(name) && names.add(name))
}

function timeOf({ target }: Side, door: Door): ThreadTime {
  const times = target.all[door].map(threadTime)
  const sum = (of: (time: ThreadTime) => number): number => times.reduce((all, time) => all + of(time), 0)
  return { main: sum(({ main }) => main), others: sum(({ others }) => others) }
}

/** Microseconds of a call in one round. */
async function round(side: Side, run: Run, door: Door): Promise<ThreadTime> {
  const before = timeOf(side, door)
  const { calls } = await run(ROUND_MS)
  const after = timeOf(side, door)
  return { main: (after.main - before.main) / calls, others: (after.others - before.others) / calls }
}

function sumOf({ main, others }: ThreadTime): number {
  return main + others
}

/** The round in which a call took the least time: what else the machine does only adds to it. */
function least(rounds: readonly ThreadTime[]): ThreadTime {
  return rounds.reduce((best, each) => (sumOf(each) < sumOf(best) ? each : best))
}

async function measure(workload: Workload, sides: readonly Side[]): Promise<Measured> {
  const runs: Run[] = []
  const warmUps = []
  for (const { target, threads } of sides) {
    const run = await workload.prepare(target, CLIENTS_A_THREAD * ((threads ?? 1) + 1))
    runs.push(run)
    warmUps.push([
      `${target.name} ${threads}`,
      await run(threads === undefined ? JVM_WARM_UP_MS : WARM_UP_MS * (threads + 1)),
    ] as const)
  }
  checkSameAnswers(workload.name, warmUps)
  const rounds: ThreadTime[][] = sides.map(() => [])
  for (let number = 0; number < ROUNDS; number++) {
    for (const [index, side] of sides.entries())
      rounds[index]!.push(await round(side, runs[index]!, workload.door))
  }
  const figures = sides.map(({ threads }, index) => ({ threads, time: least(rounds[index]!) }))
  return { name: workload.name, figures }
}

async function compare(sides: readonly Side[], filled: readonly Target[], only: string): Promise<void> {
  const tables = await fillTables(filled)
  const asked = workloads(sides[0]!.target, tables).filter(({ name }) => name.includes(only))
  const measured: Measured[] = []
  for (const workload of asked) {
    process.stderr.write(`${workload.name}\n`)
    measured.push(await measure(workload, sides))
  }
  process.stdout.write(scalingPage(measured))
}

/** Keeps all threads of a process on one core. */
function onCore(core: number, pid: number): void {
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
}

async function main(): Promise<void> {
  const withHBase = process.env['TIDEGATE_BENCH_HBASE'] === '1'
  const missing = withHBase ? missingTools() : []
  if (missing.length > 0) throw new Error(`this comparison needs ${missing.join(' and ')} on the path`)
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-scaling-'))
  const servers: ChildServer[] = []
  const real = withHBase ? await RealHBase.start() : undefined
  try {
    for (const threads of THREADS) {
      servers.push(await serve(`native:${folder}/${threads}`, undefined, ['--threads', String(threads)]))
    }
    for (const { pid } of servers) onCore(1, pid!)
    onCore(0, process.pid)
    const engines = servers.map((server) => tidegate('engine', server, []))
    const sides: Side[] = engines.map((target, index) => ({ target, threads: THREADS[index]! }))
    if (real !== undefined) sides.push({ target: hbaseTarget(real), threads: undefined })
    // HBase's doors take no frames: the one in front of it does.
    const front = real && (await serve(`hbase:127.0.0.1:${real.ports.zookeeper}`))
    if (front !== undefined) servers.push(front)
    const filled = [...engines, ...(front === undefined ? [] : [tidegate('cluster', front, [])])]
    await compare(sides, filled, process.argv[2] ?? '')
  } finally {
    for (const server of servers) await server.stop()
    await real?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
