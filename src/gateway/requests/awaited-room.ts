import type { Socket } from 'node:net'
import type { HeldMemory, MemoryWaits } from '../../store/request-memory.ts'
import { SocketCall } from '../connections/socket-call.ts'
import type { MemoryBudget } from '../limits/memory-budget.ts'
import { MemoryGrant } from '../limits/memory-grant.ts'
import type { NoRoom, Room } from '../limits/memory-line.ts'

interface Awaited {
  readonly room: Room
  /** The chunk that there was no room for, if any, and the chunks that came during the wait. */
  readonly chunks: readonly Buffer[]
}

/** The bytes that a connection has received, such as a ByteQueue. `taken`: the memory that they hold. */
interface ReceivedBytes {
  readonly taken: number
}

/** A connection's wait for the memory of its next request. Its socket is not read meanwhile. */
export class AwaitedRoom implements HeldMemory {
  readonly #socket: Socket
  readonly #received: ReceivedBytes
  readonly #memory: MemoryBudget
  /** Undefined while the connection does not wait. */
  #chunks: Buffer[] | undefined

  /** The waits of the request that is being received. */
  waits: MemoryWaits | undefined = undefined

  constructor(socket: Socket, received: ReceivedBytes, memory: MemoryBudget) {
    this.#socket = socket
    this.#received = received
    this.#memory = memory
  }

  get bytes(): number {
    return this.#received.taken
  }

  /** A grant for the request that is now complete, with the waits that it has had. */
  takeGrant(): MemoryGrant {
    const grant = new MemoryGrant(this.#memory)
    grant.waits = this.takeWaits()
    return grant
  }

  /** Removes and returns the waits of the request that is now complete. */
  takeWaits(): MemoryWaits | undefined {
    const { waits } = this
    this.waits = undefined
    return waits
  }

  get isWaiting(): boolean {
    return this.#chunks !== undefined
  }

  /** Bytes that came during the wait and are not in the queue. */
  get keptBytes(): number {
    return this.#chunks?.reduce((sum, { length }) => sum + length, 0) ?? 0
  }

  /** Keeps a chunk that comes during a wait; returns false where the connection does not wait. */
  keeps(chunk: Buffer): boolean {
    this.#chunks?.push(chunk)
    return this.isWaiting
  }

  /**
   * Waits for the memory that was refused, then calls `goOn`, which takes that memory at once, before other waiting requests can. `chunk`:
   * the chunk that there was no room for; undefined: the queue has it already.
   */
  async after(refusal: NoRoom, chunk: Buffer | undefined, goOn: (awaited: Awaited) => void): Promise<void> {
    const chunks = chunk === undefined ? [] : [chunk]
    this.#chunks = chunks
    this.#socket.pause()
    const { signal } = SocketCall.of(this.#socket).call
    const room = await this.#memory.awaitRoom(refusal, this, signal)
    this.#chunks = undefined
    if (room === 'taken') this.#memory.putBack(refusal.bytes)
    // The refused request has had its time to wait; the next one has its own.
    else this.waits = undefined
    goOn({ room, chunks })
  }
}
