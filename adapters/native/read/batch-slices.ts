import { NO_RESULTS, type ScannedResults } from '../../../src/model/results.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { joinInSteps } from './join-slices.ts'
import type { Loans } from './loans.ts'
import { PlainBatch } from './plain-batch.ts'
import type { RegionBatch } from './region-batch.ts'
import type { RegionScanner } from './region-scanner.ts'

export type JoinedSlices = Pick<RegionBatch, 'results' | 'partial'>

const NOTHING: JoinedSlices = { results: NO_RESULTS, partial: undefined }

/** The results of one batch, which come in slices, and from one region after the other. */
export class BatchSlices {
  rows = 0
  /** Bytes of their cells, and those that each cell adds. */
  bytes = 0
  readonly #loans: Loans
  #slices: RegionBatch[] = []
  /** Plain rows behind the slices. Small regions share it: a slice of its own costs as much as twenty rows. */
  #begun: PlainBatch | undefined
  #isScattered = false

  constructor(loans: Loans) {
    this.#loans = loans
  }

  /** Reads a slice of a region; false if the region has no more results. A read that throws adds nothing. */
  read(region: RegionScanner, limits: ScanLimits, cellsMax: number): boolean {
    const begun = this.#begun ?? new PlainBatch(this.#loans)
    this.#begun = begun
    this.#isScattered = limits.allowScattered === true
    const { counts, places } = begun
    const { length: rowsBefore } = counts
    const { count: cellsBefore, byteLength: bytesBefore } = places
    let slice: RegionBatch
    try {
      slice = region.next(limits, cellsMax, begun)
    } catch (error) {
      begun.rewind(rowsBefore, cellsBefore)
      throw error
    }
    this.rows += counts.length - rowsBefore
    this.bytes += places.byteLength - bytesBefore
    if (slice.results.counts.length > 0) this.#add(slice, limits.cellBytes ?? 0)
    return slice.more
  }

  #add(slice: RegionBatch, cellBytes: number): void {
    this.endTurn()
    this.#slices.push(slice)
    const { counts, cells } = slice.results
    this.rows += counts.length
    this.bytes += cells.byteLength
    if (cellBytes > 0) for (const count of counts) this.bytes += count * cellBytes
  }

  /** Call this before the event loop runs: plain rows are copied by turns, if they are. */
  endTurn(): void {
    const begun = this.#begun
    this.#begun = undefined
    if (begun === undefined) return
    if (begun.counts.length === 0) begun.drop()
    else this.#slices.push({ results: this.#resultsOf(begun), more: true, partial: undefined })
  }

  #resultsOf(begun: PlainBatch): ScannedResults {
    return this.#isScattered ? begun.lent() : begun.gathered()
  }

  /** The results as one; steps where they must be joined. They are taken with `clear`. */
  joined(): JoinedSlices | Steps<JoinedSlices> {
    this.endTurn()
    const [only = NOTHING, other] = this.#slices
    return other === undefined ? only : joinInSteps(this.#slices, this.#loans)
  }

  clear(): void {
    this.#begun?.drop()
    this.#begun = undefined
    this.#slices = []
    this.rows = 0
    this.bytes = 0
  }
}
