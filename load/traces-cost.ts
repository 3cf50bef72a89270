/**
 * The price of traces: Thrift gets of one row on a server without traces, on one that traces every request, and on one that traces
 * one of a hundred, in rounds that alternate: `npm run bench:traces`. The collector is a process of its own that keeps nothing.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { closedLoop } from '../test/harness/closed-loop.ts'
import { type BenchTable, fillTable } from './bench-table.ts'
import { thriftGetAnswer, thriftGetRequests } from './get-requests.ts'

const CONNECTIONS = 16
const ROUNDS = 5
const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 1000)
const ROUND_CALLS = 20_000
const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const COLLECTOR = new URL('peers/otlp-collector.js', import.meta.url).pathname
const DOORS = ['--rest', 'off', '--thrift', '0', '--rpc', 'off', '--zookeeper', 'off', '--web', '0']

interface Round {
  readonly callsPerSecond: number
  readonly p99Ms: number
  readonly cpuMicros: number
}

class Side {
  readonly name: string
  readonly server: ChildServer
  readonly #requests: readonly Buffer[]
  readonly #answerBytes: number
  readonly rounds: Round[] = []

  private constructor(name: string, server: ChildServer, table: BenchTable, answerBytes: number) {
    this.name = name
    this.server = server
    this.#requests = thriftGetRequests(table)
    this.#answerBytes = answerBytes
  }

  static async start(name: string, folder: string, flags: readonly string[]): Promise<Side> {
    const store = ['--store', `native:${join(folder, name)}`]
    const server = await ChildServer.start(SERVE, [
      'serve',
      ...store,
      ...DOORS,
      '--log-level',
      'warn',
      ...flags,
    ])
    const port = server.port('thrift')
    const table = await fillTable(port)
    return new Side(name, server, table, (await thriftGetAnswer(port, table)).length)
  }

  /** Until so many calls are answered: on a busy machine a round takes longer, and is as warm. */
  async run(): Promise<Round> {
    const before = this.server.cpuSeconds()
    const p99s: number[] = []
    const rates: number[] = []
    let calls = 0
    while (calls < ROUND_CALLS) {
      const loop = await closedLoop({
        port: this.server.port('thrift'),
        requests: this.#requests,
        answerBytes: this.#answerBytes,
        connections: CONNECTIONS,
        durationMs: ROUND_MS,
      })
      calls += loop.calls
      p99s.push(loop.p99Ms)
      rates.push(loop.callsPerSecond)
    }
    const cpuMicros = ((this.server.cpuSeconds() - before) * 1e6) / calls
    return { callsPerSecond: Math.max(...rates), p99Ms: Math.min(...p99s), cpuMicros }
  }

  get median(): Round {
    return this.rounds.toSorted((a, b) => a.cpuMicros - b.cpuMicros)[Math.floor(this.rounds.length / 2)]!
  }

  async spans(): Promise<string> {
    const metrics = await (await fetch(`http://127.0.0.1:${this.server.port('web')}/metrics`)).text()
    const counts = [...metrics.matchAll(/^tidegate_trace_spans_total\{outcome="(\w+)"\} (\d+)$/gm)]
    return counts.map(([, outcome, count]) => `${count} ${outcome}`).join(', ') || 'no spans'
  }
}

async function measure(sides: readonly Side[]): Promise<void> {
  for (let round = 0; round <= ROUNDS; round++)
    for (const side of sides) {
      const measured = await side.run()
      // The first round warms the server up.
      if (round > 0) side.rounds.push(measured)
    }
  const base = sides[0]!.median.cpuMicros
  for (const side of sides) {
    const { callsPerSecond, p99Ms, cpuMicros } = side.median
    process.stdout.write(
      `${side.name}: ${Math.round(callsPerSecond)}/s, p99 ${p99Ms.toFixed(2)} ms, ${cpuMicros.toFixed(1)} us CPU a call ` +
        `(+${(cpuMicros - base).toFixed(1)}), ${Math.round(side.server.residentBytes() / 1048576)} MiB; ${await side.spans()}\n`,
    )
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-traces-'))
  const collector = await ChildServer.start(COLLECTOR, [])
  const endpoint = ['--otlp-endpoint', `http://127.0.0.1:${collector.port('port')}`]
  const sides: Side[] = []
  try {
    sides.push(await Side.start('off', folder, []))
    sides.push(await Side.start('all', folder, endpoint))
    process.env['OTEL_TRACES_SAMPLER'] = 'traceidratio'
    process.env['OTEL_TRACES_SAMPLER_ARG'] = '0.01'
    sides.push(await Side.start('one-of-100', folder, endpoint))
    await measure(sides)
  } finally {
    for (const { server } of sides) await server.stop()
    await collector.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
