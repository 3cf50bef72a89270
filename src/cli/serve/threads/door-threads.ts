/** The threads that serve connections beside the main thread. Main accepts the connections, and has the store. */

import { MessageChannel } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { MessageToWriter } from '../../../../adapters/native/threads/reader-messages.ts'
import type { MetricsJson } from '../../../doors/web/metrics/exposition.ts'
import type { Reports } from '../../../doors/web/status/server-facts.ts'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { Handover } from '../../../gateway/connections/handover.ts'
import type { Door, OwnServer } from '../../../gateway/door.ts'
import type { EventLines } from '../../../gateway/observing/logs/recent-events.ts'
import type { SlowOperation, SlowOperations } from '../../../gateway/observing/slow/recent-slow.ts'
import { Siblings } from '../../../gateway/siblings/siblings.ts'
import { SocketsFolder } from '../../../gateway/siblings/sockets-folder.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { serveStore } from '../../../store/port/serve-store.ts'
import { usableCores } from '../../machine/usable-cores.ts'
import type { ServeSettings } from '../../settings/serve-options.ts'
import type { SharedReads } from '../../stores/shared-reads.ts'
import { DoorThread } from './door-thread.ts'
import type { ReaderStart } from './thread-reads.ts'
import { limitsOfThread, portsOfThreads } from './thread-settings.ts'

/** Of the main thread; the others have the slots after it. */
const MAIN_SLOT = 1

/** Threads that start at a time: each keeps a core busy for its start, and the process cannot end in the middle of it. */
const STARTING_MAX = Math.max(1, Math.floor(usableCores()))

export interface DoorThreadsParts {
  readonly count: number
  readonly settings: ServeSettings
  /** The part of the memory for requests of each thread, in bytes. */
  readonly requestsBytes: number
  readonly logger: Logger
  /** Ends the process. Default: process.exit. */
  readonly exit?: (code: number) => void
  /** The program of a thread, for tests. */
  readonly program?: string
}

/** The parts of the main thread that the others need. */
export interface MainParts {
  readonly store: AdvertisedStore
  readonly server: OwnServer
  readonly doors: ReadonlyMap<string, Door>
  /** Undefined: the main thread answers all reads. */
  readonly reads?: SharedReads | undefined
  /** Gets the operations of the slow log of all threads. */
  readonly slow?: SlowOperations | undefined
  /** Gets the lines that the other threads log. */
  readonly events?: EventLines | undefined
}

export class DoorThreads {
  readonly handover: Handover
  /** The main thread among the others. */
  readonly siblings: Siblings
  readonly #parts: DoorThreadsParts
  readonly #sockets: SocketsFolder = new SocketsFolder()
  readonly #startedAt: number = Date.now()
  readonly #threads: DoorThread[] = []

  constructor(parts: DoorThreadsParts) {
    this.#parts = parts
    this.handover = new Handover(parts.logger)
    this.siblings = new Siblings(this.#placeOf(MAIN_SLOT))
  }

  /** Resolves once all threads take connections. Rejects with a StartError; `stop` then ends those that have started. */
  async start(main: MainParts): Promise<void> {
    const { count } = this.#parts
    for (let number = 1; number <= count; number++) {
      this.#threads.push(this.#started(number, main))
      const isLastOfSome = number % STARTING_MAX === 0 || number === count
      if (isLastOfSome) await Promise.all(this.#threads.map((thread) => thread.ready))
    }
    this.handover.begin(this.#threads)
  }

  /** Resolves once all threads have read their files again. */
  async reload(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.reload()))
  }

  /** The reports of this server: those of the main thread, with the metrics of the others. */
  reports(ofMain: Reports): Reports {
    return {
      processes: 1,
      readiness: () => ofMain.readiness(),
      metrics: async () => {
        const each = this.#threads.map((thread) => thread.metrics())
        const all: (readonly MetricsJson[])[] = await Promise.all([ofMain.metrics(), ...each])
        return all.flat()
      },
    }
  }

  /** Resolves once all threads have finished what is in flight, and have ended. */
  async stop(): Promise<void> {
    this.handover.end()
    await Promise.all(this.#threads.map((thread) => thread.stop()))
    this.#sockets.remove()
  }

  #placeOf(slot: number): { slot: number; startedAt: number; folder: string; mainSlot: number } {
    return { slot, startedAt: this.#startedAt, folder: this.#sockets.path, mainSlot: MAIN_SLOT }
  }

  #started(number: number, { store, server, doors, reads, slow, events: lines }: MainParts): DoorThread {
    const { settings, count, requestsBytes, program } = this.#parts
    const { port1, port2 } = new MessageChannel()
    serveStore(store, port1)
    const reader = reads?.engine && connectedReader(reads.engine, reads)
    const start = {
      number,
      settings: { ...settings, limits: limitsOfThread(settings.limits, count, number) },
      requestsBytes,
      place: this.#placeOf(MAIN_SLOT + number),
      store: port2,
      reads: reader?.start,
      threads: count + 1,
      server: { ...server },
      ports: portsOfThreads(doors),
      infoPort: doors.get('web')?.port,
    }
    const events = {
      ended: () => reader?.close(),
      slow: (operation: SlowOperation): void => slow?.add(operation),
      event: (line: string): void => lines?.add(line),
      closed: (id: number): void => this.handover.closed(id),
      died: (error: unknown): void => this.#died(number, error),
    }
    return new DoorThread(start, events, program)
  }

  /** Clients of the thread have lost their connections, and its memory may be in any state. */
  #died(number: number, error: unknown): void {
    const { logger, exit = exitProcess } = this.#parts
    const why = error === undefined ? 'by itself' : `because of ${reasonOf(error)}`
    logger.fatal(
      { thread: number, ...(error !== undefined && { err: error }) },
      `thread ${number} has ended ${why}; ending the server, for the thread's state is lost; the log replays at the next start`,
    )
    exit(1)
  }
}

interface ConnectedReader {
  readonly start: ReaderStart
  /** Called once the thread has ended. */
  readonly close: () => void
}

function connectedReader(
  engine: NonNullable<SharedReads['engine']>,
  { sizes, rights }: SharedReads,
): ConnectedReader {
  const { port1, port2 } = new MessageChannel()
  const connection = engine.connectReader({
    postMessage: (messages) => port1.postMessage(messages),
  })
  const { words, reader } = connection
  port1.on('message', (message: MessageToWriter) => connection.received(message))
  return {
    start: { words, reader, port: port2, sizes, rights: rights.memory },
    close: () => {
      port1.close()
      connection.close()
    },
  }
}

function exitProcess(code: number): void {
  process.exit(code)
}
