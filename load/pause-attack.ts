/**
 * Requests that each take long, and another client's small gets meanwhile: `npm run attack:pauses`. For each kind of request it prints the
 * slowest get of the other client, and the longest pause and the longest turn of the server's event loop. The get and the pause are in
 * milliseconds of the clock: on a busy machine other programs' turns are part of both, as the first line shows. The turn is in milliseconds of
 * the processor and must stay below 100. Collections of garbage are not part of it, as they take their time for what all requests have left
 * behind; the column behind it has the longest turn with them.
 *
 * The requests are sent in scenes, each to a server of its own that is filled in one way. `-- --scene NAME` sends those of one scene,
 * `--only TEXT` those whose names have the text, `--without TEXT` the others; `--part 0.1` makes all rows and values a tenth as large, `--regions
 * N` is the number of regions of the scene `regions`. `--proxy PORT` sends the requests that HBase can answer to Tidegate in front of the HBase whose
 * ZooKeeper is at that port, `--hbase PORT` to that HBase itself. TIDEGATE_ATTACK_SERVE is the main.js of another build.
 */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { isHBaseError } from '../src/model/errors.ts'
import { get } from '../src/model/query.ts'
import { parseTableName, type TableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../test/harness/tidegate-process.ts'
import { type AttackedServer, openAttacked } from './pauses/attacked-server.ts'
import { attackedSizes, ROWS } from './pauses/attacked-table.ts'
import { type LongestTurn, NotedTurns } from './pauses/noted-turns.ts'
import type { SenderSettings } from './pauses/request-sender.ts'
import type { Scene } from './pauses/scene.ts'
import { SCENES } from './pauses/scenes.ts'

const PROBED = fileURLToPath(new URL('./pauses/probed-server.js', import.meta.url))
const SERVE = process.env['TIDEGATE_ATTACK_SERVE'] ?? MAIN
const GOAL_MS = 100
const IDLE_MS = 3000
const NAME_WIDTH = 66
/** HBase fails at some patterns by the depth of its stack, which is no reason to send them again for minutes. */
const NO_RETRIES = ['-D', 'hbase.client.retries.number=1']
/** The server notes a turn somewhat later. */
const NOTED_LATER_MS = 50

const { values } = parseArgs({
  options: {
    scene: { type: 'string' },
    only: { type: 'string', default: '' },
    without: { type: 'string' },
    part: { type: 'string', default: '1' },
    regions: { type: 'string', default: '10000' },
    hbase: { type: 'string' },
    proxy: { type: 'string' },
    table: { type: 'string', default: `attacked${process.pid}` },
  },
})
const sizes = attackedSizes(Number(values.part), Number(values.regions))

function isAsked(name: string): boolean {
  return name.includes(values.only) && (values.without === undefined || !name.includes(values.without))
}

function askedScenes(): Scene[] {
  const isOfHBase = values.hbase !== undefined || values.proxy !== undefined
  return SCENES.filter(
    (scene) =>
      (values.scene === undefined || scene.name === values.scene) &&
      (scene.isOfHBase || !isOfHBase) &&
      scene.requests.some(({ name }) => isAsked(name)),
  )
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
    await store.rows.get(table, [get(ROWS.small)], { bytes: 1024 }, OWN_CALL).catch(whereDisabled)
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await ended
  return slowestMs
}

/** Some requests disable the table for a while. */
function whereDisabled(error: unknown): void {
  if (!isHBaseError(error) || error.code !== 'TABLE_NOT_ENABLED') throw error
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
  readonly turn: LongestTurn | undefined
  readonly seconds: number
  readonly answer: string
}

function inColumn(ms: number | undefined): string {
  return (ms === undefined ? '-' : ms.toFixed(0)).padStart(8)
}

const HEADINGS = ['get ms', 'loop ms', 'turn ms', 'with gc', 'seconds']
  .map((each) => each.padStart(8))
  .join('')

function print({ name, getMs, pauseMs, turn, seconds, answer }: Line): void {
  const mark = (turn?.ms ?? getMs) > GOAL_MS ? '!' : ' '
  const figures = [getMs, pauseMs, turn?.ms, turn?.withCollectionsMs].map(inColumn).join('')
  process.stdout.write(
    `${mark} ${name.padEnd(NAME_WIDTH)}${figures}${seconds.toFixed(1).padStart(8)}  ${answer}\n`,
  )
}

async function attack(scene: Scene, server: AttackedServer, tidegate?: Probed): Promise<boolean> {
  const store = await openAttacked(server)
  const table = parseTableName(values.table)
  let isGood = true
  const measure = async (name: string, begin: () => Promise<string>): Promise<void> => {
    await longestPause(tidegate?.server)
    tidegate?.turns.longest()
    const beganAt = performance.now()
    const work = begin()
    const getMs = await slowestGet(store, table, work)
    const seconds = (performance.now() - beganAt) / 1000
    const pauseMs = await longestPause(tidegate?.server)
    await new Promise((resolve) => setTimeout(resolve, NOTED_LATER_MS))
    const turn = tidegate?.turns.longest()
    print({ name, getMs, pauseMs, turn, seconds, answer: await work })
    isGood &&= (turn?.ms ?? 0) <= GOAL_MS
  }
  const attacked = { server, store, table, sizes, as: (user: string) => openAttacked(server, user) }
  await scene.prepare(attacked)
  const sender = await Sender.start({ server, scene: SCENES.indexOf(scene), table: values.table, sizes })
  process.stdout.write(`  ${`${scene.name}: request`.padEnd(NAME_WIDTH)}${HEADINGS}  answer\n`)
  try {
    await measure('nothing', () => new Promise((resolve) => setTimeout(resolve, IDLE_MS, '')))
    for (const [index, { name }] of scene.requests.entries())
      if (isAsked(name)) await measure(name, () => sender.send(index))
  } finally {
    await sender.stop()
    if (values.hbase !== undefined || values.proxy !== undefined) {
      await store.catalog.disableTable(table, OWN_CALL)
      await store.catalog.deleteTable(table, OWN_CALL)
    }
    await store.close()
  }
  return isGood
}

async function attackProbed(scene: Scene): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const store =
      values.proxy === undefined ? `native:${join(folder, 'store')}` : `hbase:127.0.0.1:${values.proxy}`
    const retries = values.proxy === undefined ? [] : NO_RETRIES
    const args = ['serve', '--store', store, ...FREE_PORTS, '--log-level', 'error', ...scene.args, ...retries]
    const noted = join(folder, 'turns')
    const turns = new NotedTurns(noted)
    const server = await ChildServer.start(PROBED, [noted, SERVE, ...args])
    try {
      const http = { rest: server.port('rest'), web: server.port('web') }
      const thrift = server.port('thrift')
      const attacked = { registry: 'bootstrap', port: server.port('rpc'), http, thrift } as const
      if (!(await attack(scene, attacked, { server, turns }))) process.exitCode = 1
    } finally {
      await server.stop()
    }
  })
}

for (const scene of askedScenes()) {
  if (values.hbase === undefined) await attackProbed(scene)
  else await attack(scene, { registry: 'zookeeper', port: Number(values.hbase) })
}
