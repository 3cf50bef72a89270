import type { ScanBatch } from '../../../src/model/results.ts'
import type { Call } from '../../../src/store/call.ts'
import type { HandoutId, Handouts, ScanLimits } from '../../../src/store/handouts.ts'
import { unknownScanner } from '../../../src/store/refusals.ts'
import type { EngineCalls } from '../engine/engine-calls.ts'
import type { NativeOptions } from '../options/native-options.ts'
import { AwakeScanners } from '../read/awake-scanners.ts'
import { BlockMemory } from '../read/block-memory.ts'
import { Loans } from '../read/loans.ts'
import type { NativeScanner } from '../read/native-scanner.ts'

/** Open scanners, beside what is on loan. */
export class NativeHandouts extends Loans implements Handouts {
  readonly #calls: EngineCalls
  readonly #scanners = new Map<HandoutId, NativeScanner>()
  readonly #awake: AwakeScanners

  constructor(
    calls: EngineCalls,
    { poisonReleased, awakeBytesMax }: Pick<NativeOptions, 'poisonReleased' | 'awakeBytesMax'>,
  ) {
    super(new BlockMemory(poisonReleased))
    this.#calls = calls
    this.#awake = new AwakeScanners(awakeBytesMax)
  }

  /** Hands out a scanner, under an id that was never used before. */
  addScanner(scanner: NativeScanner): HandoutId {
    const id = this.takeId()
    this.#scanners.set(id, scanner)
    return id
  }

  async next(id: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const scanner = this.#scanners.get(id)
    if (scanner === undefined) return this.#refuse(id, call)
    this.#awake.forget(scanner)
    try {
      return await scanner.next(limits, call)
    } finally {
      scanner.returned()
      if (this.#scanners.has(id)) this.#awake.used(scanner)
    }
  }

  async #refuse(id: HandoutId, call: Call): Promise<never> {
    this.#calls.check(call)
    throw unknownScanner(id)
  }

  async closeScanner(id: HandoutId): Promise<void> {
    const scanner = this.#scanners.get(id)
    if (scanner === undefined) return
    this.#awake.forget(scanner)
    scanner.close()
    this.#scanners.delete(id)
  }

  /** Scanners whose regions have gone keep their ids, by which their callers learn of that, and hold nothing. */
  letGoOfGone(): void {
    for (const scanner of this.#scanners.values()) scanner.closeIfGone()
  }

  closeAll(): void {
    for (const scanner of this.#scanners.values()) scanner.close()
    this.#scanners.clear()
  }
}
