/**
 * Threads that decode large bodies, so that these do not block the main thread. They start with the first large
 * body and end after a while without one. A thread returns buffers, which move to the main thread without a copy, or
 * parts of few objects: reading a message of many objects would block the main thread as long as decoding does.
 */

import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { HBaseError } from '../../../model/errors.ts'
import { DecodeThread, type Work } from './decode-thread.ts'
import type { Moved } from './task.ts'
import { threadProgram } from './thread-program.ts'

/** A smaller body is decoded on the main thread: any such body takes less time than one turn of the event loop may take. */
export const LARGE_BODY_BYTES: number = 256 * 1024
const IDLE_MS = 30_000
/** The part of the memory for requests that the heaps of all threads may take. */
const HEAP_PART = 1 / 2
/** The smallest heap with which a thread starts. */
const HEAP_BYTES_MIN = 64 * 1024 * 1024
/** The largest heap: V8's own limit on machines with much memory. */
const HEAP_BYTES_MAX = 4096 * 1024 * 1024

export interface DecodeThreadsOptions {
  readonly logger: Pick<Logger, 'error'>
  /** The most threads. By default one core is left to the main thread. */
  readonly threadsMax?: number
  /** Bytes of memory for requests. The heaps of the threads take a part of it. */
  readonly memoryBytes?: number
  readonly idleMs?: number
  /** The program of a thread, for tests. */
  readonly program?: string
}

export class DecodeThreads {
  readonly #logger: Pick<Logger, 'error'>
  readonly #threadsMax: number
  readonly #heapMib: number | undefined
  readonly #idleMs: number
  readonly #program: string
  readonly #waiting: Work[] = []
  #threads: DecodeThread[] = []
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ logger, threadsMax, memoryBytes, idleMs = IDLE_MS, program }: DecodeThreadsOptions) {
    this.#logger = logger
    const cores = threadsMax ?? Math.max(1, availableParallelism() - 1)
    const heaps = memoryBytes === undefined ? undefined : threadHeaps(memoryBytes, cores)
    this.#threadsMax = heaps?.threads ?? cores
    this.#heapMib = heaps?.mib
    this.#idleMs = idleMs
    this.#program = program ?? threadProgram('./decode-worker', import.meta.url)
  }

  get threadCount(): number {
    return this.#threads.length
  }

  /**
   * Runs the task of a module (gateway/requests/decoding/task.ts). `onPart` gets each yielded part in a turn of the event loop
   * of its own. Rejects with the task's HBaseError, with OVERLOADED where the thread ended, and with an Error for a bug.
   */
  run(
    module: string,
    input: Moved<unknown>,
    onPart: (part: unknown) => void = () => undefined,
  ): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(closing())
    clearTimeout(this.#idle)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ module, input, onPart, resolve, reject })
      this.#assign()
    })
  }

  #assign(): void {
    this.#threads = this.#threads.filter(({ hasEnded }) => !hasEnded)
    while (this.#waiting.length > 0) {
      const thread = this.#threads.find(({ isFree }) => isFree) ?? this.#newThread()
      if (thread === undefined) return
      thread.start(this.#waiting.shift()!)
    }
    if (this.#threads.some(({ isFree }) => !isFree)) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#endIdle(), this.#idleMs).unref()
  }

  /** A new thread; undefined where there are enough, or the system starts none. */
  #newThread(): DecodeThread | undefined {
    if (this.#isClosed || this.#threads.length >= this.#threadsMax) return undefined
    try {
      const thread = new DecodeThread(this.#program, this.#heapMib, () => this.#assign())
      this.#threads.push(thread)
      return thread
    } catch (error) {
      this.#logger.error({ err: error }, 'no thread that decodes large requests could be started')
      if (this.#threads.length > 0) return undefined
      const reason = new HBaseError('OVERLOADED', 'no thread could be started to decode the request', {
        cause: error,
      })
      for (const work of this.#waiting.splice(0)) work.reject(reason)
      return undefined
    }
  }

  async #endIdle(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()))
  }

  /** Ends the threads at once and rejects their work. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    for (const work of this.#waiting.splice(0)) work.reject(closing())
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()))
  }
}

/** The number of threads and their heap: as many threads as have heaps of the smallest size. */
function threadHeaps(
  memoryBytes: number,
  threadsMax: number,
): { readonly threads: number; readonly mib: number } {
  const bytes = memoryBytes * HEAP_PART
  const threads = Math.max(1, Math.min(threadsMax, Math.floor(bytes / HEAP_BYTES_MIN)))
  const each = Math.min(HEAP_BYTES_MAX, Math.max(HEAP_BYTES_MIN, bytes / threads))
  return { threads, mib: Math.floor(each / (1024 * 1024)) }
}

function closing(): HBaseError {
  return new HBaseError('UNAVAILABLE', 'the server is closing')
}
