/**
 * The memory of all clients' requests, in one sum for all doors: bodies that are being received, the values decoded
 * from them, and answers that wait for their readers. A door takes memory here before it uses it for a client. The store's own
 * memory (memstores, block cache) has limits of its own and is not part of this sum.
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

/** Beyond this part of the budget, the server holds no data that it can read again. */
const AHEAD_PART = 1 / 4
/** Time in which clients mostly give standing memory back. Afterwards the requests that hold the rest give way to each other. */
const STANDING_WAIT_MS = 2000
/** Time for which no other request may pass a waiting one. */
const PLACE_MS = 5000

/** Small requests do not wait behind larger ones. A small one holds at most these bytes, and at most this part of the budget. */
const SMALL_BYTES = 192 * 1024
const SMALL_PART = 1 / 64

export class MemoryBudget {
  /** Infinity: no limit. */
  readonly bytesMax: number
  /** Refusals so far. */
  refused = 0
  readonly #freed: FreedMemory
  readonly #smallMax: number
  #granted = 0
  /** The granted bytes that only clients can give back: of open scanners and of unread answers. */
  #standing = 0
  /** Set while all memory that is not standing belongs to waiting requests. */
  #stalled: NodeJS.Timeout | undefined
  readonly #line = new MemoryLine()
  /** Requests that have waited so far. */
  #waits = 0
  #wakeIsDue = false
  /** Bytes given back in this turn of the microtasks. They may be taken again before waiting requests get them. */
  #returned = 0

  /** `collection`: collects unused memory; undefined: only Node does. */
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

  /** Bytes that may still be taken. */
  get free(): number {
    return Math.max(0, this.bytesMax - this.#granted)
  }

  /** Whether the bytes may be held only to save work later. Requests of all clients have precedence. */
  allowsAhead(bytes: number): boolean {
    return this.#granted + bytes <= this.bytesMax * AHEAD_PART
  }

  /**
   * Takes bytes for a request that holds `held` bytes already; `give` gives them back. `what`: for people. Throws NoRoom where too little is
   * free, and TOO_LARGE where too little would be free even on an idle server.
   */
  take(bytes: number, what: string, need: Need = 'call', held = 0): void {
    if (!this.allows(bytes, need, held)) this.#refuse(bytes, what, need, held)
    this.#collectFor(bytes)
    this.#granted += bytes
    this.#returned = Math.max(0, this.#returned - bytes)
  }

  /** Throws TOO_LARGE where not even an idle server has room for that many more bytes. */
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

  /** Whether a request that holds `held` bytes may take that many more now. */
  allows(bytes: number, need: Need, held: number): boolean {
    const after = this.#granted + bytes
    const isBefore = need === 'call' || bytes <= this.#returned || bytes + held <= this.#smallMax
    if (isBefore) return after <= this.bytesMax
    if (after > limitFor(need, bytes + held, this)) return false
    return !this.#line.before(need).some((waiter) => this.#keepsPlace(waiter))
  }

  /** Takes bytes that are in memory already, such as an encoded answer, even beyond the limit: other requests then wait. */
  note(bytes: number): void {
    this.#collectFor(bytes)
    this.#granted += bytes
  }

  /** Counts bytes that were used for a moment, such as a copied chunk, and were never taken: they may still be in memory. */
  spent(bytes: number): void {
    this.#freed.spent(bytes)
    this.#collectFor(0)
  }

  /** That many of the granted bytes stand from now on; where `bytes` is negative, they stand no more. */
  stand(bytes: number): void {
    this.#standing += bytes
    if (bytes > 0) this.#wakeSoon()
  }

  /** Like note, for memory that stands until giveStanding. */
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
   * Waits for the bytes of a refusal. Resolves to `taken` once they have been taken: the caller passes them to `putBack` and at once
   * does what was refused. Resolves to `refused` where waiting is in vain, and once the waits of the request have lasted
   * ROOM_WAIT_MS together. Resolves to `gone` as soon as `gone` is aborted.
   */
  async awaitRoom({ bytes, need }: NoRoom, request: HeldMemory, gone?: AbortSignal): Promise<Room> {
    const waits = request.waits ?? { number: this.#waits++, ms: 0 }
    const restMs = ROOM_WAIT_MS - waits.ms
    if (bytes + request.bytes > this.bytesMax || restMs <= 0) return 'refused'
    // The refusal counts only if the wait fails.
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
        // Requests behind it that need less may have room now.
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

  /** Gives back the bytes of awaitRoom. A request that takes them again in the same turn of the microtasks precedes waiting ones. */
  putBack(bytes: number): void {
    this.#granted -= bytes
    this.#returned += bytes
    this.#wakeSoon()
  }

  /** Not at once: a request that gives memory back may take it again before waiting requests do. */
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

  /** The first waiting request that has room now, unless one before it keeps its place. */
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

  /** Whether the request could go on once all running ones have given their memory back, while waiting ones keep `held` bytes. */
  #canGoOn(waiter: Waiter, held: number): boolean {
    return this.#standing + held + waiter.bytes <= this.#limitOf(waiter)
  }

  /** Whether no other request may pass this one: it waits for memory of running requests, and has not waited long. */
  #keepsPlace(waiter: Waiter): boolean {
    return waiter.hasPlace && this.#canGoOn(waiter, this.#line.heldBytes)
  }

  /** Memory of slow clients may come back late: other requests need not wait for it. */
  #placeEnds(waiter: Waiter): void {
    waiter.hasPlace = false
    this.#wakeSoon()
  }

  /**
   * Requests that all wait for each other's memory would wait in vain. The youngest that holds memory is refused if the first request can go
   * on then.
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
