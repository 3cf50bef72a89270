import { availableParallelism } from 'node:os'
import { KerberosError } from '../kerberos.ts'
import type { GssLibrary } from './gss-library.ts'
import type { ProtectOrder } from './gss-orders.ts'
import { GssThread } from './gss-thread.ts'

/** A longer message takes tens of milliseconds and more: shorter ones of other clients do not wait behind it. */
const SHORT_BYTES_MAX = 4 * 1024 * 1024
/** The machine's other work needs processors, too. */
const LONG_THREADS_MAX = 4

interface Job {
  readonly order: ProtectOrder
  readonly isWanted: () => boolean
  readonly resolve: (bytes: Buffer) => void
  readonly reject: (error: unknown) => void
}

/** The jobs of one thread, in their order. */
interface Lane {
  readonly thread: GssThread
  readonly waiting: Job[]
  /** Bytes of the jobs that wait or run. */
  bytes: number
  isWorking: boolean
  /** Resolves once the lane has nothing to do. */
  done: Promise<void>
}

/** Threads that protect large messages, and read protected ones. Each starts with its first message. None waits for a KDC, as those of logins do. */
export class ProtectingThreads {
  readonly #short: Lane
  readonly #long: readonly Lane[]
  #isClosed = false

  constructor(gss: GssLibrary) {
    this.#short = laneOf(gss)
    const threads = Math.min(LONG_THREADS_MAX, Math.max(1, availableParallelism() - 1))
    this.#long = Array.from({ length: threads }, () => laneOf(gss))
  }

  /**
   * Resolves to the other form of the order's message, in memory of its own. The message and the context must stay until the promise has settled.
   * `isWanted`: looked at when the order's turn comes. Rejects with KerberosError.
   */
  carryOut(order: ProtectOrder, isWanted: () => boolean): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const lane = order.length <= SHORT_BYTES_MAX ? this.#short : leastOf(this.#long)
      lane.waiting.push({ order, isWanted, resolve, reject })
      lane.bytes += order.length
      if (!lane.isWorking) lane.done = this.#work(lane)
    })
  }

  async #work(lane: Lane): Promise<void> {
    lane.isWorking = true
    for (let job = lane.waiting.shift(); job !== undefined; job = lane.waiting.shift()) {
      try {
        if (this.#isClosed || !job.isWanted())
          throw new KerberosError('the connection of the login has ended')
        job.resolve(await lane.thread.protect(job.order))
      } catch (error) {
        job.reject(error)
      }
      lane.bytes -= job.order.length
    }
    lane.isWorking = false
  }

  /** Resolves once no thread uses a message or a context any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { done, thread } of [this.#short, ...this.#long]) {
      await done
      await thread.close()
    }
  }
}

function laneOf(gss: GssLibrary): Lane {
  return {
    thread: new GssThread(gss, false),
    waiting: [],
    bytes: 0,
    isWorking: false,
    done: Promise.resolve(),
  }
}

function leastOf(lanes: readonly Lane[]): Lane {
  return lanes.reduce((least, lane) => (lane.bytes < least.bytes ? lane : least))
}
