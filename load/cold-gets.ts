/**
 * Thrift gets of random rows from store files, with a block cache for half of them beside one for all: `npm run
 * bench:cold-gets`. Two servers have the same rows, rounds alternate, and the median round counts.
 *
 * TIDEGATE_BENCH_ROWS is the number of rows of 100 bytes (1,000,000).
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, closedLoop, isWholeFrame } from '../test/harness/closed-loop.ts'
import { checkAnswer, getRow, majorCompact } from '../test/harness/thrift-frames.ts'
import { type BenchTable, fillTable } from './bench-table.ts'
import { thriftGetAnswer } from './get-requests.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const ROWS = Number(process.env['TIDEGATE_BENCH_ROWS'] ?? 1_000_000)
/** A row in a store file: its cell, sequence id and place in the block's index. */
const ROW_BYTES = 150
/** So many that their blocks are all of the table's, and few rows come again before a cache for half of them has lost their blocks. */
const REQUESTS = 200_000
const ROUNDS = 7
const ROUND_MS = 2000
const GOAL = 0.5

interface Side {
  readonly server: ChildServer
  readonly table: BenchTable
  readonly requests: readonly Buffer[]
}

/** Gets of rows at random, the same in every run. */
function randomGets(table: BenchTable): Buffer[] {
  let state = 12345
  return Array.from({ length: REQUESTS }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    // The higher bits: the lower ones come again soon.
    return getRow(table.name, table.rows[Math.floor((state / 0x80000000) * table.rows.length)]!)
  })
}

function serve(directory: string, cacheBytes: number): Promise<ChildServer> {
  const doors = [
    '--rest',
    'off',
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
  return ChildServer.start(SERVE, [
    'serve',
    '--store',
    `native:${directory}`,
    '--block-cache',
    `${Math.round(cacheBytes / 1048576)}m`,
    ...doors,
  ])
}

/** A server with the rows in one store file. */
async function side(directory: string, cacheBytes: number): Promise<Side> {
  const filling = await serve(directory, cacheBytes)
  const table = await fillTable(filling.port('thrift'), 'bench', ROWS)
  // A server that closes flushes.
  await filling.stop()
  const server = await serve(directory, cacheBytes)
  checkAnswer(await askOnce(server.port('thrift'), majorCompact(table.name), isWholeFrame))
  return { server, table, requests: randomGets(table) }
}

/** Gets a second of the server's processor time, which is steadier than those of a clock on a machine that others use. */
async function rate({ server, table, requests }: Side): Promise<number> {
  const port = server.port('thrift')
  const answer = await thriftGetAnswer(port, table)
  const before = server.cpuSeconds()
  const { calls } = await closedLoop({
    port,
    requests,
    answerBytes: answer.length,
    connections: 16,
    durationMs: ROUND_MS,
  })
  return calls / (server.cpuSeconds() - before)
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1]!
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-cold-gets-'))
  const sides: Side[] = []
  try {
    sides.push(await side(join(directory, 'all'), 2 * ROWS * ROW_BYTES))
    sides.push(await side(join(directory, 'half'), (ROWS * ROW_BYTES) / 2))
    const rates: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      // The first round fills the caches.
      for (const [index, each] of sides.entries()) {
        const found = await rate(each)
        if (round > 0) rates[index]!.push(found)
      }
    }
    const [all, half] = rates.map(median) as [number, number]
    const ratio = half / all
    console.log(
      `gets a CPU second: ${Math.round(half)} with half of the blocks cached, ${Math.round(all)} with all`,
    )
    console.log(`ratio ${ratio.toFixed(2)} (goal ${GOAL})`)
    process.exitCode = ratio >= GOAL ? 0 : 1
  } finally {
    for (const { server } of sides) await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
