/** The scanners of ClientService, which clients know by number, and their order of calls. HBase: RegionScannerHolder. */

import type { Limits } from '../../../gateway/limits.ts'
import { type Lender } from '../../../gateway/loans.ts'
import type { Scanner } from '../../../gateway/scanner.ts'
import { ScannerLeases } from '../../../gateway/scanner-leases.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { ScanBatch } from '../../../model/results.ts'
import { type Call, clientOf } from '../../../store/call.ts'
import type { RegionRef } from '../../../store/target.ts'

export interface OpenScan {
  readonly region: RegionRef
  readonly needsCursor: boolean
  readonly resultBytesMax: number
  readonly hasBatch: boolean
  /** The number of the next call. */
  sequence: number
  isBusy: boolean
  /** The row of a last result that may go on. */
  partialRow: Buffer | undefined
}

export class OpenScanners {
  readonly lender: Lender
  readonly idleMs: number
  readonly #leases: ScannerLeases<OpenScan>

  constructor(lender: Lender, { scannerIdleMs, scannersMax, clientScannersMax }: Limits) {
    this.lender = lender
    this.idleMs = scannerIdleMs
    this.#leases = new ScannerLeases({
      idleMs: scannerIdleMs,
      countMax: scannersMax,
      clientCountMax: clientScannersMax,
    })
  }

  get size(): number {
    return this.#leases.size
  }

  /** Throws DO_NOT_RETRY where too many scanners are open. */
  open(scanner: Scanner, scan: OpenScan, call: Call): number {
    return this.#leases.open(scanner, scan, clientOf(call))
  }

  /**
   * Runs `work` with the scanner, which takes one call at a time. Throws UNKNOWN_SCANNER, and DO_NOT_RETRY for a call that is
   * not the next one: the client has lost an answer and must open a new scanner.
   */
  use<T>(
    id: number,
    sequence: number | undefined,
    work: (scanner: Scanner, scan: OpenScan) => Promise<T>,
  ): Promise<T> {
    return this.#leases.use(id, async (scanner, scan) => {
      if (sequence !== undefined && (sequence !== scan.sequence || scan.isBusy)) {
        throw new HBaseError(
          'DO_NOT_RETRY',
          `Expected nextCallSeq: ${scan.sequence} But the nextCallSeq got from client: ${sequence}`,
          { javaClass: 'org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException' },
        )
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

  has(id: number): boolean {
    return this.#leases.has(id)
  }

  async close(id: number): Promise<void> {
    await this.#leases.close(id)
  }

  closeAll(): Promise<void> {
    return this.#leases.closeAll()
  }
}

/** True where the batch's last result is a part of a row that may go on. */
export function endsWithinRow({ partial }: ScanBatch): boolean {
  return partial?.at(-1) === true
}
