import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { NoRoom, type Room } from '../../../gateway/limits/memory-line.ts'
import type { HeldMemory, MemoryWaits } from '../../../store/request-memory.ts'

/** The objects made of a message of more bytes must ask for their memory. */
export const LARGE_BYTES: number = 64 * 1024
/** Copies of a message's cells in memory: the message's own, and those that the store takes. */
const MADE_OF_MESSAGE = 2

/** The memory of the call that a connection runs. */
export class CallMemory implements HeldMemory {
  readonly #memory: MemoryBudget
  #bytes = 0
  waits: MemoryWaits | undefined = undefined

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Takes the memory of a call. `waits`: the waits of its message for memory. Throws OVERLOADED, also where unread answers hold all memory. */
  begin(message: Buffer, waits?: MemoryWaits): void {
    this.waits = waits
    const bytes = message.length > LARGE_BYTES ? message.length * MADE_OF_MESSAGE : 0
    if (bytes > 0 || this.#memory.isFull) this.#memory.take(bytes, 'another call', 'arrival')
    this.#bytes = bytes
  }

  /** Waits after a refusal. Resolves to `taken` once the call has its memory. Until then its message counts as one that is still arriving. */
  async beginOnceRoom(message: Buffer, refusal: NoRoom, gone: AbortSignal | undefined): Promise<Room> {
    const memory = this.#memory
    // A small call has no memory that counts.
    this.#bytes = refusal.bytes === 0 ? 0 : message.length
    memory.note(this.#bytes)
    const rest = new NoRoom(refusal.bytes - this.#bytes, refusal.message, refusal.need)
    const room = await memory.awaitRoom(rest, this, gone)
    if (room === 'taken') this.#bytes = refusal.bytes
    else this.end()
    return room
  }

  /** Takes more memory for the call. Throws OVERLOADED. */
  take(bytes: number): void {
    this.#memory.take(bytes, 'what the call has')
    this.#bytes += bytes
  }

  end(): void {
    if (this.#bytes > 0) this.#memory.give(this.#bytes)
    this.#bytes = 0
  }
}
