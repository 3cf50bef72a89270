import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { NoRoom, type Room } from '../../../gateway/limits/memory-line.ts'
import type { HeldMemory, MemoryWaits } from '../../../store/request-memory.ts'

/** What a larger message is made into takes memory that is asked for. */
const LARGE_BYTES = 64 * 1024
/** Cells of a message, and how the store takes them. */
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

  /** `waits`: those of the message for memory. Throws OVERLOADED, also where answers that wait for their readers have taken all memory. */
  begin(message: Buffer, waits?: MemoryWaits): void {
    this.waits = waits
    const bytes = message.length > LARGE_BYTES ? message.length * MADE_OF_MESSAGE : 0
    if (bytes > 0 || this.#memory.isFull) this.#memory.take(bytes, 'another call', 'arrival')
    this.#bytes = bytes
  }

  /** Resolves to `taken` once the call has its memory after all. Until then the message counts as one that is still to come. */
  async beginOnceRoom(message: Buffer, refusal: NoRoom, gone: AbortSignal | undefined): Promise<Room> {
    const memory = this.#memory
    // The memory of small calls does not count.
    this.#bytes = refusal.bytes === 0 ? 0 : message.length
    memory.note(this.#bytes)
    const rest = new NoRoom(refusal.bytes - this.#bytes, refusal.message, refusal.need)
    const room = await memory.awaitRoom(rest, this, gone)
    if (room === 'taken') this.#bytes = refusal.bytes
    else this.end()
    return room
  }

  /** Takes more for the call. Throws OVERLOADED. */
  take(bytes: number): void {
    this.#memory.take(bytes, 'what the call has')
    this.#bytes += bytes
  }

  end(): void {
    if (this.#bytes > 0) this.#memory.give(this.#bytes)
    this.#bytes = 0
  }
}
