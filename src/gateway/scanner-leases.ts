import { HBaseError } from '../model/errors.ts'
import type { Call } from '../store/call.ts'
import { clientNetwork } from './client-network.ts'
import type { Scanner } from './scanner.ts'
import type { IdRange } from './siblings/siblings.ts'

/** A scanner, or a door's reader of one. */
interface Closeable {
  close(): Promise<void>
}

interface Lease<Extra, Leased> {
  readonly scanner: Leased
  readonly extra: Extra
  /** Who holds it. */
  readonly client: string
  /** Whose it is; undefined where nobody has named a user. */
  readonly owner: string | undefined
  lastUsedMs: number
  /** Calls that use the scanner now: it does not expire during them. */
  users: number
}

interface LeaseOptions {
  readonly idleMs: number
  readonly countMax: number
  readonly clientCountMax?: number
  /** Positive int32s; after the last one come those from the first on that are free. */
  readonly ids?: IdRange | undefined
  readonly now?: () => number
}

const ALL_IDS: IdRange = { first: 1, last: 0x7fffffff }

/**
 * Open scanners that clients hold by a number across requests. To other users than the one who has opened it, a scanner is
 * unknown. A scanner that idles too long is closed.
 */
export class ScannerLeases<Extra, Leased extends Closeable = Scanner> {
  readonly #leases = new Map<number, Lease<Extra, Leased>>()
  readonly #idleMs: number
  readonly #countMax: number
  readonly #clientCountMax: number
  readonly #ofClients = new Map<string, number>()
  readonly #ids: IdRange
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout
  #nextId: number

  constructor(options: LeaseOptions) {
    this.#idleMs = options.idleMs
    this.#countMax = options.countMax
    this.#clientCountMax = options.clientCountMax ?? options.countMax
    this.#ids = options.ids ?? ALL_IDS
    this.#nextId = this.#ids.first
    this.#now = options.now ?? (() => performance.now())
    this.#sweeper = setInterval(() => void this.sweep(), Math.max(50, options.idleMs / 4))
    this.#sweeper.unref()
  }

  get size(): number {
    return this.#leases.size
  }

  /** Answers a new id, a positive int32. Throws DO_NOT_RETRY where too many scanners are open. */
  open(scanner: Leased, extra: Extra, call: Call): number {
    const client = clientOf(call)
    const ofClient = this.#ofClients.get(client) ?? 0
    const reason = this.#refusal(client, ofClient)
    if (reason !== undefined) {
      void scanner.close()
      throw new HBaseError('DO_NOT_RETRY', reason)
    }
    const id = this.#newId()
    this.#ofClients.set(client, ofClient + 1)
    const owner = call.principal?.user
    this.#leases.set(id, { scanner, extra, client, owner, lastUsedMs: this.#now(), users: 0 })
    return id
  }

  #newId(): number {
    const { first, last } = this.#ids
    for (;;) {
      const id = this.#nextId
      this.#nextId = id === last ? first : id + 1
      if (!this.#leases.has(id)) return id
    }
  }

  #refusal(client: string, ofClient: number): string | undefined {
    const { size } = this.#leases
    if (size >= this.#countMax)
      return `${size} scanners are open, the most that are allowed: close some, or raise --scanners-max`
    if (ofClient < this.#clientCountMax) return undefined
    return `${client} holds ${ofClient} scanners, the most that one client may: close some, or raise --client-scanners-max`
  }

  /** Whether the caller has such a scanner. */
  has(id: number, call: Call): boolean {
    return this.#leaseOf(id, call) !== undefined
  }

  #leaseOf(id: number, { principal }: Call): Lease<Extra, Leased> | undefined {
    const lease = this.#leases.get(id)
    return lease?.owner === principal?.user ? lease : undefined
  }

  /** Runs `work` with the scanner, which does not expire meanwhile. Throws UNKNOWN_SCANNER. */
  async use<T>(id: number, call: Call, work: (scanner: Leased, extra: Extra) => Promise<T>): Promise<T> {
    const lease = this.#leaseOf(id, call)
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

  /** False where the caller has no such scanner. */
  async close(id: number, call: Call): Promise<boolean> {
    const lease = this.#leaseOf(id, call)
    if (lease === undefined) return false
    await this.#end(id, lease)
    return true
  }

  async #end(id: number, lease: Lease<Extra, Leased>): Promise<void> {
    this.#leases.delete(id)
    const left = this.#ofClients.get(lease.client)! - 1
    if (left > 0) this.#ofClients.set(lease.client, left)
    else this.#ofClients.delete(lease.client)
    await lease.scanner.close()
  }

  /** Closes scanners that have idled too long. Runs by itself; tests call it after moving their clock. */
  async sweep(): Promise<void> {
    const before = this.#now() - this.#idleMs
    for (const [id, lease] of this.#leases) {
      if (lease.users === 0 && lease.lastUsedMs <= before) await this.#end(id, lease)
    }
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweeper)
    for (const [id, lease] of this.#leases) await this.#end(id, lease)
  }
}

/** The client whose scanners are counted together: the user that it names, or else its address. */
function clientOf({ principal, address }: Call): string {
  if (principal !== undefined) return `the user ${principal.user}`
  return `the address ${address === undefined ? 'unknown' : clientNetwork(address)}`
}
