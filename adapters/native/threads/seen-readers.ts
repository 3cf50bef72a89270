import type { ThreadWords } from '../platform/thread-words.ts'
import type { OtherReaders } from '../region/kept-versions.ts'

/**
 * The read points of all readers, as the writer needs them: it looks at them once after each publication. A read whose read point is older than the
 * published one has said so before that publication, for it begins again where the epoch has changed meanwhile. One that begins later reads what is
 * published, which the writer keeps for reads of its own. One that has ended since is waited for until the next publication.
 */
export class SeenReaders implements OtherReaders {
  readonly #words: Pick<ThreadWords, 'oldestReader' | 'newestReader'>
  #hasLooked = false
  #oldest = Number.POSITIVE_INFINITY
  #newest = -1

  constructor(words: Pick<ThreadWords, 'oldestReader' | 'newestReader'>) {
    this.#words = words
  }

  get oldestReader(): number {
    this.#look()
    return this.#oldest
  }

  get newestReader(): number {
    this.#look()
    return this.#newest
  }

  /** Called after each publication. */
  lookAgain(): void {
    this.#hasLooked = false
  }

  #look(): void {
    if (this.#hasLooked) return
    this.#hasLooked = true
    this.#oldest = this.#words.oldestReader
    this.#newest = this.#words.newestReader
  }
}
