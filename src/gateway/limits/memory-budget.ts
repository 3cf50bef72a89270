/**
 * The memory that clients may make the server use, in one sum for all doors: bodies that are being received, what is decoded
 * from them, and answers that wait for their readers. Whoever wants memory for a client takes it here first. What the store
 * keeps (memstores, block cache) has its own limits, which are set apart from this sum.
 */

import type { Collection } from '../../model/collector.ts'
import type { HeldMemory } from '../../store/request-memory.ts'
import { FreedMemory } from './freed-memory.ts'
import {
  limitFor,
  MemoryLine,
  type Need,
  NoRoom,
  neverRoom,
  ROOM_WAIT_MS,
  type Room,
  type Waiter,
} from './memory-line.ts'

/** Beyond this part of the budget, nothing is held that can be read again. */
const AHEAD_PART = 1 / 4
/** Clients give standing memory back so soon, as a rule. After that, requests that hold the rest give way to each other. */
const STANDING_WAIT_MS = 2000
/** For so long others do not pass a request that waits. */
const PLACE_MS = 5000

/** A request that holds no more than so many bytes, and this part of the budget, is small: it does not wait behind larger ones. */
const SMALL_BYTES = 192 * 1024
const SMALL_PART = 1 / 64

export class MemoryBudget {
  /** Infinity: no limit. */
  readonly bytesMax: number
  /** Number of refusals. */
  refused = 0
  readonly #freed: FreedMemory
  readonly #smallMax: number
  #granted = 0
  /** The part of it that clients alone can give back: open scanners, and answers that have not been read. */
  #standing = 0
  /** Set once requests wait that hold all memory but the standing one, until one of them has its memory. */
  #stalled: NodeJS.Timeout | undefined
  readonly #line = new MemoryLine()
  /** Requests that have waited so far. */
  #waits = 0
  #wakeIsDue = false
  /** Given back in this turn of the microtasks: it may be taken again before others that wait. */
  #returned = 0

  /** `collection`: lets go of memory that is not used any more. */
  constructor(bytesMax: number = Number.POSITIVE_INFINITY, collection?: Collection) {
    this.bytesMax = bytesMax
    this.#smallMax = Math.min(SMALL_BYTES, bytesMax * SMALL_PART)
    this.#freed = new FreedMemory(bytesMax, collection)
  }

  get granted(): number {
    return this.#granted
  }

  /** Bytes that were given back, or used for a moment, since the last collection. */
  get uncollected(): number {
    return this.#freed.bytes
  }

  get standing(): number {
    return this.#standing
  }

  get isFull(): boolean {
    return this.#granted > this.bytesMax
  }

  /** Whether requests wait for memory. */
  get isWaitedFor(): boolean {
    return !this.#line.isEmpty
  }

  /** Whether a request has waited for some seconds, and clients keep memory that they alone can give back. */
  get isScarce(): boolean {
    return this.#standing > 0 && this.#line.waiting.some(({ hasPlace }) => !hasPlace)
  }

  /** What may still be taken. */
  get free(): number {
    return Math.max(0, this.bytesMax - this.#granted)
  }

  /** Whether so many bytes may be held only to save work later. Everybody's requests go before that. */
  allowsAhead(bytes: number): boolean {
    return this.#granted + bytes <= this.bytesMax * AHEAD_PART
  }

  /**
   * Takes so many bytes, which `give` gives back, for a request that holds `held` bytes. Throws NoRoom where too little is free, and TOO_LARGE
   * where that would be so even if no other request held any.
   */
  take(bytes: number, what: string, need: Need = 'call', held = 0): void {
    if (!this.allows(bytes, need, held)) this.#refuse(bytes, what, need, held)
    this.#collectFor(bytes)
    this.#granted += bytes
    this.#returned = Math.max(0, this.#returned - bytes)
  }

  /** Throws TOO_LARGE where not even an idle server has room for so many bytes more. */
  checkEver(bytes: number, what: string, held = 0): void {
    if (bytes + held <= this.bytesMax) return
    this.refused++
    throw neverRoom(bytes, held, what, this.bytesMax)
  }

  #refuse(bytes: number, what: string, need: Need, held: number): never {
    this.checkEver(bytes, what, held)
    this.refused++
    const ofNeed = need === 'arrival' && bytes + held <= this.#smallMax ? 'call' : need
    throw new NoRoom(
      bytes,
      `no memory for ${what}: it takes ${bytes} bytes, and of ${this.bytesMax} bytes for requests ${this.free} are free. Try again, or raise --memory-max`,
      ofNeed,
    )
  }

  /** Whether a request that holds `held` bytes may take so many more now. */
  allows(bytes: number, need: Need, held: number): boolean {
    const after = this.#granted + bytes
    const isBefore = need === 'call' || bytes <= this.#returned || bytes + held <= this.#smallMax
    if (isBefore) return after <= this.bytesMax
    if (after > limitFor(need, bytes + held, this)) return false
    return !this.#line.before(need).some((waiter) => this.#keepsPlace(waiter))
  }

  /** Takes bytes that are there already, such as an encoded answer, even beyond the limit: others then have to wait. */
  note(bytes: number): void {
    this.#collectFor(bytes)
    this.#granted += bytes
  }

  /** Clients have used so many bytes for a moment, uncounted, such as a chunk that was copied: they may still be in memory. */
  spent(bytes: number): void {
    this.#freed.spent(bytes)
    this.#collectFor(0)
  }

  /** So many of the granted bytes are standing from now on, or are so no more where `bytes` is negative. */
  stand(bytes: number): void {
    this.#standing += bytes
    if (bytes > 0) this.#wakeSoon()
  }

  /** As note, of memory that stands until giveStanding. */
  noteStanding(bytes: number): void {
    this.note(bytes)
    this.stand(bytes)
  }

  giveStanding(bytes: number): void {
    this.#standing -= bytes
    this.give(bytes)
  }

  give(bytes: number): void {
    if (bytes === 0) return
    this.#granted -= bytes
    this.#returned += bytes
    this.#wakeSoon()
    this.#freed.gave(bytes)
  }

  /**
   * Resolves to `taken` once there is room for the bytes of a refusal, which are then taken: the caller passes them to `putBack` and
   * carries out at once what was refused. Resolves to `refused` once the waits of the request have lasted
   * ROOM_WAIT_MS together, and where waiting is in vain, and to `gone` as soon as `gone` is aborted.
   */
  async awaitRoom({ bytes, need }: NoRoom, request: HeldMemory, gone?: AbortSignal): Promise<Room> {
    const waits = request.waits ?? { number: this.#waits++, ms: 0 }
    const restMs = ROOM_WAIT_MS - waits.ms
    if (bytes + request.bytes > this.bytesMax || restMs <= 0) return 'refused'
    // Not refused yet.
    this.refused--
    if (gone?.aborted === true) return 'gone'
    request.waits = waits
    const begun = performance.now()
    const placeMs = Math.max(0, PLACE_MS - waits.ms)
    return new Promise((resolve) => {
      const settle = (room: Room): void => {
        this.#line.remove(waiter)
        waits.ms += performance.now() - begun
        gone?.removeEventListener('abort', leave)
        clearTimeout(timer)
        clearTimeout(place)
        if (room === 'refused') this.refused++
        resolve(room)
        // There may be room for those behind it that want less.
        if (room !== 'taken') this.#wakeSoon()
      }
      const leave = (): void => settle('gone')
      const timer = setTimeout(() => settle('refused'), restMs)
      const place = setTimeout(() => this.#placeEnds(waiter), placeMs)
      const waiter: Waiter = { bytes, need, request, number: waits.number, hasPlace: placeMs > 0, settle }
      gone?.addEventListener('abort', leave)
      this.#line.add(waiter)
      this.#wakeSoon()
    })
  }

  /** Undoes what awaitRoom has taken. Who takes it again in the same turn of the microtasks is before others that wait. */
  putBack(bytes: number): void {
    this.#granted -= bytes
    this.#returned += bytes
    this.#wakeSoon()
  }

  /** Whoever gives memory back may take it again before others that wait do. */
  #wakeSoon(): void {
    if (this.#wakeIsDue) return
    this.#wakeIsDue = true
    queueMicrotask(() => {
      this.#wakeIsDue = false
      this.#returned = 0
      this.#wake()
    })
  }

  #wake(): void {
    for (let next = this.#next; next !== undefined; next = this.#next) {
      this.#collectFor(next.bytes)
      this.#granted += next.bytes
      this.#goesOn()
      next.settle('taken')
    }
    if (this.#line.isEmpty) this.#goesOn()
    else if (this.#line.waiting.some((waiter) => this.#canGoOn(waiter, this.#line.heldBytes))) return
    else if (this.#standing === 0) this.#giveWay()
    else this.#stalled ??= setTimeout(() => this.#stallEnds(), STANDING_WAIT_MS).unref()
  }

  /** The first that waits for bytes which there are now, unless one before it keeps its place. */
  get #next(): Waiter | undefined {
    for (const waiter of this.#line.waiting) {
      if (this.#granted + waiter.bytes <= this.#limitOf(waiter)) return waiter
      if (this.#keepsPlace(waiter)) return undefined
    }
    return undefined
  }

  #limitOf({ need, bytes, request }: Waiter): number {
    return limitFor(need, bytes + request.bytes, this)
  }

  /** Whether a request could go on once all that run have given their memory back, where those that wait keep `held` bytes. */
  #canGoOn(waiter: Waiter, held: number): boolean {
    return this.#standing + held + waiter.bytes <= this.#limitOf(waiter)
  }

  /** Whether no other request may pass this one: it waits for the memory of requests that run, and has not waited long. */
  #keepsPlace(waiter: Waiter): boolean {
    return waiter.hasPlace && this.#canGoOn(waiter, this.#line.heldBytes)
  }

  /** Memory of slow clients may come back late: others need not wait for it, too. */
  #placeEnds(waiter: Waiter): void {
    waiter.hasPlace = false
    this.#wakeSoon()
  }

  /**
   * Requests that all wait for each other's memory would wait in vain: the youngest that holds any gives way to the first that can go on then,
   * if there is one.
   */
  #giveWay(): void {
    const { waiting } = this.#line
    const first = waiting.find((waiter) => this.#canGoOn(waiter, waiter.request.bytes))
    if (first === undefined) return
    waiting.findLast((waiter) => waiter !== first && waiter.request.bytes > 0)?.settle('refused')
  }

  #stallEnds(): void {
    this.#stalled = undefined
    const { waiting, heldBytes } = this.#line
    if (!waiting.some((waiter) => this.#canGoOn(waiter, heldBytes))) this.#giveWay()
  }

  #goesOn(): void {
    if (this.#stalled === undefined) return
    clearTimeout(this.#stalled)
    this.#stalled = undefined
  }

  #collectFor(bytes: number): void {
    this.#freed.leave(this.bytesMax - this.#granted - bytes)
  }
}
