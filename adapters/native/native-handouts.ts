import type { ScanBatch } from '../../src/model/results.ts'
import type { Call } from '../../src/store/call.ts'
import type { HandoutId, Handouts, ScanLimits } from '../../src/store/handouts.ts'
import { unknownScanner } from '../../src/store/refusals.ts'
import type { EngineCalls } from './engine-calls.ts'
import type { BlockMemory } from './read/block-memory.ts'
import { Loans } from './read/loans.ts'
import type { NativeScanner } from './read/native-scanner.ts'

/** Open scanners, beside what is on loan. */
export class NativeHandouts extends Loans implements Handouts {
  readonly #calls: EngineCalls
  readonly #scanners = new Map<HandoutId, NativeScanner>()

  constructor(calls: EngineCalls, memory: BlockMemory) {
    super(memory)
    this.#calls = calls
  }

  /** Hands out a scanner, under an id that was never used before. */
  addScanner(scanner: NativeScanner): HandoutId {
    const id = this.takeId()
    this.#scanners.set(id, scanner)
    return id
  }

  next(id: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const scanner = this.#scanners.get(id)
    return scanner === undefined ? this.#refuse(id, call) : scanner.next(limits, call)
  }

  async #refuse(id: HandoutId, call: Call): Promise<never> {
    this.#calls.check(call)
    throw unknownScanner(id)
  }

  async closeScanner(id: HandoutId): Promise<void> {
    this.#scanners.get(id)?.close()
    this.#scanners.delete(id)
  }

  closeAll(): void {
    for (const scanner of this.#scanners.values()) scanner.close()
    this.#scanners.clear()
  }
}
