/** The scanners of ClientService, which clients know by number, and their order of calls. HBase: RegionScannerHolder. */

import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { Lender } from '../../../gateway/reads/loans.ts'
import type { Scanner } from '../../../gateway/reads/scanner.ts'
import { ScannerLeases } from '../../../gateway/reads/scanner-leases.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { ScanBatch } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { NamedRegion } from '../regions/named-region.ts'
import { RecentNumbers } from './recent-numbers.ts'

export interface OpenScan {
  readonly region: NamedRegion
  readonly needsCursor: boolean
  readonly resultBytesMax: number
  readonly hasBatch: boolean
  /** The number of the next call. */
  sequence: bigint
  isBusy: boolean
  /** The row of a last result that may go on. */
  partialRow: Buffer | undefined
}

/** Ids of this server begin with a number of its start, behind which so many bits count its scanners. */
const COUNTER_BITS = 32n
const START_BITS = 31
/** Scanners that have ended are known by their ids for the time of a lease, and the last so many. */
const ENDED_MAX = 10_000

export class OpenScanners {
  readonly lender: Lender
  readonly idleMs: number
  readonly #leases: ScannerLeases<OpenScan>
  readonly #start: bigint
  /** With the number of the call that would have been next. */
  readonly #ended: RecentNumbers<bigint>

  /** `startCode`: of the server, so that an id of another run is none of this one. HBase: ScannerIdGenerator. */
  constructor(
    lender: Lender,
    { scannerIdleMs, scannersMax, clientScannersMax }: Limits,
    startCode: number,
    { siblings, memory }: { readonly siblings?: Siblings | undefined; readonly memory?: MemoryBudget } = {},
  ) {
    this.lender = lender
    this.idleMs = scannerIdleMs
    this.#ended = new RecentNumbers(ENDED_MAX, scannerIdleMs)
    this.#start = BigInt.asUintN(START_BITS, BigInt(startCode)) << COUNTER_BITS
    this.#leases = new ScannerLeases({
      idleMs: scannerIdleMs,
      memory,
      countMax: scannersMax,
      clientCountMax: clientScannersMax,
      ids: siblings?.scannerIds,
    })
  }

  get size(): number {
    return this.#leases.size
  }

  /** As ScannerLeases.open. */
  open(scanner: Scanner, scan: OpenScan, call: Call, queryBytes: number): bigint {
    return this.#start | BigInt(this.#leases.open(scanner, scan, call, queryBytes))
  }

  /**
   * Runs `work` with the scanner, which takes one call at a time. Throws UNKNOWN_SCANNER, and DO_NOT_RETRY for a call that is
   * not the next one: the client has lost an answer and must open a new scanner. A call that states no order, as one that closes the
   * scanner, is DO_NOT_RETRY too while another one is under way.
   */
  use<T>(
    id: bigint,
    sequence: bigint | undefined,
    call: Call,
    work: (scanner: Scanner, scan: OpenScan) => Promise<T>,
  ): Promise<T> {
    const counter = this.counterOf(id)
    if (counter === undefined || !this.#leases.has(counter, call)) throw unknownScanner(id)
    return this.#leases.use(counter, call, async (scanner, scan) => {
      if (sequence === undefined && scan.isBusy) throw isInUse(id)
      if (sequence !== undefined && (sequence !== scan.sequence || scan.isBusy)) {
        throw outOfOrder('', scan.sequence, sequence)
      }
      if (sequence !== undefined) scan.sequence++
      scan.isBusy = true
      try {
        return await work(scanner, scan)
      } finally {
        scan.isBusy = false
      }
    })
  }

  /**
   * True where the scanner has ended, by itself or by its client, a short time ago. Throws DO_NOT_RETRY for a call that states another order
   * than one call behind the last: the client may have lost the last rows. HBase: RSRpcServices.getRegionScanner.
   */
  hasEnded(id: bigint, sequence: bigint | undefined): boolean {
    const counter = this.counterOf(id)
    const next = counter === undefined ? undefined : this.#ended.get(counter)
    if (next === undefined) return false
    if (sequence !== undefined && sequence !== next + 1n)
      throw outOfOrder(' for closed request', next + 1n, sequence)
    return true
  }

  /** `next`: the number of the call that would have been next. */
  async close(id: bigint, next: bigint, call: Call): Promise<void> {
    const counter = this.counterOf(id)
    if (counter === undefined) return
    this.#ended.add(counter, next, performance.now())
    await this.#leases.close(counter, call)
  }

  /** Closes a scanner whose client has missed rows: its further calls find no such scanner, even where it had ended. */
  forget(id: bigint, call: Call): void {
    const counter = this.counterOf(id)
    if (counter === undefined) return
    this.#ended.delete(counter)
    this.#leases.close(counter, call).catch(() => undefined)
  }

  closeAll(): Promise<void> {
    return this.#leases.closeAll()
  }

  /** Undefined for an id of another server, or of another run of this one. */
  counterOf(id: bigint): number | undefined {
    const counter = id ^ this.#start
    return counter >> COUNTER_BITS === 0n ? Number(counter) : undefined
  }
}

/** The number that a client states is 64 bits, which Java prints with a sign. */
function outOfOrder(of: string, expected: bigint, sequence: bigint): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `Expected nextCallSeq${of}: ${expected} But the nextCallSeq got from client: ${BigInt.asIntN(64, sequence)}`,
    { javaClass: 'org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException' },
  )
}

/** HBase takes a scanner's lease away while a call uses it: LeaseManager.removeLease. */
function isInUse(id: bigint): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `lease '${id}' does not exist`, {
    javaClass: 'org.apache.hadoop.hbase.regionserver.LeaseException',
  })
}

/** HBase: RSRpcServices.getRegionScanner. */
function unknownScanner(id: bigint): HBaseError {
  return new HBaseError(
    'UNKNOWN_SCANNER',
    `Unknown scanner '${id}'. This can happen due to any of the following reasons: a) Scanner id given is wrong, b) Scanner lease expired because of long wait between consecutive client checkins, c) Server may be closing down, d) RegionServer restart during upgrade.\nIf the issue is due to reason (b), a possible fix would be increasing the value of'hbase.client.scanner.timeout.period' configuration.`,
  )
}

/** True where the batch's last result is a part of a row that may go on. */
export function endsWithinRow({ partial }: ScanBatch): boolean {
  return partial?.at(-1) === true
}
