import { HBaseError } from '../../../src/model/errors.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import type { Call } from '../../../src/store/call.ts'
import type { HandoutId, Handouts, OpenScanner, ScanLimits } from '../../../src/store/handouts.ts'
import { unknownScanner } from '../../../src/store/refusals.ts'

/** A scanner that callers name by its id. */
export interface HandedScanner {
  readonly readPoint: bigint
  next(limits: ScanLimits, call: Call): Promise<ScanBatch>
  close(): Promise<void>
}

/**
 * The most loans to remember: more than the buffers that a connection keeps. A caller that never releases must not hold the memory of all
 * its answers.
 */
const LOANS_MAX = 32

/** The open scanners, and the lent memory of responses, which a connection reuses after its release. */
export class HBaseHandouts implements Handouts {
  readonly #scanners = new Map<HandoutId, HandedScanner>()
  /** The release function of each loan; the oldest first. */
  readonly #loans = new Map<HandoutId, () => void>()
  #lastId = 0
  #closed = false

  add(scanner: HandedScanner): OpenScanner {
    const id = ++this.#lastId
    this.#scanners.set(id, scanner)
    return { id, readPoint: scanner.readPoint }
  }

  readonly lend = (release: () => void): HandoutId => {
    const id = ++this.#lastId
    if (this.#loans.size === LOANS_MAX) {
      for (const oldest of this.#loans.keys()) {
        this.#loans.delete(oldest)
        break
      }
    }
    this.#loans.set(id, release)
    return id
  }

  next(id: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch> {
    if (this.#closed) return Promise.reject(new HBaseError('UNAVAILABLE', 'the store is closed'))
    const scanner = this.#scanners.get(id)
    return scanner === undefined ? Promise.reject(unknownScanner(id)) : scanner.next(limits, call)
  }

  async closeScanner(id: HandoutId): Promise<void> {
    const scanner = this.#scanners.get(id)
    this.#scanners.delete(id)
    await scanner?.close()
  }

  release(loan: HandoutId): void {
    const release = this.#loans.get(loan)
    this.#loans.delete(loan)
    release?.()
  }

  /** Forgets all scanners and loans: the connections end, and with them the servers' scanners and the memory. */
  close(): void {
    this.#closed = true
    this.#scanners.clear()
    this.#loans.clear()
  }
}
