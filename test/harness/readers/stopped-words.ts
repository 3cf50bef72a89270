/** ThreadWords whose uses are points at which a thread can be stopped, and which can have a fault. */

import { RootWords, ThreadWords } from '../../../adapters/native/platform/thread-words.ts'

/** Mistakes of a reader, whose names begin with a read, or of the writer that a litmus test must find. */
export const FAULTS = [
  'a read without its pin',
  'a read without its read point',
  'a read that does not look for views',
  'a read that takes in no memory after its roots',
  'a read that does not look at its epoch again',
  'a read by the descriptor of another file',
  'an epoch is used again one early',
  'roots after the read point',
  'views are counted after the read point',
  'writes are shown before they are logged',
  'versions are dropped for writes that are refused',
  'a file is not kept',
  'a memstore is not kept',
] as const
export type Fault = (typeof FAULTS)[number]

/** How often a read looks whether its epoch still is the present one. */
const EPOCH_LOOKS = 2

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
  /** The epoch that a read takes for the present one, and how often it will. */
  #epoch = 0
  #epochLooks = 0

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
    if (this.#fault === 'a read that takes in no memory after its roots') this.#views = undefined
    return this.#epochLooks-- > 0 ? this.#epoch : super.epoch
  }

  override readPointOf(epoch: number): number {
    this.point()
    if (this.#fault === 'a read that does not look at its epoch again') {
      this.#epoch = epoch
      this.#epochLooks = EPOCH_LOOKS
    }
    return super.readPointOf(epoch)
  }

  override get views(): number {
    this.point()
    if (
      this.#fault !== 'a read that does not look for views' &&
      this.#fault !== 'a read that takes in no memory after its roots'
    )
      return super.views
    this.#views ??= super.views
    return this.#views
  }

  override countViews(): void {
    this.point()
    if (this.#fault === 'views are counted after the read point') this.#late.push(() => super.countViews())
    else super.countViews()
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
