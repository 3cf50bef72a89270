import { CodePointSet } from './code-point-set.ts'

/**
 * A set to which other sets are added one by one. Each addition costs at most the logarithm of their number: a class may have as many
 * members as a pattern has characters.
 */
export class GrowingSet {
  /** Each more than twice as large as the next. */
  #parts: CodePointSet[] = []

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** The union of all added sets. */
  get whole(): CodePointSet {
    if (this.#parts.length !== 1) this.#parts = [CodePointSet.union(this.#parts)]
    return this.#parts[0]!
  }

  add(set: CodePointSet): void {
    const parts = this.#parts
    let added = set
    while (parts.length > 0 && parts.at(-1)!.ranges.length <= 2 * added.ranges.length) {
      added = parts.pop()!.union(added)
    }
    parts.push(added)
  }

  replaceBy(set: CodePointSet): void {
    this.#parts = [set]
  }
}
