import { compareBytes } from '../../../src/model/bytes.ts'
import type { Scan } from '../../../src/model/query.ts'
import { rangeOfScan } from '../../../src/query/row-range.ts'
import type { FamilyRuns } from './family-runs.ts'
import type { HeldRegion, OnReplaced, ReadRegion, RegionWaiter } from './read-region.ts'
import type { RegionRequests } from './region-requests.ts'

const NOTHING = (): void => undefined

/**
 * The regions that a scan has not read to their ends, in its order. A table may have thousands. Each is held once a turn of the event loop ends
 * within it, or before it changes its runs: so a scan reads the runs of the moment at which it was opened.
 */
export class UnreadRegions implements RegionWaiter {
  readonly #regions: readonly ReadRegion[]
  readonly #isReversed: boolean
  readonly #onReplaced: OnReplaced
  // The indexes from `#from` to before `#to` are unread.
  #from: number
  #to: number
  /** Regions that are held, by their indexes. */
  readonly #held = new Map<number, HeldRegion>()
  #stopWaiting: () => void = NOTHING
  readonly #giveUpReadPoint: () => void

  /** `regions`: in the order of their keys. Keeps what a scan at the read point sees, until `close`. */
  constructor(regions: readonly ReadRegion[], scan: Scan, readPoint: number, onReplaced: OnReplaced) {
    const { from, to } = rangeOfScan(regions, scan)
    this.#regions = regions
    this.#isReversed = scan.reversed
    this.#onReplaced = onReplaced
    this.#from = from
    this.#to = to
    const first = regions[from]!
    if (this.length === 1) this.#giveUpReadPoint = first.keepReadPoint(readPoint)
    else {
      this.#giveUpReadPoint = first.keepReadPointOfTable(readPoint)
      this.#stopWaiting = first.addWaiter(this)
    }
  }

  get length(): number {
    return this.#to - this.#from
  }

  /** The runs of the first one, until the event loop runs: `holdFirst` keeps them longer. Undefined at the end. */
  get firstFamilies(): readonly FamilyRuns[] | undefined {
    if (this.length === 0) return undefined
    const index = this.#firstIndex
    return this.#held.get(index)?.families ?? this.#regions[index]!.families()
  }

  /** Undefined at the end. */
  get firstRequests(): RegionRequests | undefined {
    if (this.length === 0) return undefined
    const index = this.#firstIndex
    return this.#held.get(index)?.requests ?? this.#regions[index]!.requests
  }

  /** Has the scan go on in the runs of `firstFamilies` after this turn of the event loop. */
  holdFirst(): void {
    if (this.length > 0) this.#hold(this.#firstIndex)
  }

  /** Must be called before the first one is read in another turn of the event loop. */
  resume(): void {
    if (this.length > 0) this.#held.get(this.#firstIndex)?.resume()
  }

  get #firstIndex(): number {
    return this.#isReversed ? this.#to - 1 : this.#from
  }

  #hold(index: number): HeldRegion {
    const known = this.#held.get(index)
    if (known !== undefined) return known
    const held = this.#regions[index]!.hold(this.#onReplaced)
    this.#held.set(index, held)
    return held
  }

  /** Lets go of the first one. */
  shift(): void {
    if (this.length === 0) return
    const index = this.#firstIndex
    this.#held.get(index)?.release()
    this.#held.delete(index)
    if (this.#isReversed) this.#to--
    else this.#from++
    if (this.length === 0) this.#stopWaiting()
  }

  beforeChange(region: ReadRegion): void {
    const index = this.#indexOf(region)
    if (index >= 0) this.#hold(index)
  }

  /** -1: not an unread one. */
  #indexOf(region: ReadRegion): number {
    let low = this.#from
    let high = this.#to
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareBytes(this.#regions[middle]!.startKey, region.startKey) < 0) low = middle + 1
      else high = middle
    }
    return low < this.#to && this.#regions[low] === region ? low : -1
  }

  /** Lets go of all. */
  release(): void {
    this.#stopWaiting()
    this.#from = this.#to
    for (const held of this.#held.values()) held.release()
    this.#held.clear()
  }

  /** Safe to call twice. */
  close(): void {
    this.release()
    this.#giveUpReadPoint()
  }
}
