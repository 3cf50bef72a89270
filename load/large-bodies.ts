/**
 * A small get beside large bodies: `npm run bench:large-bodies`. One connection asks Thrift getRow again and again while
 * another sends one kind of large body after the other; the longest gets show how long a body holds up everybody.
 *
 * TIDEGATE_BENCH_SERVE is the main.js of another build to compare with; TIDEGATE_BENCH_ROUNDS the bodies of a kind (3).
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ChildServer } from '../test/harness/child-server.ts'
import { getRow } from '../test/harness/thrift-frames.ts'
import { fillTable } from './bench-table.ts'
import { largeBodies } from './large-body-kinds.ts'
import type { SendOrder, SendReport } from './large-body-sender.ts'
import { TimedGets, type Times } from './timed-gets.ts'

const SERVE = process.env['TIDEGATE_BENCH_SERVE'] ?? new URL('../src/cli/main.js', import.meta.url).pathname
const ROUNDS = Number(process.env['TIDEGATE_BENCH_ROUNDS'] ?? 3)
const IDLE_MS = 3000
/** Nothing may hold the event loop for longer. */
const GOAL_MS = 50

/** Sends bodies from a thread of its own: what sends and measures must not hold itself up. */
class Sender {
  readonly #worker = new Worker(new URL('./large-body-sender.js', import.meta.url))

  ask(order: SendOrder): Promise<SendReport> {
    return new Promise((resolve, reject) => {
      this.#worker.removeAllListeners().once('message', resolve).once('error', reject)
      this.#worker.postMessage(order)
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

function line(name: string, { p50Ms, p99Ms, maxMs }: Times, idle: Times, seconds: string): string {
  const ms = `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, longest ${maxMs.toFixed(1)} ms`
  return `  ${name.padEnd(34)} ${ms}; p99 ratio ${(p99Ms / idle.p99Ms).toFixed(1)}${seconds}\n`
}

async function measure(server: ChildServer): Promise<boolean> {
  const table = await fillTable(server.port('thrift'), 'bench', 1000)
  const request = getRow(table.name, table.rows[7]!)
  const gets = await TimedGets.open(server.port('thrift'), request)
  await gets.during(new Promise((resolve) => setTimeout(resolve, IDLE_MS)))
  const idle = await gets.during(new Promise((resolve) => setTimeout(resolve, IDLE_MS)))
  process.stdout.write(`getRow beside large bodies, ${ROUNDS} of each kind\n${line('idle', idle, idle, '')}`)
  let isGood = true
  const sender = new Sender()
  const ports = { rest: server.port('rest'), thrift: server.port('thrift') }
  for (const [index, { name }] of largeBodies(table.name).entries()) {
    const order: SendOrder = { ports, table: table.name, index, rounds: 0 }
    await sender.ask(order)
    const startedAt = performance.now()
    let answer = ''
    const times = await gets.during(
      sender.ask({ ...order, rounds: ROUNDS }).then((report) => {
        ;({ answer } = report)
      }),
    )
    const each = ((performance.now() - startedAt) / 1000 / ROUNDS).toFixed(2)
    process.stdout.write(line(name, times, idle, `; ${each} s each: ${answer}`))
    isGood &&= times.maxMs <= GOAL_MS
  }
  await sender.close()
  gets.close()
  return isGood
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-bench-'))
  const doors = ['--rest', '0', '--thrift', '0', '--rpc', 'off', '--zookeeper', 'off', '--log-level', 'error']
  const server = await ChildServer.start(SERVE, ['serve', '--store', `native:${directory}`, ...doors])
  try {
    process.exitCode = (await measure(server)) ? 0 : 1
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
