import type { ThreadWords } from '../platform/thread-words.ts'
import type { ToReader } from '../threads/reader-messages.ts'

export interface ReaderInboxParts {
  readonly words: ThreadWords
  /** The next list of messages that has arrived; undefined: none has. */
  readonly receive: () => readonly ToReader[] | undefined
  /** Does what a message says, between two reads. */
  readonly apply: (message: ToReader) => void
  /** Takes in memory of a run, if the reader knows the run by now: reads may be under way. False: it does not. */
  readonly grow: (message: Extract<ToReader, { readonly kind: 'growth' }>) => boolean
}

/** The writer's messages, which it counts in ThreadWords once they are posted. */
export class ReaderInbox {
  readonly #parts: ReaderInboxParts
  #waiting: ToReader[] = []
  #taken = -1
  #isApplying = false

  constructor(parts: ReaderInboxParts) {
    this.#parts = parts
  }

  /**
   * Takes in the new memory of memstores. Must be called after roots were looked up and before they are used: the writer gives memory before it shows
   * a root in it. Changes of views wait for the next read: the present one goes on in the runs that it has.
   */
  takeGrowth(): void {
    const { views } = this.#parts.words
    if (views === this.#taken) return
    this.#taken = views
    for (let list = this.#parts.receive(); list !== undefined; list = this.#parts.receive()) this.#take(list)
  }

  #take(list: readonly ToReader[]): void {
    for (const message of list)
      if (message.kind !== 'growth' || !this.#parts.grow(message)) this.#waiting.push(message)
  }

  /** Takes in all that has been posted. Must be called before a read looks for its regions. */
  takeAll(): void {
    this.takeGrowth()
    this.#applyWaiting()
  }

  /** Takes in messages that have come by themselves. */
  arrived(list: readonly ToReader[]): void {
    this.#take(list)
    this.#applyWaiting()
  }

  #applyWaiting(): void {
    // A message may let a scan hold runs, which takes in growth.
    if (this.#isApplying) return
    this.#isApplying = true
    try {
      for (let at = 0; at < this.#waiting.length; at++) this.#parts.apply(this.#waiting[at]!)
    } finally {
      this.#waiting = []
      this.#isApplying = false
    }
  }
}
