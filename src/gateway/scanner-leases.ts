import { HBaseError } from '../model/errors.ts'
import type { Scanner } from './scanner.ts'

/** A scanner, or a door's reader of one. */
interface Closeable {
  close(): Promise<void>
}

interface Lease<Extra, Leased> {
  readonly scanner: Leased
  readonly extra: Extra
  lastUsedMs: number
  /** Calls that use the scanner now: it does not expire during them. */
  users: number
}

/** Open scanners that clients hold by a number across requests. A scanner that idles too long is closed. */
export class ScannerLeases<Extra, Leased extends Closeable = Scanner> {
  readonly #leases = new Map<number, Lease<Extra, Leased>>()
  readonly #idleMs: number
  readonly #countMax: number
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout
  #nextId = 1

  constructor(options: { idleMs: number; countMax: number; now?: () => number }) {
    this.#idleMs = options.idleMs
    this.#countMax = options.countMax
    this.#now = options.now ?? (() => performance.now())
    this.#sweeper = setInterval(() => void this.sweep(), Math.max(50, options.idleMs / 4))
    this.#sweeper.unref()
  }

  get size(): number {
    return this.#leases.size
  }

  /** Answers a new id, a positive int32. Throws DO_NOT_RETRY where too many scanners are open. */
  open(scanner: Leased, extra: Extra): number {
    if (this.#leases.size >= this.#countMax) {
      void scanner.close()
      throw new HBaseError(
        'DO_NOT_RETRY',
        `${this.#leases.size} scanners are open, the most that are allowed: close some, or raise the limit`,
      )
    }
    const id = this.#nextId++
    this.#leases.set(id, { scanner, extra, lastUsedMs: this.#now(), users: 0 })
    return id
  }

  has(id: number): boolean {
    return this.#leases.has(id)
  }

  /** Runs `work` with the scanner, which does not expire meanwhile. Throws UNKNOWN_SCANNER. */
  async use<T>(id: number, work: (scanner: Leased, extra: Extra) => Promise<T>): Promise<T> {
    const lease = this.#leases.get(id)
    if (lease === undefined) {
      throw new HBaseError(
        'UNKNOWN_SCANNER',
        `scanner ${id} is not open: it was closed, or not used for ${this.#idleMs} ms`,
      )
    }
    lease.users++
    try {
      return await work(lease.scanner, lease.extra)
    } finally {
      lease.users--
      lease.lastUsedMs = this.#now()
    }
  }

  /** False where there is no such scanner. */
  async close(id: number): Promise<boolean> {
    const lease = this.#leases.get(id)
    if (lease === undefined) return false
    this.#leases.delete(id)
    await lease.scanner.close()
    return true
  }

  /** Closes scanners that have idled too long. Runs by itself; tests call it after moving their clock. */
  async sweep(): Promise<void> {
    const before = this.#now() - this.#idleMs
    for (const [id, lease] of this.#leases) {
      if (lease.users === 0 && lease.lastUsedMs <= before) await this.close(id)
    }
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweeper)
    for (const id of this.#leases.keys()) await this.close(id)
  }
}
