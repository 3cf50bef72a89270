import { HBaseError } from '../../model/errors.ts'
import type { Call } from '../../store/call.ts'
import { clientNetwork } from '../connections/client-network.ts'
import type { MemoryBudget } from '../limits/memory-budget.ts'
import type { IdRange } from '../siblings/siblings.ts'
import { FinishedScanners } from './finished-scanners.ts'
import type { Scanner } from './scanner.ts'

/** A scanner, or an object of a door that reads one. */
interface Leasable {
  close(): Promise<void>
  /** Frees memory that a later read can get again. Never called during a read. */
  sleep?(): Promise<void>
}

interface Lease<Extra, Leased> {
  readonly scanner: Leased
  readonly extra: Extra
  /** The client that holds the scanner. */
  readonly client: Client
  /** The user who opened it; undefined where the client has named none. */
  readonly owner: string | undefined
  /** Bytes of memory that the scan itself takes: its filter, its columns. */
  readonly queryBytes: number
  lastUsedMs: number
  /** Calls that use the scanner now. It does not expire during them. */
  users: number
  isAsleep: boolean
}

/** The scanners of a client. */
interface Client {
  readonly name: string
  held: number
  queryBytes: number
  /** Ids of the scanners that no call uses now, the one unused for the longest first. */
  readonly idle: Set<number>
}

export interface LeaseOptions {
  /** Unused scanners are closed after this time. */
  readonly idleMs: number
  /** Unused scanners are sent to sleep after this time; undefined: never. */
  readonly sleepMs?: number | undefined
  readonly countMax: number
  readonly clientCountMax?: number
  /** The budget for the memory of the scans themselves, which may take a part of it. */
  readonly memory?: MemoryBudget | undefined
  /** Positive int32s. After the last one, the free ones are used again from the first on. */
  readonly ids?: IdRange | undefined
  readonly now?: () => number
}

const ALL_IDS: IdRange = { first: 1, last: 0x7fffffff }
/** The part of the memory budget that the scans of open scanners may take. */
const QUERIES_PART = 1 / 8
/** The time between two sweeps, as a part of the shorter idle time. */
const SWEEP_PART = 1 / 4
const SWEEP_MS_MIN = 50

/**
 * Open scanners that clients use by a number across requests. To users other than its owner a scanner is
 * unknown. A scanner that idles too long is closed. Where too many are open, the client that holds the most loses one: the one
 * that it has not used for the longest. HBase's REST server closes the one unused for the longest of all (ScannerResource): with it, a
 * client that opens many closes those of others.
 */
export class ScannerLeases<Extra, Leased extends Leasable = Scanner> {
  readonly #leases = new Map<number, Lease<Extra, Leased>>()
  readonly #clients = new Map<string, Client>()
  readonly #finished: FinishedScanners
  readonly #options: LeaseOptions
  readonly #clientCountMax: number
  readonly #queryBytesMax: number
  readonly #ids: IdRange
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout
  #queryBytes = 0
  #nextId: number

  constructor(options: LeaseOptions) {
    const { idleMs, sleepMs = idleMs, countMax, memory } = options
    this.#options = options
    this.#finished = new FinishedScanners(idleMs)
    this.#clientCountMax = options.clientCountMax ?? countMax
    this.#queryBytesMax = (memory?.bytesMax ?? Number.POSITIVE_INFINITY) * QUERIES_PART
    this.#ids = options.ids ?? ALL_IDS
    this.#nextId = this.#ids.first
    this.#now = options.now ?? (() => performance.now())
    const sweepMs = Math.max(SWEEP_MS_MIN, Math.min(idleMs, sleepMs) * SWEEP_PART)
    this.#sweeper = setInterval(() => void this.sweep(), sweepMs)
    this.#sweeper.unref()
  }

  /** Open scanners, without finished ones. */
  get size(): number {
    return this.#leases.size
  }

  /**
   * Returns a new id, a positive int32. `queryBytes`: the memory of the scan itself. Throws DO_NOT_RETRY where too many
   * scanners are open and all are in use, and OVERLOADED where there is no memory for the scan: both close the scanner.
   */
  open(scanner: Leased, extra: Extra, call: Call, queryBytes = 0): number {
    const { memory } = this.#options
    try {
      this.#makeRoom(clientName(call), queryBytes)
      memory?.take(queryBytes, 'a scanner')
      memory?.stand(queryBytes)
    } catch (error) {
      void scanner.close().catch(() => undefined)
      throw error
    }
    this.#queryBytes += queryBytes
    const client = this.#clientOf(clientName(call))
    const id = this.#newId()
    client.held++
    client.queryBytes += queryBytes
    client.idle.add(id)
    const owner = call.principal?.user
    const lastUsedMs = this.#now()
    this.#leases.set(id, {
      scanner,
      extra,
      client,
      owner,
      queryBytes,
      lastUsedMs,
      users: 0,
      isAsleep: false,
    })
    return id
  }

  #clientOf(name: string): Client {
    let client = this.#clients.get(name)
    if (client === undefined) {
      client = { name, held: 0, queryBytes: 0, idle: new Set() }
      this.#clients.set(name, client)
    }
    return client
  }

  #newId(): number {
    const { first, last } = this.#ids
    for (;;) {
      const id = this.#nextId
      this.#nextId = id === last ? first : id + 1
      if (!this.#leases.has(id) && !this.#finished.knows(id)) return id
    }
  }

  #makeRoom(name: string, queryBytes: number): void {
    const { countMax } = this.#options
    const client = this.#clients.get(name)
    if (client !== undefined && client.held >= this.#clientCountMax && !this.#closeIdleOf(client)) {
      throw tooMany(
        `${name} holds ${client.held} scanners, the most that one client may, and all are in use: close some, or raise --client-scanners-max`,
      )
    }
    if (this.#leases.size >= countMax && !this.#closeIdleOf(this.#largest(({ held }) => held))) {
      throw tooMany(
        `${this.#leases.size} scanners are open, the most that are allowed, and all are in use: close some, or raise --scanners-max`,
      )
    }
    while (this.#queryBytes > 0 && this.#queryBytes + queryBytes > this.#queryBytesMax) {
      if (!this.#closeIdleOf(this.#largest((each) => each.queryBytes))) break
    }
    if (this.#queryBytes + queryBytes > this.#queryBytesMax) {
      throw tooMany(
        `the scan takes ${queryBytes} bytes, and scans of open scanners may take ${Math.floor(this.#queryBytesMax)} bytes together: make its filter smaller, or raise --memory-max`,
      )
    }
  }

  /** The client with the largest measure, among those with a scanner that no call uses. */
  #largest(measure: (client: Client) => number): Client | undefined {
    let largest: Client | undefined
    for (const client of this.#clients.values()) {
      if (client.idle.size === 0) continue
      if (largest === undefined || measure(client) > measure(largest)) largest = client
    }
    return largest
  }

  /** Closes the scanner that the client has not used for the longest; false where all are in use. */
  #closeIdleOf(client: Client | undefined): boolean {
    const [id] = client?.idle ?? []
    if (id === undefined) return false
    void this.#end(id, this.#leases.get(id)!).catch(() => undefined)
    return true
  }

  /** Whether the caller has a scanner with that id that is not finished. */
  has(id: number, call: Call): boolean {
    return this.#leaseOf(id, call) !== undefined
  }

  #leaseOf(id: number, { principal }: Call): Lease<Extra, Leased> | undefined {
    const lease = this.#leases.get(id)
    if (lease === undefined || lease.owner !== principal?.user) return undefined
    if (!this.#isExpired(lease)) return lease
    void this.#end(id, lease).catch(() => undefined)
    return undefined
  }

  #isExpired({ users, lastUsedMs }: Lease<Extra, Leased>): boolean {
    return users === 0 && lastUsedMs + this.#options.idleMs <= this.#now()
  }

  /** Runs `work` with the scanner, which does not expire meanwhile. Throws UNKNOWN_SCANNER, also for a finished scanner. */
  async use<T>(id: number, call: Call, work: (scanner: Leased, extra: Extra) => Promise<T>): Promise<T> {
    const lease = this.#leaseOf(id, call)
    if (lease === undefined) {
      throw new HBaseError(
        'UNKNOWN_SCANNER',
        `scanner ${id} is not open: it was closed, not used for ${this.#options.idleMs} ms, or the one unused for the longest where too many were open`,
      )
    }
    lease.users++
    lease.isAsleep = false
    lease.client.idle.delete(id)
    try {
      return await work(lease.scanner, lease.extra)
    } finally {
      lease.users--
      lease.lastUsedMs = this.#now()
      if (lease.users === 0 && this.#leases.get(id) === lease) lease.client.idle.add(id)
    }
  }

  /**
   * Closes a scanner that was read to its end. It no longer counts as open, and is known as finished for as long as an unused open one
   * would be kept.
   */
  async finish(id: number, call: Call): Promise<void> {
    const lease = this.#leaseOf(id, call)
    if (lease === undefined) return
    this.#finished.add(id, lease.owner, this.#now())
    await this.#end(id, lease)
  }

  /** Whether the caller has a scanner with that id and has read it to its end. */
  isFinished(id: number, { principal }: Call): boolean {
    return this.#finished.use(id, principal?.user, this.#now())
  }

  /** Closes the scanner; false where the caller has none with that id. */
  async close(id: number, call: Call): Promise<boolean> {
    if (this.isFinished(id, call)) {
      this.#finished.forget(id)
      return true
    }
    const lease = this.#leaseOf(id, call)
    if (lease === undefined) return false
    await this.#end(id, lease)
    return true
  }

  async #end(id: number, lease: Lease<Extra, Leased>): Promise<void> {
    if (!this.#leases.delete(id)) return
    const { client, queryBytes } = lease
    client.held--
    client.queryBytes -= queryBytes
    client.idle.delete(id)
    if (client.held === 0) this.#clients.delete(client.name)
    this.#queryBytes -= queryBytes
    this.#options.memory?.giveStanding(queryBytes)
    await lease.scanner.close()
  }

  /** Closes scanners that have idled too long, and sends others to sleep. Runs by itself; tests call it after moving their clock. */
  async sweep(): Promise<void> {
    const { sleepMs = Number.POSITIVE_INFINITY } = this.#options
    const now = this.#now()
    this.#finished.sweep(now)
    for (const [id, lease] of this.#leases) {
      // The sweep goes on past a scanner that fails to close or to sleep.
      if (this.#isExpired(lease)) await this.#end(id, lease).catch(() => undefined)
      else if (lease.users === 0 && !lease.isAsleep && lease.lastUsedMs + sleepMs <= now) {
        lease.isAsleep = true
        await lease.scanner.sleep?.().catch(() => undefined)
      }
    }
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweeper)
    for (const [id, lease] of this.#leases) await this.#end(id, lease)
  }
}

function tooMany(reason: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', reason)
}

/** The client whose scanners are counted together: the user that it names, or else its address. */
function clientName({ principal, address }: Call): string {
  if (principal !== undefined) return `the user ${principal.user}`
  return `the address ${address === undefined ? 'unknown' : clientNetwork(address)}`
}
