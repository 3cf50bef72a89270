import { type MemoryBudget, type NoRoom, ROOM_WAIT_MS, type Room } from '../../../gateway/memory-budget.ts'

/** What a larger message is made into takes memory that is asked for. */
const LARGE_BYTES = 64 * 1024
/** Cells of a message, and how the store takes them. */
const MADE_OF_MESSAGE = 2

/** The memory of the call that a connection runs. */
export class CallMemory {
  readonly #memory: MemoryBudget
  #bytes = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  /** Throws OVERLOADED, also where answers that wait for their readers have taken all memory. */
  begin(message: Buffer): void {
    const bytes = message.length > LARGE_BYTES ? message.length * MADE_OF_MESSAGE : 0
    if (bytes > 0 || this.#memory.isFull) this.#memory.take(bytes, 'another call')
    this.#bytes = bytes
  }

  /** Resolves to `taken` once the call has its memory after all. Until then the message counts as one that is still to come. */
  async beginOnceRoom(message: Buffer, refusal: NoRoom, gone: AbortSignal | undefined): Promise<Room> {
    const memory = this.#memory
    this.#bytes = message.length
    memory.note(message.length)
    const room = await memory.awaitRoom(refusal, () => this.#bytes, ROOM_WAIT_MS, gone)
    memory.give(this.#bytes)
    this.#bytes = room === 'taken' ? refusal.bytes : 0
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
