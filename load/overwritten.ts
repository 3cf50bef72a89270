/**
 * Reads of rows that were overwritten many times beside reads of rows that were written once, in one server and one run:
 * `npm run bench:overwritten`. TIDEGATE_BENCH_OVERWRITES states another number of times than 100.
 *
 * One table stays in memory as long as its flush size allows, the other is flushed every few megabytes, so that flushes and
 * compactions run all the time. Rounds alternate with rounds on the table written once, and only the ratios mean something.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, closedLoop, isWholeFrame, type LoopResult } from '../test/harness/closed-loop.ts'
import { checkAnswer, majorCompact } from '../test/harness/thrift-frames.ts'
import { type BenchTable, fillTable, writesOf } from './bench-table.ts'
import { thriftGetAnswer, thriftGetRequests } from './get-requests.ts'
import { scanLoop } from './scan-loop.ts'

const CONNECTIONS = 16
const OVERWRITES = Number(process.env['TIDEGATE_BENCH_OVERWRITES'] ?? 100)
const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 1000)
const SETTLED_ROUNDS = 5
/** A pause in the writing is measured after so many passes. */
const PASSES_A_PAUSE = 10
const SMALL_FLUSH_BYTES = 16 * 1024 * 1024
const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname

/** Calls a second, or a second of the server's processor time, which is steadier on a machine that others use. */
interface Speeds {
  readonly gets: number
  readonly scans: number
}

function asText({ gets, scans }: Speeds): string {
  return `get ${Math.round(gets)}/s, scan ${Math.round(scans)} pages/s`
}

/** The overwritten table's speeds divided by those of the table written once. */
type Ratios = Speeds

class Bench {
  readonly #directory: string
  #server: ChildServer
  once!: BenchTable

  private constructor(directory: string, server: ChildServer) {
    this.#directory = directory
    this.#server = server
  }

  static async start(directory: string): Promise<Bench> {
    return new Bench(directory, await Bench.#serve(directory))
  }

  static #serve(directory: string): Promise<ChildServer> {
    const doors = [
      '--rest',
      '0',
      '--thrift',
      '0',
      '--rpc',
      'off',
      '--zookeeper',
      'off',
      '--web',
      '0',
      '--log-level',
      'warn',
    ]
    return ChildServer.start(SERVE, ['serve', '--store', `native:${directory}`, ...doors])
  }

  /** Closes the server, which flushes, and starts it again. */
  async restart(): Promise<void> {
    await this.#server.stop()
    this.#server = await Bench.#serve(this.#directory)
  }

  stop(): Promise<unknown> {
    return this.#server.stop()
  }

  get port(): number {
    return this.#server.port('thrift')
  }

  get residentMiB(): number {
    return Math.round(this.#server.residentBytes() / 1048576)
  }

  async fill(name: string, flushBytes?: number): Promise<BenchTable> {
    const table = await fillTable(this.port, name)
    if (flushBytes !== undefined) await this.#alter(name, { MEMSTORE_FLUSHSIZE: String(flushBytes) })
    return table
  }

  async #alter(name: string, attributes: Readonly<Record<string, string>>): Promise<void> {
    const schema = JSON.stringify({ name, ...attributes, ColumnSchema: [{ name: 'f' }] })
    const answer = await fetch(`http://127.0.0.1:${this.#server.port('rest')}/${name}/schema`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: schema,
    })
    if (!answer.ok) throw new Error(`the schema was refused: ${answer.status} ${await answer.text()}`)
  }

  async #speeds(table: BenchTable, isBusy: boolean): Promise<Speeds> {
    const { port } = this
    const answer = await thriftGetAnswer(port, table)
    const gets = await this.#rate(isBusy, () =>
      closedLoop({
        port,
        requests: thriftGetRequests(table),
        answerBytes: answer.length,
        connections: CONNECTIONS,
        durationMs: ROUND_MS,
      }),
    )
    const scans = await this.#rate(isBusy, () =>
      scanLoop({ port, table, connections: CONNECTIONS, durationMs: ROUND_MS }),
    )
    return { gets, scans }
  }

  /** The processor time of a server that is busy with writes tells nothing about its reads. */
  async #rate(isBusy: boolean, run: () => Promise<LoopResult>): Promise<number> {
    const before = this.#server.cpuSeconds()
    const { calls, callsPerSecond } = await run()
    return isBusy ? callsPerSecond : calls / (this.#server.cpuSeconds() - before)
  }

  /** `isBusy`: writes go on meanwhile. */
  async ratios(table: BenchTable, log?: string, isBusy = false): Promise<Ratios> {
    const once = await this.#speeds(this.once, isBusy)
    const overwritten = await this.#speeds(table, isBusy)
    const ratios = { gets: overwritten.gets / once.gets, scans: overwritten.scans / once.scans }
    if (log !== undefined) {
      console.log(
        `${log}: get ${ratios.gets.toFixed(2)}, scan ${ratios.scans.toFixed(2)} (${asText(overwritten)}; once ${asText(once)}; ${this.residentMiB} MiB)`,
      )
    }
    return ratios
  }

  async compacted(tables: readonly BenchTable[]): Promise<void> {
    for (const { name } of tables) checkAnswer(await askOnce(this.port, majorCompact(name), isWholeFrame))
    while ((await this.#compactions()) > 0) await sleep(200)
  }

  async #compactions(): Promise<number> {
    const metrics = await fetch(`http://127.0.0.1:${this.#server.port('web')}/metrics`)
    const found = (await metrics.text()).matchAll(/^tidegate_native_(?:running|waiting)_compactions (\d+)/gm)
    return [...found].reduce((sum, [, count]) => sum + Number(count), 0)
  }
}

/** Overwrites every row so many times; in pauses and meanwhile it reads. Answers the least ratios of all rounds. */
async function overwrite(bench: Bench, table: BenchTable): Promise<Ratios> {
  const frames = writesOf(table)
  const writes = await askOnce(bench.port, frames[0]!, isWholeFrame)
  let least: Ratios = { gets: Number.POSITIVE_INFINITY, scans: Number.POSITIVE_INFINITY }
  const note = ({ gets, scans }: Ratios): void => {
    least = { gets: Math.min(least.gets, gets), scans: Math.min(least.scans, scans) }
  }
  for (let pass = 0; pass < OVERWRITES; ) {
    const began = performance.now()
    for (let i = 0; i < PASSES_A_PAUSE && pass < OVERWRITES; i++, pass++) {
      for (const frame of frames) {
        const answer = await askOnce(bench.port, frame, isWholeFrame)
        if (answer.length !== writes.length) checkAnswer(answer)
      }
    }
    const rowsPerSecond = (PASSES_A_PAUSE * table.rows.length) / ((performance.now() - began) / 1000)
    const log = `  ${table.name} after ${pass} times (${Math.round(rowsPerSecond / 1000)} k rows/s written)`
    note(await bench.ratios(table, log))
    const writing = new AbortController()
    const writer = rewrite(bench.port, frames, writing.signal)
    note(await bench.ratios(table, `  ${table.name} while it is overwritten`, true))
    writing.abort()
    await writer
  }
  return least
}

/** Writes the frames again and again, one after the other. */
async function rewrite(port: number, frames: readonly Buffer[], signal: AbortSignal): Promise<void> {
  for (let i = 0; !signal.aborted; i++)
    checkAnswer(await askOnce(port, frames[i % frames.length]!, isWholeFrame))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function settled(bench: Bench, table: BenchTable): Promise<Ratios> {
  const rounds: Ratios[] = []
  for (let round = 0; round < SETTLED_ROUNDS; round++) rounds.push(await bench.ratios(table))
  return { gets: median(rounds.map(({ gets }) => gets)), scans: median(rounds.map(({ scans }) => scans)) }
}

function judge(name: string, ratios: Ratios, goals: Ratios): boolean {
  const gets = `get ${ratios.gets.toFixed(2)} (goal ${goals.gets})`
  console.log(`${name}: ${gets}, scan ${ratios.scans.toFixed(2)} (goal ${goals.scans})`)
  return ratios.gets >= goals.gets && ratios.scans >= goals.scans
}

const WORST: Ratios = { gets: 0.3, scans: 0.3 }
const SETTLED: Ratios = { gets: 0.8, scans: 0.7 }

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-overwritten-'))
  const bench = await Bench.start(directory)
  try {
    bench.once = await fillTable(bench.port, 'once')
    await bench.ratios(bench.once)
    const memory = await bench.fill('memory')
    const flushed = await bench.fill('flushed', SMALL_FLUSH_BYTES)
    const met: boolean[] = []
    for (const table of [memory, flushed]) {
      met.push(judge(`${table.name}, the worst round`, await overwrite(bench, table), WORST))
    }
    await bench.restart()
    await bench.compacted([bench.once, memory, flushed])
    for (const table of [memory, flushed]) {
      met.push(judge(`${table.name}, compacted`, await settled(bench, table), SETTLED))
    }
    console.log(`${met.filter(Boolean).length} of ${met.length} goals met`)
    process.exitCode = met.every(Boolean) ? 0 : 1
  } finally {
    await bench.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
