/**
 * The numbers by which the threads of a server agree. The writer publishes commits; each reader says what it still needs. This is the only module that
 * uses Atomics.
 *
 *     words := epoch i32 | views i32 | read point f64 [2] | 0 [104] | reader [ pin i32 | 0 | oldest i64 | newest i64 | 0 [104] ]
 *
 * The epoch grows by two with each publication, and wraps around. The read point of an epoch is in one of two places, which the publication after the
 * next one overwrites: who reads it looks at the epoch again.
 */

const EPOCH = 0
const VIEWS = 1
/** Places of the read point, in float64. */
const READ_POINTS = 1
/** Where the words of the readers begin, and their size, in bytes: those of each are in cache lines of their own. */
const READERS_BYTES = 128
const READER_BYTES = 128

/** More than any read point. */
const NO_READER = 2n ** 62n
/** No epoch: these are even. */
const IDLE = 1

/** True if epoch `a` came before epoch `b`. */
export function isBefore(a: number, b: number): boolean {
  return ((a - b) | 0) < 0
}

export class ThreadWords {
  readonly memory: SharedArrayBuffer
  readonly readers: number
  readonly #ints: Int32Array
  readonly #longs: BigInt64Array
  readonly #doubles: Float64Array

  /** `memory`: of `memoryFor`. */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.readers = (memory.byteLength - READERS_BYTES) / READER_BYTES
    this.#ints = new Int32Array(memory)
    this.#longs = new BigInt64Array(memory)
    this.#doubles = new Float64Array(memory)
  }

  /** Memory for so many readers, all of which are idle. */
  static memoryFor(readers: number): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(READERS_BYTES + readers * READER_BYTES)
    const words = new ThreadWords(memory)
    for (let reader = 0; reader < readers; reader++) words.end(reader)
    return memory
  }

  /** The root of a memstore. `memory`: that of another thread's. */
  rootWords(memory?: SharedArrayBuffer): RootWords {
    return new RootWords(memory)
  }

  get epoch(): number {
    return Atomics.load(this.#ints, EPOCH)
  }

  /** Number of the changes of views and memory that were posted to every reader so far. */
  get views(): number {
    return Atomics.load(this.#ints, VIEWS)
  }

  // The writer's part.

  /** Called once the changes are posted. */
  countViews(): void {
    Atomics.add(this.#ints, VIEWS, 1)
  }

  /** Called once the roots of all memstores that have changed are stored. */
  publish(readPoint: number): void {
    const epoch = (this.epoch + 2) | 0
    this.#doubles[placeOf(epoch)] = readPoint
    Atomics.store(this.#ints, EPOCH, epoch)
  }

  /** The epoch of the reader that began first; the present one where none reads. */
  get oldestPin(): number {
    let oldest = this.epoch
    for (let reader = 0; reader < this.readers; reader++) {
      const pin = Atomics.load(this.#ints, intsOf(reader))
      if (pin !== IDLE && isBefore(pin, oldest)) oldest = pin
    }
    return oldest
  }

  /** The least read point of the readers; Infinity where none reads. */
  get oldestReader(): number {
    let oldest = NO_READER
    for (let reader = 0; reader < this.readers; reader++) {
      const readPoint = Atomics.load(this.#longs, longsOf(reader))
      if (readPoint < oldest) oldest = readPoint
    }
    return oldest === NO_READER ? Number.POSITIVE_INFINITY : Number(oldest)
  }

  /** The greatest one; -1 where none reads. */
  get newestReader(): number {
    let newest = -1n
    for (let reader = 0; reader < this.readers; reader++) {
      const readPoint = Atomics.load(this.#longs, longsOf(reader) + 1)
      if (readPoint > newest) newest = readPoint
    }
    return Number(newest)
  }

  // The readers' part.

  /** The read point of the epoch, if that is still the present one. */
  readPointOf(epoch: number): number {
    return this.#doubles[placeOf(epoch)]!
  }

  /** Keeps all memory that is published at the epoch or later. What is read must be looked up after that. */
  pin(reader: number, epoch: number): void {
    Atomics.store(this.#ints, intsOf(reader), epoch)
  }

  /** The reader needs nothing any more. */
  end(reader: number): void {
    this.setReadPoints(reader, Number.POSITIVE_INFINITY, -1)
    this.unpin(reader)
  }

  unpin(reader: number): void {
    Atomics.store(this.#ints, intsOf(reader), IDLE)
  }

  /**
   * Keeps the versions that reads between the points need, of which the writer does not know otherwise. Infinity and -1: none. A read at the present
   * read point must look after that whether it still is the present one.
   */
  setReadPoints(reader: number, oldest: number, newest: number): void {
    const isNone = oldest === Number.POSITIVE_INFINITY
    Atomics.store(this.#longs, longsOf(reader), isNone ? NO_READER : BigInt(oldest))
    Atomics.store(this.#longs, longsOf(reader) + 1, BigInt(newest))
  }
}

function placeOf(epoch: number): number {
  return READ_POINTS + ((epoch >> 1) & 1)
}

function intsOf(reader: number): number {
  return (READERS_BYTES + reader * READER_BYTES) / 4
}

function longsOf(reader: number): number {
  return (READERS_BYTES + reader * READER_BYTES) / 8 + 1
}

/**
 * The root of a memstore's index, with its depth, and the memstore's greatest sequence id. The version grows with each of them: a node that is used again
 * may be the root of another state.
 *
 *     root i32 | version i32 | greatest sequence id i64
 */
export class RootWords {
  readonly memory: SharedArrayBuffer
  readonly #ints: Int32Array
  readonly #longs: BigInt64Array

  /** `memory`: of another thread. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.memory = memory
    this.#ints = new Int32Array(memory)
    this.#longs = new BigInt64Array(memory)
  }

  /** A number of the root and its depth; 0 before the first one. */
  get root(): number {
    return Atomics.load(this.#ints, 0)
  }

  /** Must be looked up before the root. */
  get version(): number {
    return Atomics.load(this.#ints, 1)
  }

  get maxSequenceId(): number {
    return Number(Atomics.load(this.#longs, 1))
  }

  store(root: number, maxSequenceId: number): void {
    Atomics.store(this.#longs, 1, BigInt(maxSequenceId))
    Atomics.add(this.#ints, 1, 1)
    Atomics.store(this.#ints, 0, root)
  }
}

/** A number that one thread raises and every thread sees. It wraps around: compare it for equality alone. */
export class SharedCount {
  readonly #ints: Int32Array
  readonly #place: number

  /** `memory`: of `memoryFor`, which has places from 0 on. */
  constructor(memory: SharedArrayBuffer, place: number) {
    this.#ints = new Int32Array(memory)
    this.#place = place
  }

  /** Memory for so many counts, all of which are 0. */
  static memoryFor(counts: number): SharedArrayBuffer {
    return new SharedArrayBuffer(counts * Int32Array.BYTES_PER_ELEMENT)
  }

  get value(): number {
    return Atomics.load(this.#ints, this.#place)
  }

  add(): void {
    Atomics.add(this.#ints, this.#place, 1)
  }
}
