/** The open scanners of ClientService, by the ids that clients know, and the order of their calls. HBase: RegionScannerHolder. */

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
  /** Number of the next call: the `nextCallSeq` that the client must send. */
  sequence: bigint
  isBusy: boolean
  /** Row of the last result, where that may be a part of a row; undefined otherwise. */
  partialRow: Buffer | undefined
}

/** An id has bits of the server's start code, and behind them so many bits that count the scanners. */
const COUNTER_BITS = 32n
const START_BITS = 31
/** Most ended scanners whose ids are remembered. They are remembered for the time of a lease. */
const ENDED_MAX = 10_000

export class OpenScanners {
  readonly lender: Lender
  /** Time in milliseconds after which an unused scanner is closed. */
  readonly idleMs: number
  readonly #leases: ScannerLeases<OpenScan>
  readonly #start: bigint
  /** Ended scanners, each with the number of the call that would have been next. */
  readonly #ended: RecentNumbers<bigint>

  /** `startCode`: of the server. Ids of earlier runs differ by it. HBase: ScannerIdGenerator. */
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

  /** Opens a scanner and returns its id. See ScannerLeases.open. */
  open(scanner: Scanner, scan: OpenScan, call: Call, queryBytes: number): bigint {
    return this.#start | BigInt(this.#leases.open(scanner, scan, call, queryBytes))
  }

  /**
   * Runs `work` with the scanner, which takes one call at a time. Throws UNKNOWN_SCANNER. Throws DO_NOT_RETRY for a call that is not the
   * next one: the client has lost an answer and must open a new scanner. A call without a sequence number, such as one that closes the
   * scanner, gets DO_NOT_RETRY while another call runs.
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
   * True where the scanner ended a short time ago, by itself or by its client. Throws DO_NOT_RETRY for a call that is not the next one
   * after its last: the client may have lost the last rows. HBase: RSRpcServices.getRegionScanner.
   */
  hasEnded(id: bigint, sequence: bigint | undefined): boolean {
    const counter = this.counterOf(id)
    const next = counter === undefined ? undefined : this.#ended.get(counter)
    if (next === undefined) return false
    if (sequence !== undefined && sequence !== next + 1n)
      throw outOfOrder(' for closed request', next + 1n, sequence)
    return true
  }

  /** Closes a scanner. `next`: number of the call that would have been next. */
  async close(id: bigint, next: bigint, call: Call): Promise<void> {
    const counter = this.counterOf(id)
    if (counter === undefined) return
    this.#ended.add(counter, next, performance.now())
    await this.#leases.close(counter, call)
  }

  /** Closes a scanner whose client has missed rows. Its further calls get UNKNOWN_SCANNER, even where the scanner had ended. */
  forget(id: bigint, call: Call): void {
    const counter = this.counterOf(id)
    if (counter === undefined) return
    this.#ended.delete(counter)
    this.#leases.close(counter, call).catch(() => undefined)
  }

  closeAll(): Promise<void> {
    return this.#leases.closeAll()
  }

  /** The number in an id; undefined for an id of another server, or of another run of this one. */
  counterOf(id: bigint): number | undefined {
    const counter = id ^ this.#start
    return counter >> COUNTER_BITS === 0n ? Number(counter) : undefined
  }
}

/** The error for a call that is not the next one. Java prints the client's 64 bits as a signed number. */
function outOfOrder(of: string, expected: bigint, sequence: bigint): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `Expected nextCallSeq${of}: ${expected} But the nextCallSeq got from client: ${BigInt.asIntN(64, sequence)}`,
    { javaClass: 'org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException' },
  )
}

/** The error while another call uses the scanner: HBase then finds no lease of it. HBase: LeaseManager.removeLease. */
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

/** True where the batch's last result is a part of a row that may continue. */
export function endsWithinRow({ partial }: ScanBatch): boolean {
  return partial?.at(-1) === true
}
