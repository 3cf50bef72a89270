/**
 * Tidegate beside servers that answer constant bytes, in one run, with one generator: `npm run bench`.
 *
 * Only the ratios mean something: absolute figures swing with the machine. Rounds alternate between the two sides and
 * the median round counts; the first round of each side warms it up and is left out.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { closedLoop, type LoopResult } from '../test/harness/closed-loop.ts'
import { type BenchTable, fillTable, ROWS_PER_SCAN } from './bench-table.ts'
import { restGetAnswer, restGetRequests, thriftGetAnswer, thriftGetRequests } from './get-requests.ts'
import { scanLoop } from './scan-loop.ts'

const CONNECTIONS = 16
const ROUNDS = 5
const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 3000)

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const RAW = new URL('peers/raw-server.js', import.meta.url).pathname
const HONO = new URL('peers/hono-server.js', import.meta.url).pathname

interface Side {
  readonly server: ChildServer
  run(): Promise<LoopResult>
}

interface Comparison {
  readonly name: string
  readonly goal: number
  readonly ours: Side
  readonly peer: Side
}

interface Measured extends LoopResult {
  readonly cpuMicrosPerCall: number
}

async function measure(side: Side): Promise<Measured> {
  const cpuBefore = side.server.cpuSeconds()
  const result = await side.run()
  return { ...result, cpuMicrosPerCall: ((side.server.cpuSeconds() - cpuBefore) * 1e6) / result.calls }
}

function median(rounds: readonly Measured[]): Measured {
  const sorted = [...rounds].sort((a, b) => a.callsPerSecond - b.callsPerSecond)
  return sorted[Math.floor(sorted.length / 2)]!
}

async function compare({ name, goal, ours, peer }: Comparison): Promise<boolean> {
  const rounds: { ours: Measured[]; peer: Measured[] } = { ours: [], peer: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const one = await measure(ours)
    const other = await measure(peer)
    if (round === 0) continue
    rounds.ours.push(one)
    rounds.peer.push(other)
  }
  const [a, b] = [median(rounds.ours), median(rounds.peer)]
  const ratio = a.callsPerSecond / b.callsPerSecond
  const text = (side: Measured): string =>
    `${Math.round(side.callsPerSecond)}/s, p99 ${side.p99Ms.toFixed(2)} ms, ${side.cpuMicrosPerCall.toFixed(1)} us CPU a call`
  process.stdout.write(
    `${name}: ratio ${ratio.toFixed(2)} (goal ${goal})\n  tidegate ${text(a)}\n  peer     ${text(b)}\n`,
  )
  return ratio >= goal
}

function getLoop(port: number, requests: readonly Buffer[], answerBytes: number): Promise<LoopResult> {
  return closedLoop({ port, requests, answerBytes, connections: CONNECTIONS, durationMs: ROUND_MS })
}

async function httpAndFrames(tidegate: ChildServer, table: BenchTable): Promise<boolean[]> {
  const thrift = tidegate.port('thrift')
  const rest = tidegate.port('rest')
  const getAnswer = await thriftGetAnswer(thrift, table)
  const raw = await ChildServer.start(RAW, [String(getAnswer.length - 4)])
  const restAnswer = await restGetAnswer(rest, table)
  const hono = await ChildServer.start(HONO, [restAnswer.body])
  const honoAnswer = await restGetAnswer(hono.port('port'), table)
  const frames = thriftGetRequests(table)
  const https = restGetRequests(table)
  try {
    return [
      await compare({
        name: 'Thrift getRow, of a raw TCP server',
        goal: 0.5,
        ours: { server: tidegate, run: () => getLoop(thrift, frames, getAnswer.length) },
        peer: { server: raw, run: () => getLoop(raw.port('port'), frames, getAnswer.length) },
      }),
      await compare({
        name: 'REST GET of a row as JSON, of a bare Hono server',
        goal: 0.7,
        ours: { server: tidegate, run: () => getLoop(rest, https, restAnswer.bytes) },
        peer: { server: hono, run: () => getLoop(hono.port('port'), https, honoAnswer.bytes) },
      }),
    ]
  } finally {
    await Promise.all([raw.stop(), hono.stop()])
  }
}

async function scans(tidegate: ChildServer, table: BenchTable): Promise<boolean> {
  const port = tidegate.port('thrift')
  const probe = await scanLoop({ port, table, connections: 1, durationMs: 0 })
  const raw = await ChildServer.start(RAW, [String(probe.answerBytes - 4)])
  const frames = thriftGetRequests(table)
  try {
    return await compare({
      name: `Thrift scannerGetList(${ROWS_PER_SCAN}), of a raw TCP server`,
      goal: 0.25,
      ours: {
        server: tidegate,
        run: () => scanLoop({ port, table, connections: CONNECTIONS, durationMs: ROUND_MS }),
      },
      peer: {
        server: raw,
        run: () =>
          closedLoop({
            port: raw.port('port'),
            requests: frames,
            answerBytes: probe.answerBytes,
            connections: CONNECTIONS,
            durationMs: ROUND_MS,
          }),
      },
    })
  } finally {
    await raw.stop()
  }
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
  const args = [
    'serve',
    '--store',
    `native:${directory}`,
    '--rest',
    '0',
    '--thrift',
    '0',
    '--rpc',
    'off',
    '--zookeeper',
    'off',
    '--web',
    'off',
    '--log-level',
    'warn',
  ]
  const tidegate = await ChildServer.start(SERVE, args)
  try {
    const table = await fillTable(tidegate.port('thrift'))
    const met = [...(await httpAndFrames(tidegate, table)), await scans(tidegate, table)]
    process.stdout.write(`resident memory ${Math.round(tidegate.residentBytes() / 1048576)} MiB\n`)
    process.stdout.write(`${met.filter(Boolean).length} of ${met.length} goals met\n`)
    process.exitCode = met.every(Boolean) ? 0 : 1
  } finally {
    await tidegate.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
