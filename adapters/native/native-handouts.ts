import type { ScanBatch } from '../../src/model/results.ts'
import type { Call } from '../../src/store/call.ts'
import type { HandoutId, Handouts, ScanLimits } from '../../src/store/handouts.ts'
import { unknownScanner } from '../../src/store/refusals.ts'
import type { EngineCalls } from './engine-calls.ts'
import type { Loans } from './read/loans.ts'
import type { NativeScanner } from './read/native-scanner.ts'

export class NativeHandouts implements Handouts {
  readonly loans: Loans
  readonly #calls: EngineCalls
  readonly #scanners = new Map<HandoutId, NativeScanner>()

  constructor(calls: EngineCalls, loans: Loans) {
    this.#calls = calls
    this.loans = loans
  }

  /** Hands out a scanner, under an id that was never used before. */
  addScanner(scanner: NativeScanner): HandoutId {
    const id = this.loans.takeId()
    this.#scanners.set(id, scanner)
    return id
  }

  next(id: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const scanner = this.#scanners.get(id)
    return scanner === undefined ? this.#refuse(id) : scanner.next(limits, call)
  }

  async #refuse(id: HandoutId): Promise<never> {
    this.#calls.checkIsOpen()
    throw unknownScanner(id)
  }

  async closeScanner(id: HandoutId): Promise<void> {
    this.#scanners.get(id)?.close()
    this.#scanners.delete(id)
  }

  release(loan: HandoutId): void {
    this.loans.release(loan)
  }

  closeAll(): void {
    for (const scanner of this.#scanners.values()) scanner.close()
    this.#scanners.clear()
  }
}
