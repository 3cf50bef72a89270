import { ownMemory } from '../../../src/model/mapped-memory.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import { POISON } from '../platform/poison.ts'

/** Capacities are multiples of this, so that blocks of about one size can take each other's place. */
const STEP_BYTES = 4096
/** Larger frames are left to the garbage collector. */
const KEPT_BYTES_MAX = 1024 * 1024

/** Memory for one data block: its bytes, and what a search in them needs. */
export class BlockFrame {
  readonly memory: ViewedBytes
  /** May be replaced by larger ones. */
  cells: Int32Array = new Int32Array(0)
  words: Int32Array = new Int32Array(0)

  constructor(bytes: number) {
    this.memory = new ViewedBytes(ownMemory(bytes))
  }

  get buffer(): Buffer {
    return this.memory.buffer
  }

  get heapBytes(): number {
    return this.buffer.length + this.cells.byteLength + this.words.byteLength
  }
}

/**
 * Frames that blocks have left, for the next ones: a block that is read from the file then neither allocates nor leaves
 * garbage. The last frame back is the first out: it is still in the processor's caches.
 */
export class FramePool {
  /** The free frames by their capacity in bytes. */
  readonly #free = new Map<number, BlockFrame[]>()
  readonly #bytesMax: number
  readonly #poisons: boolean
  readonly #onDropped: ((bytes: number) => void) | undefined
  #bytes = 0

  /**
   * `poisons` overwrites frames that are given back, so that a late reader shows in a test. `onDropped`: called with the bytes of each
   * frame that is left to the garbage collector.
   */
  constructor(bytesMax: number, poisons = false, onDropped?: (bytes: number) => void) {
    this.#bytesMax = bytesMax
    this.#poisons = poisons
    this.#onDropped = onDropped
  }

  /** Memory of the frames that wait. */
  get freeBytes(): number {
    return this.#bytes
  }

  /** A frame for `bytes` bytes or a few more, with any content. */
  take(bytes: number): BlockFrame {
    const capacity = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES
    const frame = this.#free.get(capacity)?.pop()
    if (frame === undefined) return new BlockFrame(capacity)
    this.#bytes -= frame.heapBytes
    return frame
  }

  /** Takes back a frame without readers. Where there is no room, frames of other sizes go: they were free while this one was in use. */
  give(frame: BlockFrame): void {
    if (this.#poisons) frame.buffer.fill(POISON)
    const capacity = frame.buffer.length
    if (capacity > KEPT_BYTES_MAX || !this.#makeRoom(frame.heapBytes, capacity)) {
      this.drop(frame)
      return
    }
    this.#bytes += frame.heapBytes
    const free = this.#free.get(capacity)
    if (free === undefined) this.#free.set(capacity, [frame])
    else free.push(frame)
  }

  /** False where `bytes` more would be too many, even without the frames of other capacities. */
  #makeRoom(bytes: number, capacity: number): boolean {
    if (this.#bytes + bytes <= this.#bytesMax) return true
    for (const [other, frames] of this.#free) {
      if (other === capacity) continue
      while (frames.length > 0 && this.#bytes + bytes > this.#bytesMax) {
        const left = frames.pop()!
        this.#bytes -= left.heapBytes
        this.drop(left)
      }
    }
    return this.#bytes + bytes <= this.#bytesMax
  }

  /** Leaves a frame to the garbage collector, which takes it once it has no readers. */
  drop(frame: BlockFrame): void {
    this.#onDropped?.(frame.heapBytes)
  }
}
