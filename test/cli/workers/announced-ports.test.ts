/** Replacements of workers serve at the announced ports, in whatever order workers end, start and listen. */

import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReadyFacts } from '../../../src/cli/workers/messages.ts'
import { type NewWorker, Supervisor, type WorkerEvents } from '../../../src/cli/workers/supervisor.ts'

const DOORS = ['rest', 'rpc', 'master'] as const
const COUNT = 3

/** As Node's cluster has it: workers that ask for any port (0) share one, which is free once none of them is left. */
class Ports {
  readonly #held = new Map<string, { readonly port: number; readonly workers: Set<Started> }>()
  #last = 40_000

  /** Undefined where others hold the port under another name. */
  listen(worker: Started, door: string, asked: number): number | undefined {
    const name = `${door} ${asked}`
    const known = this.#held.get(name)
    if (known !== undefined) {
      known.workers.add(worker)
      return known.port
    }
    if ([...this.#held.values()].some(({ port }) => port === asked)) return undefined
    const port = asked === 0 ? ++this.#last : asked
    this.#held.set(name, { port, workers: new Set([worker]) })
    return port
  }

  ended(worker: Started): void {
    for (const [name, { workers }] of this.#held) {
      workers.delete(worker)
      if (workers.size === 0) this.#held.delete(name)
    }
  }
}

interface Started extends NewWorker {
  readonly events: WorkerEvents
  readonly ports: Record<string, number>
  state: 'starting' | 'ready' | 'ended'
}

let ports: Ports
let workers: Started[]
let announced: Readonly<Record<string, number>> | undefined

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function end(worker: Started): void {
  if (worker.state === 'ended') return
  worker.state = 'ended'
  ports.ended(worker)
  worker.events.ended(null, 'SIGKILL')
}

/** One door more, or the word that all of them are there. */
function goOn(worker: Started): void {
  if (worker.state !== 'starting') return
  const door = DOORS.find((name) => worker.ports[name] === undefined)
  if (door === undefined) {
    worker.state = 'ready'
    const facts: ReadyFacts = { store: 'hbase', addresses: {}, ports: worker.ports, lowered: undefined }
    worker.events.message({ kind: 'ready', facts })
    return
  }
  const port = ports.listen(worker, door, worker.asksForPorts ? announced![door]! : 0)
  if (port !== undefined) worker.ports[door] = port
  else {
    worker.events.message({ kind: 'failed', fault: { message: 'the port is in use', exitCode: 1 } })
    end(worker)
  }
}

async function started(): Promise<void> {
  ports = new Ports()
  workers = []
  announced = undefined
  const supervisor = new Supervisor({
    count: COUNT,
    logger: pino({ level: 'silent' }),
    now: () => 0,
    spawn: (worker, events) => {
      const made: Started = { ...worker, events, ports: {}, state: 'starting' }
      workers.push(made)
      return { pid: workers.length, send: () => undefined, kill: () => end(made) }
    },
  })
  const start = supervisor.start()
  for (let worker = 0; worker < COUNT; worker++)
    for (let step = 0; step <= DOORS.length; step++) goOn(workers[worker]!)
  announced = (await start).ports
}

function alive(): Started[] {
  return workers.filter(({ state }) => state !== 'ended')
}

const ACT = fc.record({ act: fc.constantFrom('end', 'go on', 'go on', 'wait'), which: fc.nat(COUNT - 1) })

test('whichever workers end, and whenever, those that serve have the announced ports, and all serve again', async () => {
  const judged = fc.asyncProperty(fc.array(ACT, { maxLength: 40 }), async (acts) => {
    await started()
    const asAnnounced = (): void => {
      const serving = workers.filter(({ state }) => state === 'ready')
      for (const { ports: own } of serving) expect(own).toEqual(announced)
    }
    for (const { act, which } of acts) {
      const worker = alive()[which]
      if (act === 'wait') await vi.advanceTimersByTimeAsync(1000)
      else if (worker !== undefined && act === 'end') end(worker)
      else if (worker !== undefined) goOn(worker)
      asAnnounced()
    }
    for (let round = 0; round < 20; round++) {
      for (const worker of alive()) for (let step = 0; step <= DOORS.length; step++) goOn(worker)
      await vi.advanceTimersByTimeAsync(60_000)
    }
    asAnnounced()
    expect(workers.filter(({ state }) => state === 'ready')).toHaveLength(COUNT)
  })
  await fc.assert(judged)
})
