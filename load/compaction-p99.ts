/**
 * Thrift getRow while the table that it reads is compacted, beside getRow of the idle server: `npm run bench:compaction`.
 * Both sides are one server, some seconds after one another; the compaction reads and writes the whole table.
 *
 * TIDEGATE_BENCH_MIB is the size of the table (2048), TIDEGATE_BENCH_CODEC its compression (NONE). `-D` of the
 * compaction's rate and the rest: TIDEGATE_BENCH_DEFINE, parted by commas.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, closedLoop, isWholeFrame, type LoopResult } from '../test/harness/closed-loop.ts'
import { checkAnswer, majorCompact, mutateRows } from '../test/harness/thrift-frames.ts'
import type { BenchTable } from './bench-table.ts'
import { thriftGetAnswer, thriftGetRequests } from './get-requests.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const MIB = Number(process.env['TIDEGATE_BENCH_MIB'] ?? 2048)
const CODEC = process.env['TIDEGATE_BENCH_CODEC'] ?? 'NONE'
const DEFINE = (process.env['TIDEGATE_BENCH_DEFINE'] ?? '').split(',').filter(Boolean)
const VALUE_BYTES = 1000
const BATCH = 500
const CONNECTIONS = 2
const ROUND_MS = 2000
const IDLE_ROUNDS = 5
/** The slowest 1 % of gets may take so many times as long as on the idle server. */
const GOAL = 3

/** Text that deflates to a half or so. */
function valueOf(number: number): string {
  let [text, state] = ['', number]
  while (text.length < VALUE_BYTES) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    text += state.toString(36)
  }
  return text.slice(0, VALUE_BYTES)
}

async function fill(server: ChildServer): Promise<BenchTable> {
  const name = 'bench'
  const count = Math.floor((MIB * 1024 * 1024) / VALUE_BYTES)
  const rows = Array.from({ length: count }, (_, i) => `row${String(i).padStart(9, '0')}`)
  const schema = JSON.stringify({ ColumnSchema: [{ name: 'f', COMPRESSION: CODEC }] })
  const made = await fetch(`http://127.0.0.1:${server.port('rest')}/${name}/schema`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: schema,
  })
  if (!made.ok) throw new Error(`the table could not be made: ${made.status}`)
  const port = server.port('thrift')
  for (let start = 0; start < count; start += BATCH) {
    const frame = mutateRows(name, rows.slice(start, start + BATCH), 'f:q', valueOf(start))
    checkAnswer(await askOnce(port, frame, isWholeFrame))
  }
  return { name, rows, valueBytes: VALUE_BYTES }
}

async function metric(server: ChildServer, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${server.port('web')}/metrics`)).text()
  return Number(new RegExp(`^tidegate_native_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

function summary(name: string, rounds: readonly LoopResult[]): string {
  const p99s = rounds.map(({ p99Ms }) => p99Ms)
  const p50 = median(rounds.map(({ p50Ms }) => p50Ms))
  const rate = median(rounds.map(({ callsPerSecond }) => callsPerSecond))
  const range = `${Math.min(...p99s).toFixed(2)} to ${Math.max(...p99s).toFixed(2)}`
  return `  ${name}: p50 ${p50.toFixed(2)} ms, p99 ${median(p99s).toFixed(2)} ms (${range}, ${rounds.length} rounds), ${Math.round(rate)}/s\n`
}

async function measure(server: ChildServer): Promise<boolean> {
  const table = await fill(server)
  const port = server.port('thrift')
  const requests = thriftGetRequests(table)
  const answerBytes = (await thriftGetAnswer(port, table)).length
  const loop = (): Promise<LoopResult> =>
    closedLoop({ port, requests, answerBytes, connections: CONNECTIONS, durationMs: ROUND_MS })
  await loop()
  const idle: LoopResult[] = []
  for (let round = 0; round < IDLE_ROUNDS; round++) idle.push(await loop())
  const files = await metric(server, 'store_files')
  checkAnswer(await askOnce(port, majorCompact(table.name), isWholeFrame))
  const startedAt = performance.now()
  const busy: LoopResult[] = []
  while ((await metric(server, 'running_compactions')) > 0) busy.push(await loop())
  const seconds = (performance.now() - startedAt) / 1000
  const ratio = median(busy.map(({ p99Ms }) => p99Ms)) / median(idle.map(({ p99Ms }) => p99Ms))
  process.stdout.write(
    `Thrift getRow during a compaction of ${MIB} MiB in ${files} files (${CODEC}), of the idle server: p99 ratio ${ratio.toFixed(2)} (goal ${GOAL})\n` +
      summary('idle      ', idle) +
      summary('compacting', busy) +
      `  ${seconds.toFixed(1)} s; resident memory ${Math.round(server.residentBytes() / 1048576)} MiB\n`,
  )
  return ratio <= GOAL
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
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
  // Only the compaction that is asked for.
  const define = ['hbase.hstore.compaction.min=10000', 'hbase.hstore.blockingStoreFiles=10000', ...DEFINE]
  const server = await ChildServer.start(SERVE, [
    'serve',
    '--store',
    `native:${directory}`,
    ...doors,
    ...define.flatMap((setting) => ['-D', setting]),
  ])
  try {
    process.exitCode = (await measure(server)) ? 0 : 1
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
