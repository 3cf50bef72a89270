/** ThreadWords whose uses are points at which a thread can be stopped, and which can have a fault. */

import { RootWords, ThreadWords } from '../../../adapters/native/platform/thread-words.ts'

/** Mistakes of a reader or of the writer that a litmus test must find. */
export const FAULTS = [
  'a read without its pin',
  'a read without its read point',
  'a read that does not look for views',
  'an epoch is used again one early',
  'roots after the read point',
] as const
export type Fault = (typeof FAULTS)[number]

class StoppedRoot extends RootWords {
  readonly #words: StoppedWords

  constructor(words: StoppedWords, memory?: SharedArrayBuffer) {
    super(memory)
    this.#words = words
  }

  override get root(): number {
    this.#words.point()
    return super.root
  }

  override store(root: number, maxSequenceId: number): void {
    this.#words.point()
    this.#words.storing(() => super.store(root, maxSequenceId))
  }
}

export class StoppedWords extends ThreadWords {
  /** Called at each point. */
  point: () => void = () => undefined
  readonly #fault: Fault | undefined
  readonly #late: (() => void)[] = []
  #views: number | undefined

  constructor(memory: SharedArrayBuffer, fault?: Fault) {
    super(memory)
    this.#fault = fault
  }

  override rootWords(memory?: SharedArrayBuffer): RootWords {
    return new StoppedRoot(this, memory)
  }

  storing(store: () => void): void {
    if (this.#fault === 'roots after the read point') this.#late.push(store)
    else store()
  }

  override get epoch(): number {
    this.point()
    return super.epoch
  }

  override get views(): number {
    this.point()
    if (this.#fault !== 'a read that does not look for views') return super.views
    this.#views ??= super.views
    return this.#views
  }

  override countViews(): void {
    this.point()
    super.countViews()
  }

  override publish(readPoint: number): void {
    this.point()
    super.publish(readPoint)
    this.point()
    for (const late of this.#late.splice(0)) {
      late()
      this.point()
    }
  }

  override get oldestPin(): number {
    this.point()
    const oldest = super.oldestPin
    return this.#fault === 'an epoch is used again one early' ? (oldest + 2) | 0 : oldest
  }

  override get oldestReader(): number {
    this.point()
    return super.oldestReader
  }

  override get newestReader(): number {
    this.point()
    return super.newestReader
  }

  override pin(reader: number, epoch: number): void {
    this.point()
    if (this.#fault !== 'a read without its pin') super.pin(reader, epoch)
  }

  override setReadPoints(reader: number, oldest: number, newest: number): void {
    // Before its own fields are there, the constructor of a reader's words asks for none.
    this.point()
    if (this.#fault !== 'a read without its read point') super.setReadPoints(reader, oldest, newest)
  }
}
