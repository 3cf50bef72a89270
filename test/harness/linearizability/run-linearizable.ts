/**
 * Rounds of clients at every door on rows of their own, while the table is flushed, compacted, split, merged, altered and
 * copied, and its server stopped and killed. After each round the history of each row is checked for linearizability.
 */

import { readFileSync } from 'node:fs'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Store } from '../../../src/store/store.ts'
import type { ChildServer } from '../child-server.ts'
import { openRpcStore } from '../rpc-store.ts'
import { SimRandom } from '../simulation/sim-random.ts'
import { startTidegate } from '../tidegate-process.ts'
import { modelOf, type RowOperation } from './cell-model.ts'
import { checkLinearizable } from './check-linearizable.ts'
import { createTable, DISTURBANCES, dropTable } from './disturbances.ts'
import { behindStaleCache, CLIENTS } from './door-clients.ts'
import { Histories } from './histories.ts'
import { RoundClient, ServerGone } from './round.ts'

const ROUND_MS = 3000
/** On a slow machine a client goes on until it has done so many operations, for so much longer at most. */
const OPERATIONS_MIN = 15
const ROUND_MS_BEYOND = 30_000
/** The second one has a kill. */
const ROUNDS_MIN = 2
const PAUSE_MS_MAX = 250
/** A disturbance that takes longer goes on beside the next one. */
const DISTURBANCE_MS_MAX = 10_000
/** A search keeps each state: some 100 MB. */
const STATES_MAX = 500_000

export interface LinearizableOptions {
  /** As `--store`. */
  readonly store: string
  readonly processes: number
  /** As `--threads`. Default: 0. */
  readonly threads?: number
  readonly seconds: number
  readonly seed: number
  readonly clientsOfDoor: number
  readonly table: string
  /** Milliseconds of a round, or of each half of one with a kill. */
  readonly roundMs?: number
  /** Plants a fault: clients behind a cache that answers old reads. */
  readonly hasStaleReads?: boolean
  readonly say: (line: string) => void
}

export interface LinearizableResult {
  readonly rounds: number
  /** Operations with an answer, by door. */
  readonly operations: Readonly<Record<string, number>>
  /** Operations whose clients do not know whether they happened. */
  unknown: number
  kills: number
  /** By name, the disturbances that were made. */
  readonly disturbances: Readonly<Record<string, number>>
  /** Histories of rows that were checked, and the states that the searches met. */
  histories: number
  states: number
  /** Histories that the search has given up. */
  tooLong: number
  /** Texts of the histories that are not linearizable. */
  readonly failures: readonly string[]
}

export async function runLinearizable(options: LinearizableOptions): Promise<LinearizableResult> {
  const run = await LinearizableRun.start(options)
  try {
    const until = performance.now() + options.seconds * 1000
    const { result } = run
    do await run.round()
    while ((performance.now() < until || result.rounds < ROUNDS_MIN) && result.failures.length === 0)
  } finally {
    await run.stop()
  }
  return run.result
}

class LinearizableRun {
  readonly result = {
    rounds: 0,
    operations: {} as Record<string, number>,
    unknown: 0,
    kills: 0,
    disturbances: {} as Record<string, number>,
    histories: 0,
    states: 0,
    tooLong: 0,
    failures: [] as string[],
  }
  readonly #options: LinearizableOptions
  readonly #random: SimRandom
  #server: ChildServer
  #store: Store
  #phases = 0

  static async start(options: LinearizableOptions): Promise<LinearizableRun> {
    const server = await startServer(options)
    const store = await openRpcStore(server.port('rpc'), { retriesMax: 5 })
    await createTable(store, options.table)
    return new LinearizableRun(options, server, store)
  }

  private constructor(options: LinearizableOptions, server: ChildServer, store: Store) {
    this.#options = options
    this.#random = new SimRandom(options.seed)
    this.#server = server
    this.#store = store
  }

  /** Every second round has a kill in its midst: what was acknowledged before must be there after it. */
  async round(): Promise<void> {
    const { result } = this
    const histories = new Histories()
    const prefix = `r${String(result.rounds++).padStart(6, '0')}-`
    if (result.rounds % 2 === 0) {
      await this.#phase(prefix, histories, true)
      await this.#phase(prefix, histories, false)
    } else await this.#phase(prefix, histories, false)
    for (const [row, history] of histories.take()) this.#check(row, history)
    if (result.rounds % 10 === 0) this.#options.say(summary(result))
  }

  async #phase(prefix: string, histories: Histories, endsByKill: boolean): Promise<void> {
    const { table, clientsOfDoor, hasStaleReads = false, roundMs = ROUND_MS } = this.#options
    const random = (): number => this.#random.next()
    const until = performance.now() + roundMs
    let end!: (error: Error) => void
    const gone = new Promise<never>((_, reject) => {
      end = reject
    })
    gone.catch(() => undefined)
    const last = until + ROUND_MS_BEYOND
    const isOver = (done = OPERATIONS_MIN): boolean => {
      const now = performance.now()
      return now >= (done < OPERATIONS_MIN ? last : until)
    }
    const context = { prefix, histories, random, gone, isOver }
    const server = this.#server
    this.#phases++
    const places = Object.entries(CLIENTS).flatMap(([door, open]) =>
      Array.from({ length: clientsOfDoor }, (_, index) => ({ door, open, index })),
    )
    const working = places.map(async ({ door, open, index }) => {
      const client = new RoundClient(() => {
        const opened = open(server, table)
        return hasStaleReads ? behindStaleCache(opened, random) : opened
      }, `${door}${index}.${this.#phases}`)
      await client.work(context)
      this.result.operations[door] = (this.result.operations[door] ?? 0) + client.operations
      this.result.unknown += client.unknown
    })
    // A disturbance that is under way at the end goes on beside the next round.
    const over = wait(roundMs)
    void this.#disturb(`${prefix}m`, isOver, gone)
    if (endsByKill) await this.#kill(roundMs * (0.3 + 0.6 * random()), end)
    await Promise.all([...working, over])
  }

  /** Of several processes one dies; the others go on. */
  async #kill(afterMs: number, end: (error: Error) => void): Promise<void> {
    await wait(afterMs)
    const { processes } = this.#options
    this.result.kills++
    if (processes > 1) {
      const worker = oneOf(workersOf(this.#server.pid!), this.#random)
      if (worker !== undefined) process.kill(worker, 'SIGKILL')
      return
    }
    await this.#server.stop('SIGKILL')
    end(new ServerGone('the server was killed'))
    await this.#store.close()
    this.#server = await startServer(this.#options)
    this.#store = await openRpcStore(this.#server.port('rpc'), { retriesMax: 5 })
  }

  async #disturb(row: string, isOver: () => boolean, gone: Promise<never>): Promise<void> {
    const { disturbances } = this.result
    const names = Object.keys(DISTURBANCES)
    const store = this.#store
    const server = this.#server
    const pids = [server.pid!, ...workersOf(server.pid!)]
    while (!isOver()) {
      await wait(this.#random.next() * PAUSE_MS_MAX)
      const name = oneOf(names, this.#random)!
      const pid = oneOf(pids, this.#random)!
      const table = parseTableName(this.#options.table)
      const made = DISTURBANCES[name]!({ store, table, pid, random: () => this.#random.next(), row })
      try {
        await Promise.race([made, gone, wait(DISTURBANCE_MS_MAX)])
        disturbances[name] = (disturbances[name] ?? 0) + 1
      } catch (error) {
        made.catch(() => undefined)
        if (error instanceof ServerGone) return
      }
    }
  }

  #check(row: string, history: readonly RowOperation[]): void {
    const { result } = this
    const { verdict, states, longest } = checkLinearizable(modelOf(history), history, STATES_MAX)
    result.histories++
    result.states += states
    if (verdict === 'too long') result.tooLong++
    if (verdict === 'not linearizable') result.failures.push(textOf(row, history, longest))
  }

  async stop(): Promise<void> {
    await dropTable(this.#store, this.#options.table).catch(() => undefined)
    await this.#store.close()
    await this.#server.stop()
  }
}

function startServer({ store, processes, threads = 0 }: LinearizableOptions): Promise<ChildServer> {
  const several = ['--processes', String(processes), '--threads', String(threads)]
  return startTidegate(store, '--web', 'off', ...several)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function oneOf<T>(all: readonly T[], random: SimRandom): T | undefined {
  return all[Math.floor(random.next() * all.length)]
}

/** Processes that the process has started. */
function workersOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** The operations that overlap with the first one that fits nowhere, and those before them. */
function textOf(row: string, history: readonly RowOperation[], longest: readonly number[]): string {
  const placed = new Set(longest)
  const lines = history
    .map(({ input, output, begin, end }, index) => ({
      begin,
      text: `${placed.has(index) ? ' ' : '*'} ${begin} to ${end}: ${JSON.stringify(input)} -> ${JSON.stringify(output)}`,
    }))
    .sort((a, b) => a.begin - b.begin)
  const first = lines.findIndex(({ text }) => text.startsWith('*'))
  const shown = lines.slice(Math.max(0, first - 20), first + 10).map(({ text }) => text)
  return `row ${row}, of ${history.length} operations (*: not in the longest order found)\n${shown.join('\n')}`
}

export function summary(result: LinearizableResult): string {
  const { rounds, operations, unknown, kills, disturbances, histories, states, tooLong } = result
  return `${rounds} rounds, operations ${JSON.stringify(operations)}, ${unknown} of unknown outcome, ${kills} kills, ${JSON.stringify(disturbances)}, ${histories} histories checked (${states} states, ${tooLong} given up)`
}
