import type { FamilyStore } from '../region/family-store.ts'
import type { CompactionWish } from './store-choice.ts'

/** The compactions that wait, of thousands of stores maybe: the store that had the most files when it was added last comes first. */
export class WaitingCompactions implements Iterable<CompactionWish> {
  /** A major one and another one at most. */
  readonly #ofStore = new Map<FamilyStore, CompactionWish[]>()
  readonly #byFiles = new Map<number, Set<CompactionWish>>()
  readonly #filesOf = new Map<CompactionWish, number>()

  get size(): number {
    return this.#filesOf.size
  }

  /** False where one waits already that does as much. */
  add(wish: CompactionWish): boolean {
    const { store, isMajor } = wish
    const known = this.#ofStore.get(store) ?? []
    const same = known.find((other) => other.isMajor || !isMajor)
    this.#place(same ?? wish)
    if (same !== undefined) return false
    this.#ofStore.set(store, [...known, wish])
    return true
  }

  #place(wish: CompactionWish): void {
    const { fileCount } = wish.store
    if (this.#filesOf.get(wish) === fileCount) return
    this.#takeOut(wish)
    this.#filesOf.set(wish, fileCount)
    const others = this.#byFiles.get(fileCount)
    if (others === undefined) this.#byFiles.set(fileCount, new Set([wish]))
    else others.add(wish)
  }

  #takeOut(wish: CompactionWish): void {
    const fileCount = this.#filesOf.get(wish)
    if (fileCount === undefined) return
    const others = this.#byFiles.get(fileCount)!
    others.delete(wish)
    if (others.size === 0) this.#byFiles.delete(fileCount)
    this.#filesOf.delete(wish)
  }

  delete(wish: CompactionWish): void {
    this.#takeOut(wish)
    const others = (this.#ofStore.get(wish.store) ?? []).filter((other) => other !== wish)
    if (others.length === 0) this.#ofStore.delete(wish.store)
    else this.#ofStore.set(wish.store, others)
  }

  clear(): void {
    this.#ofStore.clear()
    this.#byFiles.clear()
    this.#filesOf.clear()
  }

  *[Symbol.iterator](): Iterator<CompactionWish> {
    const counts = [...this.#byFiles.keys()].sort((a, b) => b - a)
    for (const count of counts) yield* this.#byFiles.get(count) ?? []
  }
}
