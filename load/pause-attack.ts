/**
 * Requests that each take long, and another client's small gets meanwhile: `npm run attack:pauses`. For each kind of request it prints the
 * slowest get of the other client, and the longest pause and the longest turn of the server's event loop. The get and the pause are in
 * milliseconds of the clock: on a busy machine other programs' turns are part of both, as the first line shows. The turn is in milliseconds of
 * the processor and must stay below 100.
 *
 * `-- --only TEXT` sends the requests whose names have the text, `--without TEXT` the others; `--part 0.1`
 * makes all rows and values a tenth as large; `--hbase PORT` sends
 * them to the HBase whose ZooKeeper is at that port, to a table of its own. TIDEGATE_ATTACK_SERVE is the main.js of another build.
 */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { get } from '../src/model/query.ts'
import { parseTableName, type TableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../test/harness/tidegate-process.ts'
import { type AttackedServer, openAttacked } from './pauses/attacked-server.ts'
import { attackedSizes, attackedTable, fillAttacked, ROWS } from './pauses/attacked-table.ts'
import { HOSTILE_REQUESTS } from './pauses/hostile-requests.ts'
import { NotedTurns } from './pauses/noted-turns.ts'
import type { SenderSettings } from './pauses/request-sender.ts'

const PROBED = fileURLToPath(new URL('./pauses/probed-server.js', import.meta.url))
const SERVE = process.env['TIDEGATE_ATTACK_SERVE'] ?? MAIN
const GOAL_MS = 100
const IDLE_MS = 3000
const NAME_WIDTH = 60

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    without: { type: 'string' },
    part: { type: 'string', default: '1' },
    hbase: { type: 'string' },
    table: { type: 'string', default: `attacked${process.pid}` },
  },
})
const part = Number(values.part)

function isAsked(name: string): boolean {
  return name.includes(values.only) && (values.without === undefined || !name.includes(values.without))
}

/** Sends requests from a thread of its own. */
class Sender {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  static async start(workerData: SenderSettings): Promise<Sender> {
    const sender = new Sender(
      new Worker(new URL('./pauses/request-sender.js', import.meta.url), { workerData }),
    )
    await sender.#answer()
    return sender
  }

  send(index: number): Promise<string> {
    this.#worker.postMessage(index)
    return this.#answer()
  }

  #answer(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#worker.removeAllListeners().once('message', resolve).once('error', reject)
    })
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Milliseconds of the slowest of another client's gets while the work goes on. */
async function slowestGet(store: Store, table: TableName, work: Promise<unknown>): Promise<number> {
  const state = { isDone: false }
  const ended = work.finally(() => {
    state.isDone = true
  })
  let slowestMs = 0
  while (!state.isDone) {
    const askedAt = performance.now()
    await store.rows.get(table, [get(ROWS.small)], { bytes: 1024 }, OWN_CALL)
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await ended
  return slowestMs
}

interface Probed {
  readonly server: ChildServer
  readonly turns: NotedTurns
}

/** Milliseconds of the event loop's longest pause since this was last asked; undefined where the server is not Tidegate. */
async function longestPause(tidegate: ChildServer | undefined): Promise<number | undefined> {
  if (tidegate === undefined) return undefined
  const metrics = await (await fetch(`http://127.0.0.1:${tidegate.port('web')}/metrics`)).text()
  const found = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)
  return found === null ? undefined : Number(found[1]) * 1000
}

interface Line {
  readonly name: string
  readonly getMs: number
  readonly pauseMs: number | undefined
  readonly turnMs: number | undefined
  readonly seconds: number
  readonly answer: string
}

function inColumn(ms: number | undefined): string {
  return (ms === undefined ? '-' : ms.toFixed(0)).padStart(8)
}

function print({ name, getMs, pauseMs, turnMs, seconds, answer }: Line): void {
  const mark = (turnMs ?? getMs) > GOAL_MS ? '!' : ' '
  process.stdout.write(
    `${mark} ${name.padEnd(NAME_WIDTH)}${inColumn(getMs)}${inColumn(pauseMs)}${inColumn(turnMs)}${seconds.toFixed(1).padStart(8)}  ${answer}\n`,
  )
}

async function attack(server: AttackedServer, tidegate?: Probed): Promise<boolean> {
  const store = await openAttacked(server)
  const table = parseTableName(values.table)
  await store.catalog.createTable(attackedTable(table), [], OWN_CALL)
  await fillAttacked(store, table, attackedSizes(part))
  const sender = await Sender.start({ server, table: values.table, part })
  process.stdout.write(
    `  ${'request'.padEnd(NAME_WIDTH)}${'get ms'.padStart(8)}${'loop ms'.padStart(8)}${'turn ms'.padStart(8)}${'seconds'.padStart(8)}  answer\n`,
  )
  let isGood = true
  const measure = async (name: string, begin: () => Promise<string>): Promise<void> => {
    await longestPause(tidegate?.server)
    tidegate?.turns.longest()
    const beganAt = performance.now()
    const work = begin()
    const getMs = await slowestGet(store, table, work)
    const seconds = (performance.now() - beganAt) / 1000
    const pauseMs = await longestPause(tidegate?.server)
    const turnMs = tidegate?.turns.longest()
    print({ name, getMs, pauseMs, turnMs, seconds, answer: await work })
    isGood &&= (turnMs ?? 0) <= GOAL_MS
  }
  try {
    await measure('nothing', () => new Promise((resolve) => setTimeout(resolve, IDLE_MS, '')))
    for (const [index, { name }] of HOSTILE_REQUESTS.entries())
      if (isAsked(name)) await measure(name, () => sender.send(index))
  } finally {
    await sender.stop()
    if (server.registry === 'zookeeper') {
      await store.catalog.disableTable(table, OWN_CALL)
      await store.catalog.deleteTable(table, OWN_CALL)
    }
    await store.close()
  }
  return isGood
}

async function main(): Promise<void> {
  if (values.hbase !== undefined) {
    await attack({ registry: 'zookeeper', port: Number(values.hbase) })
    return
  }
  await inTemporaryFolder(async (folder) => {
    const args = [
      'serve',
      '--store',
      `native:${join(folder, 'store')}`,
      ...FREE_PORTS,
      '--log-level',
      'error',
    ]
    const noted = join(folder, 'turns')
    const turns = new NotedTurns(noted)
    const server = await ChildServer.start(PROBED, [noted, SERVE, ...args])
    try {
      const attacked = { registry: 'bootstrap', port: server.port('rpc') } as const
      if (!(await attack(attacked, { server, turns }))) process.exitCode = 1
    } finally {
      await server.stop()
    }
  })
}

await main()
