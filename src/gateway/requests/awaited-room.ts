import type { Socket } from 'node:net'
import type { HeldMemory, MemoryWaits } from '../../store/request-memory.ts'
import { SocketCall } from '../connections/socket-call.ts'
import type { MemoryBudget } from '../limits/memory-budget.ts'
import { MemoryGrant } from '../limits/memory-grant.ts'
import type { NoRoom, Room } from '../limits/memory-line.ts'
import type { ByteQueue } from './byte-queue.ts'

interface Awaited {
  /** The client has room, has none, or does not wait for an answer any more. */
  readonly room: Room
  /** What came meanwhile, and what there was no room for. */
  readonly chunks: readonly Buffer[]
}

/** A connection's wait for the memory of its next request, in which nothing of its socket is read. */
export class AwaitedRoom implements HeldMemory {
  readonly #socket: Socket
  readonly #queue: ByteQueue
  readonly #memory: MemoryBudget
  /** Undefined while the connection does not wait. */
  #chunks: Buffer[] | undefined

  /** Of the request that is being received. */
  waits: MemoryWaits | undefined = undefined

  constructor(socket: Socket, queue: ByteQueue, memory: MemoryBudget) {
    this.#socket = socket
    this.#queue = queue
    this.#memory = memory
  }

  get bytes(): number {
    return this.#queue.taken
  }

  /** A grant for the request that has come whole now, which goes on with its waits. */
  takeGrant(): MemoryGrant {
    const grant = new MemoryGrant(this.#memory)
    grant.waits = this.takeWaits()
    return grant
  }

  /** The waits of the request that has come whole now. */
  takeWaits(): MemoryWaits | undefined {
    const { waits } = this
    this.waits = undefined
    return waits
  }

  get isWaiting(): boolean {
    return this.#chunks !== undefined
  }

  /** Bytes that came while the connection waits, and that the queue does not have. */
  get keptBytes(): number {
    return this.#chunks?.reduce((sum, { length }) => sum + length, 0) ?? 0
  }

  /** Keeps a chunk that comes while the connection waits; false where it does not wait. */
  keeps(chunk: Buffer): boolean {
    this.#chunks?.push(chunk)
    return this.isWaiting
  }

  /**
   * `chunk`: what there was no room for; undefined: what the queue has already. `goOn`: takes what there is room for then, at once, before
   * others that wait.
   */
  async after(refusal: NoRoom, chunk: Buffer | undefined, goOn: (awaited: Awaited) => void): Promise<void> {
    const chunks = chunk === undefined ? [] : [chunk]
    this.#chunks = chunks
    this.#socket.pause()
    const { signal } = SocketCall.of(this.#socket).call
    const room = await this.#memory.awaitRoom(refusal, this, signal)
    this.#chunks = undefined
    if (room === 'taken') this.#memory.putBack(refusal.bytes)
    // The request that was refused has had its time: the next one has its own.
    else this.waits = undefined
    goOn({ room, chunks })
  }
}
