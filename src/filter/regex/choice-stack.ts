import { BACKTRACK_CHOICES_MAX, tooLong } from './backtrack-limits.ts'

/** `progress` of a choice that has none. */
export const PLAIN = -1

/** A choice or a slot's old value: what to do, and two numbers for it. */
const ENTRY = 3
const ENTRIES_INITIAL = 64
/** A larger stack is not kept from one search to the next. */
const STACK_KEPT = 1 << 16

/**
 * The choices that a backtracking search has not tried yet, and the values of slots that it must restore before it does.
 */
export class ChoiceStack {
  /** Where the next entry goes. A lesser height that was read before drops the entries since then. */
  height = 0
  /** The entry that was popped last: an instruction to go on at, or the complement of a slot that has an old value. */
  what = 0
  value = 0
  progress: number = PLAIN
  #entries = new Int32Array(ENTRY * ENTRIES_INITIAL)

  push(what: number, value: number, progress: number): void {
    if (this.height === this.#entries.length) this.#grow()
    this.#entries[this.height++] = what
    this.#entries[this.height++] = value
    this.#entries[this.height++] = progress
  }

  /** False where there is no entry. */
  pop(): boolean {
    if (this.height === 0) return false
    this.progress = this.#entries[--this.height]!
    this.value = this.#entries[--this.height]!
    this.what = this.#entries[--this.height]!
    return true
  }

  /** Gives back the memory of a search that needed much. */
  shrink(): void {
    if (this.#entries.length > STACK_KEPT) this.#entries = new Int32Array(ENTRY * ENTRIES_INITIAL)
  }

  #grow(): void {
    if (this.height >= BACKTRACK_CHOICES_MAX * ENTRY) throw tooLong('choices', BACKTRACK_CHOICES_MAX)
    const grown = new Int32Array(Math.min(this.#entries.length * 2, BACKTRACK_CHOICES_MAX * ENTRY))
    grown.set(this.#entries)
    this.#entries = grown
  }
}
