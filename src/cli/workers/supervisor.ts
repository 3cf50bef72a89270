/** Keeps a number of workers alive. Knows nothing of how a worker is made, so that tests bring their own. */

import type { Logger } from 'pino'
import { SLOTS } from '../../gateway/siblings/siblings.ts'
import type { FromWorker, ReadyFacts, StartFault, ToWorker } from './messages.ts'
import { Polls } from './polls.ts'

/** A dead worker is replaced after so long; after twice as long where it dies again, and so on. */
const PAUSE_MS = { first: 1000, max: 60_000 }
/** A worker that has served for so long was no failure. */
const SOUND_MS = 60_000
/** Workers end by themselves before that. */
const KILL_MS = 9500

export interface WorkerProcess {
  readonly pid: number | undefined
  send(message: ToWorker): void
  kill(): void
}

export interface WorkerEvents {
  readonly message: (message: FromWorker) => void
  readonly ended: (code: number | null, signal: string | null) => void
}

export interface NewWorker {
  readonly number: number
  readonly slot: number
  /** The worker asks for the announced ports by their numbers; else it shares those that the workers have which serve now. */
  readonly asksForPorts: boolean
}

export interface SupervisorParts {
  readonly count: number
  readonly spawn: (worker: NewWorker, events: WorkerEvents) => WorkerProcess
  readonly logger: Logger
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number
}

interface Worker {
  readonly number: number
  readonly slot: number
  readonly process: WorkerProcess
  readonly asksForPorts: boolean
  readonly since: number
  isReady: boolean
}

interface Start {
  readonly resolve: (facts: ReadyFacts) => void
  readonly reject: (fault: StartFault) => void
}

export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #now: () => number
  readonly #polls = new Polls()
  readonly #workers = new Map<number, Worker>()
  /** Deaths in a row, by the worker's number. */
  readonly #deaths = new Map<number, number>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  #slot: number = SLOTS.first - 1
  #start: Start | undefined
  #facts: ReadyFacts | undefined
  /** Undefined until the workers are to end. */
  #stop:
    | { readonly reason: string; readonly ended: (isInOrder: boolean) => void; isInOrder: boolean }
    | undefined

  constructor(parts: SupervisorParts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
  }

  /** Resolves once all workers serve. Rejects with the StartFault of the first one that cannot; `stop` ends the others. */
  start(): Promise<ReadyFacts> {
    return new Promise((resolve, reject) => {
      this.#start = { resolve, reject }
      // A cause that keeps one from starting keeps all of them from it, and is to be reported once.
      this.#spawn(1)
    })
  }

  /** The processes that serve. */
  get pids(): readonly (number | undefined)[] {
    return [...this.#workers.values()].map((worker) => worker.process.pid)
  }

  /** Every worker reads its files again. */
  reload(): void {
    for (const { process } of this.#workers.values()) process.send({ kind: 'reload' })
  }

  /** Resolves once no worker is left: to whether all of them have ended in order. */
  stop(reason: string): Promise<boolean> {
    for (const pause of this.#pauses) clearTimeout(pause)
    this.#start = undefined
    return new Promise((resolve) => {
      const kill = setTimeout(() => {
        for (const { process } of this.#workers.values()) process.kill()
      }, KILL_MS)
      const ended = (isInOrder: boolean): void => {
        clearTimeout(kill)
        resolve(isInOrder)
      }
      this.#stop = { reason, ended, isInOrder: true }
      for (const { process } of this.#workers.values()) process.send({ kind: 'stop', reason })
      if (this.#workers.size === 0) ended(true)
    })
  }

  #spawn(number: number): void {
    const slot = this.#freeSlot()
    const asksForPorts = this.#facts !== undefined && this.#asksForPorts()
    const events: WorkerEvents = {
      message: (message) => this.#heard(worker, message),
      ended: (code, signal) => this.#ended(worker, code, signal),
    }
    const process = this.#parts.spawn({ number, slot, asksForPorts }, events)
    const worker: Worker = { number, slot, process, asksForPorts, since: this.#now(), isReady: false }
    this.#workers.set(number, worker)
  }

  /**
   * True if a new worker asks for the announced ports by their numbers. Ports that the system has chosen (`--rest 0`) are free once the last
   * worker that listens there has ended. A worker that asked for any port then would get another one. A worker that still starts may not
   * have all of them.
   */
  #asksForPorts(): boolean {
    const serving = [...this.#workers.values()].find(({ isReady }) => isReady)
    return serving?.asksForPorts ?? true
  }

  /** The slot that was free for the longest time: ids that begin with it are forgotten by then. */
  #freeSlot(): number {
    const used = new Set([...this.#workers.values()].map(({ slot }) => slot))
    do this.#slot = this.#slot === SLOTS.last ? SLOTS.first : this.#slot + 1
    while (used.has(this.#slot))
    return this.#slot
  }

  #heard(worker: Worker, message: FromWorker): void {
    switch (message.kind) {
      case 'hears':
        if (this.#stop !== undefined) worker.process.send({ kind: 'stop', reason: this.#stop.reason })
        break
      case 'ready':
        this.#ready(worker, message.facts)
        break
      case 'failed':
        this.#failed(worker, message.fault)
        break
      case 'ask': {
        const ready = [...this.#workers.values()].filter(({ isReady }) => isReady)
        this.#polls.begin(
          worker.process,
          message.ask,
          message.about,
          ready.map(({ process }) => process),
        )
        break
      }
      case 'report':
        this.#polls.reported(worker.process, message.ask, message.report)
    }
  }

  #ready(worker: Worker, facts: ReadyFacts): void {
    const { count, logger } = this.#parts
    const moved = this.#facts === undefined ? [] : movedDoors(this.#facts, facts)
    if (moved.length > 0) {
      const reason = `process ${worker.number} got other ports than those that were announced (${moved.join(', ')}), and is ended`
      logger.error({ process: worker.number, workerPid: worker.process.pid }, reason)
      worker.process.kill()
      return
    }
    worker.isReady = true
    if (this.#start === undefined) {
      const { number, process } = worker
      logger.info({ process: number, workerPid: process.pid }, `process ${number} serves again`)
      return
    }
    if (this.#facts === undefined) {
      this.#facts = facts
      for (let number = 2; number <= count; number++) this.#spawn(number)
    }
    const ready = [...this.#workers.values()].filter(({ isReady }) => isReady)
    if (ready.length < count) return
    this.#start.resolve(this.#facts)
    this.#start = undefined
  }

  #failed({ number }: Worker, fault: StartFault): void {
    if (this.#start === undefined) {
      if (this.#stop !== undefined) return
      this.#parts.logger.error({ process: number }, `process ${number} cannot start: ${fault.message}`)
      return
    }
    this.#start.reject(fault)
    this.#start = undefined
  }

  #ended(worker: Worker, code: number | null, signal: string | null): void {
    const { number, process } = worker
    const how = signal === null ? `with code ${code}` : `by ${signal}`
    this.#workers.delete(number)
    this.#polls.gone(process)
    if (this.#stop !== undefined) {
      // A start may be broken off anywhere, also by the signal itself.
      if (code !== 0 && worker.isReady) this.#stop.isInOrder = false
      if (this.#workers.size === 0) this.#stop.ended(this.#stop.isInOrder)
      return
    }
    if (this.#start !== undefined) {
      const message = `process ${number} of the server has ended ${how} at its start`
      this.#failed(worker, { message, exitCode: 1 })
      return
    }
    // A start that has failed is about to be stopped.
    if (this.#facts === undefined) return
    this.#replaceLater(worker, how)
  }

  #replaceLater({ number, process, since, isReady }: Worker, how: string): void {
    const hasServed = isReady && this.#now() - since >= SOUND_MS
    const deaths = hasServed ? 1 : (this.#deaths.get(number) ?? 0) + 1
    this.#deaths.set(number, deaths)
    const pauseMs = Math.min(PAUSE_MS.max, PAUSE_MS.first * 2 ** (deaths - 1))
    this.#parts.logger.error(
      { process: number, workerPid: process.pid, pauseMs },
      `process ${number} has ended ${how}, and its scanners and connections with it; another one takes its place in ${pauseMs} ms`,
    )
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#spawn(number)
    }, pauseMs)
    this.#pauses.add(pause)
  }
}

/** The doors of a worker whose ports are not the announced ones: `rest 40001 instead of 40000`. */
function movedDoors({ ports: announced }: ReadyFacts, { ports }: ReadyFacts): string[] {
  return Object.entries(announced)
    .filter(([door, port]) => ports[door] !== port)
    .map(([door, port]) => `${door} ${ports[door]} instead of ${port}`)
}
