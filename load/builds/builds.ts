/**
 * Two builds of Tidegate under the workloads of load:compare, in turn: `npm run load:builds -- FOLDER [NAME]`. FOLDER is another
 * checkout with its dist/, the build before a change. NAME: only workloads whose names contain it. It prints the processor time of a call, which
 * depends less on what else the machine does than calls a second do.
 *
 * `TIDEGATE_BENCH_STORE=hbase:HOST:PORT`: both serve that cluster, and not an engine of their own.
 * `TIDEGATE_BENCH_THREADS=N`: the second one serves with `--threads N`, as Node 24.20 and newer can; FOLDER may be this checkout.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ChildServer } from '../../test/harness/child-server.ts'
import { restReads, restWrites } from '../compare/rest-workloads.ts'
import { rpcWorkloads } from '../compare/rpc-workloads.ts'
import { checkSameAnswers } from '../compare/same-answers.ts'
import { dropTables, fillTables } from '../compare/tables.ts'
import { serve, type Target, tidegate } from '../compare/target.ts'
import { thriftReads, thriftScans, thriftWrites } from '../compare/thrift-workloads.ts'
import type { Run, Tables, Workload } from '../compare/workload.ts'
import { type ThreadTime, threadTime } from '../thread-time.ts'

const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 500)
const ROUNDS = Number(process.env['TIDEGATE_BENCH_ROUNDS'] ?? 9)
const WARM_UP_MS = 4 * ROUND_MS
/** The store of both servers; undefined: each has an engine of its own. */
const STORE = process.env['TIDEGATE_BENCH_STORE']

/** Threads of the second server beside its main one. */
const THREADS = process.env['TIDEGATE_BENCH_THREADS']

interface Side {
  readonly target: Target
  readonly pid: number
}

/** Microseconds of a call in one round. */
interface Round extends ThreadTime {
  readonly callsPerSecond: number
}

function workloads(engine: Target, tables: Tables): Workload[] {
  const known = { engine }
  return [
    ...thriftScans(known, tables.once, 'written once'),
    ...thriftScans(known, tables.overwritten, 'overwritten'),
    ...thriftScans(known, tables.regions, '100 regions'),
    ...thriftScans(known, tables.files, '8 store files'),
    ...thriftReads(known, tables),
    ...restReads(tables),
    ...rpcWorkloads(tables),
    ...thriftWrites(known, tables),
    ...restWrites(tables),
  ]
}

async function round(side: Side, run: Run): Promise<Round> {
  const before = threadTime(side.pid)
  const { calls, callsPerSecond } = await run(ROUND_MS)
  const after = threadTime(side.pid)
  return {
    main: (after.main - before.main) / calls,
    others: (after.others - before.others) / calls,
    callsPerSecond,
  }
}

/** The least of all rounds: what else the machine does only adds to it. */
function least(rounds: readonly Round[], of: (round: Round) => number): number {
  return Math.min(...rounds.map(of))
}

async function measure(workload: Workload, sides: readonly Side[]): Promise<string> {
  const runs = await Promise.all(sides.map(({ target }) => workload.prepare(target)))
  const warmUps = []
  for (const run of runs) warmUps.push(await run(WARM_UP_MS))
  checkSameAnswers(
    workload.name,
    warmUps.map((result, index) => [index === 0 ? 'before' : 'now', result] as const),
  )
  const rounds: Round[][] = sides.map(() => [])
  for (let number = 0; number < ROUNDS; number++) {
    for (const [index, side] of sides.entries()) rounds[index]!.push(await round(side, runs[index]!))
  }
  const [before, now] = rounds as [Round[], Round[]]
  const of = {
    main: ({ main }: Round) => main,
    all: ({ main, others }: Round) => main + others,
    secondsACall: ({ callsPerSecond }: Round) => 1 / callsPerSecond,
  }
  const texts = rounds.flatMap((each) => [least(each, of.main).toFixed(1), least(each, of.all).toFixed(1)])
  const ratios = [
    least(now, of.main) / least(before, of.main),
    least(now, of.all) / least(before, of.all),
    least(before, of.secondsACall) / least(now, of.secondsACall),
  ].map((ratio) => ratio.toFixed(2))
  return `| ${[`${workload.name}, ${workload.clients}`, ...texts, ...ratios].join(' | ')} |\n`
}

const TITLES = [
  'workload, clients',
  'before: us a call of the main thread',
  'before: of all threads',
  'now: of the main thread',
  'now: of all threads',
  'main thread, now / before',
  'all threads, now / before',
  'calls a second, now / before',
]

async function compare(sides: readonly Side[], only: string): Promise<void> {
  const targets = sides.map(({ target }) => target)
  const isShared = STORE !== undefined
  process.stdout.write(
    'The tables are being filled. Then each build has rounds in turn, of which the least counts.\n\n',
  )
  const tables = await fillTables(isShared ? [targets[0]!] : targets)
  process.stdout.write(`| ${TITLES.join(' | ')} |\n| --- |${' ---: |'.repeat(TITLES.length - 1)}\n`)
  const all = workloads(targets[0]!, tables)
  const asked = all.filter(({ name }) => name.includes(only))
  for (const workload of asked) process.stdout.write(await measure(workload, sides))
  if (asked.length === 0)
    process.stderr.write(`no workload has ${only} in its name: ${all.map(({ name }) => name).join(', ')}\n`)
  if (isShared) await dropTables(targets[0]!, tables)
}

async function main(): Promise<void> {
  const [before, only = ''] = process.argv.slice(2)
  const script = before && join(resolve(before), 'dist/src/cli/main.js')
  if (script === undefined || !existsSync(script)) {
    const missing =
      script === undefined ? 'no folder is named' : `${script} does not exist: build it (npm install)`
    process.stderr.write(
      `${missing}. npm run load:builds -- FOLDER compares with the build in FOLDER, another checkout\n`,
    )
    process.exitCode = 2
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-builds-'))
  const servers: ChildServer[] = []
  try {
    for (const [index, main] of [script, undefined].entries()) {
      const flags = main === undefined && THREADS !== undefined ? ['--threads', THREADS] : []
      servers.push(await serve(STORE ?? `native:${folder}/${index}`, main, flags))
    }
    const sides = servers.map((server) => ({ target: tidegate('engine', server, []), pid: server.pid! }))
    await compare(sides, only)
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
