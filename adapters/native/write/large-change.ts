import { HBaseError } from '../../../src/model/errors.ts'
import type { HeldMemory, MemoryWaits } from '../../../src/store/request-memory.ts'
import type { WritePathParts } from './write-path-parts.ts'
import type { WriteWatch } from './write-watch.ts'

/** Fewer bytes of values are not counted. */
const LARGE_BYTES = 64 * 1024
/** Copies of a value that an increment or an append changes: as it was, as it is now, in the log's record, and in the client's answer. Memstores count their own. */
const COPIES = 4

/** Ends an attempt to make a change that needs memory, or a turn, before it goes on. Nothing of the change has been made. */
export class NotYet extends Error {}

/** Makes a change in as many attempts as it takes. Rejects as the attempt, and as LargeChange.ready. */
export async function onceReady<T>(
  large: LargeChange,
  watch: WriteWatch,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof NotYet)) throw error
        await large.ready(watch)
      }
    }
  } finally {
    large.end()
  }
}

/**
 * The memory of a change that reads present values: increments, appends, and conditions. A request of some bytes may append to a value of
 * megabytes: the size of requests does not limit the change. The change takes memory once it has read the values, before it makes new ones
 * of them. A change that has to wait for it is begun anew afterwards, as its row may be another one by then.
 */
export class LargeChange implements HeldMemory {
  readonly #memory: WritePathParts['memory']
  readonly #turns: WritePathParts['turns']
  readonly #request: HeldMemory
  #taken = 0
  /** Bytes that the present attempt needs so far, and those of them that its conditions need. */
  #needed = 0
  #neededByConditions = 0
  /** Bytes of values that are not counted yet: those of many small values together may be many. */
  #small = 0
  #hasTurn = false

  /** `request`: the memory that the change's request holds; undefined: that of a small one. */
  constructor({ memory, turns }: Pick<WritePathParts, 'memory' | 'turns'>, request?: HeldMemory) {
    this.#memory = memory
    this.#turns = turns
    this.#request = request ?? { bytes: 0, waits: undefined }
  }

  /** Bytes that the change and its request hold. */
  get bytes(): number {
    return this.#request.bytes + this.#taken
  }

  get waits(): MemoryWaits | undefined {
    return this.#request.waits
  }

  set waits(waits: MemoryWaits | undefined) {
    this.#request.waits = waits
  }

  /** Counts present values of so many bytes that are changed. Throws NotYet, and TOO_LARGE where all the memory of requests is too little. */
  read(bytes: number): void {
    this.#small += bytes
    if (this.#small < LARGE_BYTES) return
    if (!this.#hasTurn && this.#turns.isUsedUp) throw new NotYet()
    this.#take(COPIES * this.#small)
    this.#small = 0
    if (!this.#hasTurn) this.#turns.begin()
    this.#hasTurn = true
  }

  /** Counts bytes that a condition has read. Throws as `read`. */
  readCondition(bytes: number): void {
    if (bytes < LARGE_BYTES) return
    this.#take(bytes)
    this.#neededByConditions += bytes
  }

  /** The cells of the change are prepared from the beginning, behind its conditions: what was read before is read again, and counts once. */
  readAgain(): void {
    this.#needed = this.#neededByConditions
    this.#small = 0
  }

  #take(bytes: number): void {
    const memory = this.#memory
    this.#needed += bytes
    const ofRequest = this.#request.bytes
    if (this.#needed + ofRequest > memory.bytesMax)
      throw new HBaseError(
        'TOO_LARGE',
        `the change takes ${this.#needed} bytes of memory for the values that it reads, and ${ofRequest} for its request, of ${memory.bytesMax} bytes for all requests: ` +
          'change smaller values, or raise --memory-max',
      )
    if (this.#needed <= this.#taken) return
    if (!memory.tryTake(this.#needed - this.#taken, this.bytes)) throw new NotYet()
    this.#taken = this.#needed
  }

  /** Resolves once the change can be tried again after NotYet. Rejects as RequestMemory.takeLater, and where the client has gone. */
  async ready(watch: WriteWatch): Promise<void> {
    const more = this.#needed - this.#taken
    this.#needed = 0
    this.#neededByConditions = 0
    this.#small = 0
    if (more > 0 && !this.#memory.tryTake(more, this.bytes))
      await this.#memory.takeLater(more, this, watch.gone)
    this.#taken += Math.max(0, more)
    await this.#turns.next()
    watch.check()
    this.#turns.begin()
    this.#hasTurn = true
  }

  /** The change is made, or has failed. The memory of its results is given back in the next turn, when the client's answer is counted. */
  end(): void {
    const memory = this.#memory
    const ofResults = Math.ceil(this.#taken / COPIES)
    memory.give(this.#taken - ofResults)
    this.#taken = 0
    if (ofResults > 0) setImmediate(() => memory.give(ofResults))
  }
}
