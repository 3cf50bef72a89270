import type { Socket } from 'node:net'
import { type MessagePort, Worker } from 'node:worker_threads'
import type { TakingThread } from '../../../gateway/connections/handover.ts'
import type { SlowOperation } from '../../../gateway/observing/slow/recent-slow.ts'
import { threadProgram } from '../../../gateway/requests/decoding/thread-program.ts'
import { OUTAGE_WAIT_MS } from '../../../store/outage-wait.ts'
import { StartError } from '../../failures/start-error.ts'
import type { Answers, FromThread, ThreadStart, ToThread } from './thread-messages.ts'

/** A thread that has not answered by then is left out of sums: it may be busy. */
const METRICS_MS = OUTAGE_WAIT_MS

export interface DoorThreadEvents {
  /** The connection is closed. */
  readonly closed: (id: number) => void
  /** The thread has had an operation that the slow log reports. */
  readonly slow: (operation: SlowOperation) => void
  /** The thread has logged a line. */
  readonly event: (line: string) => void
  /** The thread has ended, in order or not. */
  readonly ended: () => void
  /** The thread has ended, though it was not to. `error`: undefined where it has ended by itself. */
  readonly died: (error: unknown) => void
}

/** A thread that serves connections, seen from the main thread. */
export class DoorThread implements TakingThread {
  readonly number: number
  readonly #worker: Worker
  readonly #events: DoorThreadEvents
  readonly #asked = new Map<number, (answer: unknown) => void>()
  #last = 0
  #error: unknown
  #isStopping = false
  #starting: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined
  /** Resolves once its doors take connections. Rejects with a StartError. */
  readonly ready: Promise<void>
  readonly #ended: Promise<void>

  constructor(
    start: ThreadStart,
    events: DoorThreadEvents,
    program: string = threadProgram('./door-thread-worker', import.meta.url),
  ) {
    this.number = start.number
    this.#events = events
    const name = `tidegate-door-${start.number}`
    this.#worker = new Worker(new URL(program), { name, workerData: start, transferList: portsOf(start) })
    this.#worker.on('message', (message: FromThread) => this.#heard(message))
    this.#worker.on('error', (error) => {
      this.#error = error
    })
    this.ready = new Promise((resolve, reject) => {
      this.#starting = { resolve, reject }
    })
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#exited()
        resolve()
      })
    })
  }

  take(door: string, id: number, socket: Socket): void {
    // Node moves sockets from version 24 on, and the types of an older one do not say so.
    this.#send({ kind: 'connection', door, id, socket }, [socket as unknown as MessagePort])
  }

  /** Resolves once the thread has read its files again, or has ended. */
  async reload(): Promise<void> {
    await this.#ask('reload')
  }

  /** Empty for a thread that does not answer in time. */
  async metrics(): Promise<Answers['metrics']> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), METRICS_MS).unref()
    })
    const answer = await Promise.race([this.#ask('metrics'), late])
    clearTimeout(timer)
    return answer ?? []
  }

  /** Finishes what is in flight. Resolves once the thread has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#send({ kind: 'stop' })
    await this.#ended
  }

  #ask<About extends keyof Answers>(about: About): Promise<Answers[About] | undefined> {
    return new Promise((resolve) => {
      const ask = ++this.#last
      this.#asked.set(ask, (answer) => resolve(answer as Answers[About] | undefined))
      this.#send({ kind: 'ask', ask, about })
    })
  }

  #send(message: ToThread, moved: readonly MessagePort[] = []): void {
    this.#worker.postMessage(message, moved)
  }

  #heard(message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        this.#starting?.resolve()
        this.#starting = undefined
        break
      case 'failed':
        this.#starting?.reject(new StartError(`thread ${this.number} cannot start: ${message.message}`))
        this.#starting = undefined
        this.#isStopping = true
        break
      case 'closed':
        this.#events.closed(message.id)
        break
      case 'slow':
        this.#events.slow(message.operation)
        break
      case 'event':
        this.#events.event(message.line)
        break
      case 'answer':
        this.#asked.get(message.ask)?.(message.answer)
        this.#asked.delete(message.ask)
    }
  }

  #exited(): void {
    this.#events.ended()
    for (const answered of this.#asked.values()) answered(undefined)
    this.#asked.clear()
    if (this.#starting !== undefined) {
      const message = `thread ${this.number} of the server has ended at its start`
      this.#starting.reject(new StartError(message, { cause: this.#error }))
    } else if (!this.#isStopping) this.#events.died(this.#error)
  }
}

function portsOf({ store, reads }: ThreadStart): MessagePort[] {
  return reads === undefined ? [store] : [store, reads.port]
}
