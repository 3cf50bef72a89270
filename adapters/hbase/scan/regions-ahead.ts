import type { Call } from '../../../src/store/call.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import type { ScanResponse } from '../messages/scan-method.ts'
import type { RpcResponse } from '../rpc/rpc-connection.ts'
import type { ReadAhead } from './read-ahead.ts'

/** The most regions that a scan opens before their turn. Their answers together may be as large as one. */
export const AHEAD_REGIONS_MAX = 16
/** A region whose first answer is smaller and complete is a small one. */
const SMALL_BYTES = 64 * 1024

/** A scanner of a region that was opened from its first row on, and its first answer. */
export interface BegunRegion {
  readonly region: LocatedRegion
  readonly openedBy: Call
  readonly answer: Promise<RpcResponse<ScanResponse>>
}

/**
 * The regions behind the present one, opened before their turn: a table may have thousands of regions with a few rows each, and to wait for
 * one answer after the other takes many times as long as their rows. As many are opened as small regions were passed before.
 */
export class RegionsAhead {
  readonly #readAhead: ReadAhead
  /** In the order of the scan, without gaps. */
  readonly #begun: BegunRegion[] = []
  #smallRegions = 0

  constructor(readAhead: ReadAhead) {
    this.#readAhead = readAhead
  }

  get hasBegun(): boolean {
    return this.#begun.length > 0
  }

  /** The region that begins at `row`, if it was opened. */
  take(row: Buffer): BegunRegion | undefined {
    const [first] = this.#begun
    if (first === undefined || !first.region.startKey.equals(row)) return undefined
    this.#begun.shift()
    if (this.#begun.length === 0) this.#readAhead.end()
    return first
  }

  /** Notes the first answer of a region. */
  passed({ message, cells }: RpcResponse<ScanResponse>): void {
    const isSmall = !message.moreResultsInRegion && cells.byteLength < SMALL_BYTES
    this.#smallRegions = isSmall ? Math.min(this.#smallRegions + 1, AHEAD_REGIONS_MAX) : 0
  }

  /** Opens further regions where half of them were taken, so that their requests share a write. `begin`: the region after one, if it is known. */
  fill(present: LocatedRegion, begin: (after: LocatedRegion) => BegunRegion | undefined): void {
    const begun = this.#begun
    if (begun.length > this.#smallRegions / 2) return
    while (begun.length < this.#smallRegions) {
      if (begun.length === 0 && !this.#readAhead.begin()) return
      const next = begin(begun.at(-1)?.region ?? present)
      if (next === undefined) {
        if (begun.length === 0) this.#readAhead.end()
        return
      }
      // The failure is met by the scan that comes to the region.
      next.answer.catch(() => undefined)
      begun.push(next)
    }
  }

  /** Forgets the regions; `letGo` closes a scanner that a server still has. */
  drop(letGo: (region: LocatedRegion, scannerId: bigint, openedBy: Call) => void): void {
    const dropped = this.#begun.splice(0)
    this.#smallRegions = 0
    if (dropped.length > 0) this.#readAhead.end()
    for (const { region, openedBy, answer } of dropped) {
      const close = ({ message, release }: RpcResponse<ScanResponse>): void => {
        release?.()
        if (message.moreResults && message.moreResultsInRegion) letGo(region, message.scannerId, openedBy)
      }
      answer.then(close, () => undefined)
    }
  }
}
