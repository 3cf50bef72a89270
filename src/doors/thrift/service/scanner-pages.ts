import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { giveBack, type Lender } from '../../../gateway/reads/loans.ts'
import type { Scanner } from '../../../gateway/reads/scanner.ts'
import { bytesOf } from '../../../model/join-results.ts'
import { gathered } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { ScanLimits } from '../../../store/handouts.ts'
import { joined, type PageBegun, type PagePart } from './page-parts.ts'
import { isNoMemory, lostScanner, PageRoom, PIECE_BYTES, SMALL_PAGE_BYTES } from './page-room.ts'
import { ResultsAhead } from './results-ahead.ts'
import { rowGoesOn } from './row-goes-on.ts'

/** Results of one fetch where the client states no `caching`. */
const CACHING_DEFAULT = 100
/** Bytes at which a fetch ahead ends. HBase: hbase.client.scanner.max.result.size. */
const PREFETCH_BYTES = 2 * 1024 * 1024

export interface ScannerPagesOptions {
  readonly caching: number | undefined
  readonly answerBytesMax: number
  /** True where the encoder of the answers can read scattered cells. */
  readonly allowScattered: boolean
  /** The memory budget in which results ahead count. */
  readonly memory: MemoryBudget
}

/** `partial`: for each result, true where its row continues in the next result; undefined where no row does. */
export interface Page extends PagePart {
  /** Bytes of memory that the page holds for its encoded form; 0 for a small page. */
  readonly encodedBytes: number
  /** Gives back the memory of the page and of its encoded form. */
  readonly onRelease: () => void
}

/** A scanner that can begin anew, as long as none of its results have been handed out. */
export interface RestartableScanner extends Scanner {
  resumeAfter?(row: undefined): Promise<void>
}

/**
 * The results of a scan in pages of the size that a client asks for. They are fetched from the store in portions of `caching`: a client that asks
 * for one row after the other costs the store one call for many rows. Results fetched ahead do not show later writes. While little memory is
 * free, a fetch only brings the results that the call asks for. HBase: ClientScanner.
 *
 * A page has at most a part of the memory for requests, so that it always fits, for any number of rows. A large page waits for memory before it is
 * read, and holds none meanwhile; its size is estimated by the rows before it. A scanner's first page that finds too little memory begins
 * anew once there is some. After a wait in vain, the page ends before the rows without memory, which stay for the next call. If
 * these are the page's first rows and cannot be kept, the scanner is lost: it must never go on behind rows that its client does not have.
 */
export class ScannerPages {
  readonly #scanner: RestartableScanner
  readonly #lender: Lender
  readonly #caching: number
  /** Bytes of cells at which a page ends: with the row that reaches them. */
  readonly #pageBytesMax: number
  readonly #allowScattered: boolean
  readonly #memory: MemoryBudget
  /** Holds the memory of the results ahead. */
  readonly #held: MemoryGrant
  readonly #ahead: ResultsAhead
  #more = true
  #isBusy = false
  #isClosed = false
  #isStoreClosed = false
  #isLost = false
  /** True as long as no result has been handed out. */
  #isFresh = true
  /** Average bytes of a result, by the results that came last. */
  #resultBytes = 0
  /** Settles with the last queued call: a scanner runs one at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(scanner: RestartableScanner, lender: Lender, options: ScannerPagesOptions) {
    this.#scanner = scanner
    this.#lender = lender
    this.#ahead = new ResultsAhead(lender)
    this.#caching = options.caching !== undefined && options.caching > 0 ? options.caching : CACHING_DEFAULT
    this.#pageBytesMax = Math.min(options.answerBytesMax, PageRoom.bytesMax(options.memory))
    this.#allowScattered = options.allowScattered
    this.#memory = options.memory
    this.#held = new MemoryGrant(options.memory, true)
  }

  /** True where rows were dropped that the client does not have: the scanner must be closed. */
  get isLost(): boolean {
    return this.#isLost
  }

  /**
   * The next `count` results. They are fewer at the scan's end, which closes the store's scanner, and where their cells exceed the bytes or the
   * memory of an answer. The scan is over only when no result comes. Rejects as Handouts.next does. Rejects with OVERLOADED where the first
   * result waits for memory in vain, TOO_LARGE where the budget is too small for it, DO_NOT_RETRY where the scanner is lost thereby.
   */
  next(count: number, call: Call): Promise<Page> {
    return this.#inRoom(call, (room) => this.#page(count, call, room))
  }

  /** The same as `next`, with `partial` as Thrift 2 has it. */
  nextWithPartial(count: number, call: Call): Promise<Page> {
    return this.#inRoom(call, async (room) => {
      const page = await this.#page(count, call, room)
      const { partial } = page
      if (partial?.at(-1) !== true) return page
      // The store only reports that the last result's row may continue: look at the next result.
      if (this.#ahead.isUsedUp && this.#more) {
        const rows = this.#mayFetchAhead ? Math.max(count, this.#caching) : 1
        await this.#fetchBehind([page], this.#prefetchOf(rows, PREFETCH_BYTES), call)
      }
      const goesOn =
        !this.#ahead.isUsedUp && rowGoesOn(gathered(page).cells, gathered(this.#ahead.results).cells)
      return { ...page, partial: partial.with(partial.length - 1, goesOn) }
    })
  }

  #inRoom(call: Call, read: (room: PageRoom) => Promise<PagePart>): Promise<Page> {
    return this.#inTurn(async () => {
      const room = new PageRoom(this.#memory, call)
      try {
        const results = await read(room)
        this.#isFresh &&= results.counts.length === 0
        const encodedBytes = room.keep(results.cells.byteLength)
        return { ...results, encodedBytes, onRelease: () => room.release() }
      } catch (error) {
        room.release()
        throw error
      }
    })
  }

  /** Closes the scanner and drops the results ahead. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#held.release()
    if (!this.#isBusy) this.#ahead.drop()
    await this.#closeStores()
  }

  async #closeStores(): Promise<void> {
    if (this.#isStoreClosed) return
    this.#isStoreClosed = true
    await this.#scanner.close()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      this.#isBusy = true
      try {
        const page = await work()
        if (!this.#more) await this.#closeStores()
        return page
      } finally {
        this.#isBusy = false
        if (this.#isClosed) this.#ahead.drop()
        else this.#held.hold(this.#ahead.heldBytes)
      }
    })
    // Drops the value: a page would stay in memory for each scanner.
    this.#last = done.then(nothing, nothing)
    return done
  }

  async #page(count: number, call: Call, room: PageRoom): Promise<PagePart> {
    const expected = this.#more ? this.#expectedBytes(count) : 0
    // The rows of this page may be shorter than those before it: it waits for the memory of its first rows, and later for the others'.
    const first = Math.min(expected, Math.max(PIECE_BYTES, this.#resultBytes))
    if (first > SMALL_PAGE_BYTES) await room.reserve(first)
    const page: PageBegun = { parts: [], missing: count, bytes: 0 }
    const { parts } = page
    let mayRestart = true
    while (page.missing > 0 && page.bytes < this.#pageBytesMax) {
      if (this.#ahead.isUsedUp) {
        if (!this.#more) break
        const { missing, bytes } = page
        const bytesLeft = Math.min(this.#pageBytesMax - bytes, room.fetchBytes(bytes))
        // A client that asks for many rows at a time gets whole fetches, so that no rest of a fetch must be joined with the next.
        const limits =
          count >= this.#caching || !this.#mayFetchAhead
            ? { rows: missing, bytes: bytesLeft, allowPartial: false, allowScattered: this.#allowScattered }
            : this.#prefetchOf(this.#caching, Math.min(PREFETCH_BYTES, bytesLeft))
        await this.#fetchBehind(parts, limits, call)
        continue
      }
      this.#takePart(page)
      if (page.bytes <= SMALL_PAGE_BYTES) continue
      const outcome = await this.#roomFor(parts, count, room, mayRestart)
      if (outcome === 'full') break
      if (outcome === 'restarted') {
        mayRestart = false
        page.missing = count
        page.bytes = 0
      }
    }
    return joined(parts, this.#lender)
  }

  /** A method of its own, so that a caller that waits for memory does not keep a reference to a part. */
  #takePart(page: PageBegun): void {
    const part = this.#ahead.take(page.missing)
    page.parts.push(part)
    page.missing -= part.counts.length
    page.bytes += part.cells.byteLength
  }

  /** Expected bytes of a page of `count` results, by the results before it; 0 before the first ones. */
  #expectedBytes(count: number): number {
    return Math.min(count * this.#resultBytes, this.#pageBytesMax)
  }

  /**
   * Takes the memory of the results that were read, or waits for it. `restarted`: the page must be read anew, and then has its memory. `full`:
   * the page ends without its last part, which stays ahead.
   */
  async #roomFor(
    parts: PagePart[],
    count: number,
    room: PageRoom,
    mayRestart: boolean,
  ): Promise<'taken' | 'restarted' | 'full'> {
    const bytes = bytesOf(parts)
    const isWhole = !this.#more && this.#ahead.isUsedUp
    const expected = isWhole ? bytes : Math.max(bytes, this.#expectedBytes(count))
    try {
      if (room.covers(bytes, expected)) return 'taken'
      if (mayRestart && this.#canRestart) {
        await this.#restart(parts, room)
        await room.reserve(expected)
        return 'restarted'
      }
      await room.held(bytes, parts.at(-1)!.cells.byteLength)
      return 'taken'
    } catch (error) {
      if (parts.length < 2 || !isNoMemory(error)) throw await this.#without(parts, bytes, room, error)
      await this.#ahead.putBack([parts.pop()!])
      return 'full'
    }
  }

  get #canRestart(): boolean {
    return this.#isFresh && this.#scanner.resumeAfter !== undefined
  }

  async #restart(parts: PagePart[], room: PageRoom): Promise<void> {
    room.drop(bytesOf(parts))
    for (const part of parts.splice(0)) giveBack(this.#lender, part)
    this.#ahead.drop()
    this.#more = true
    await this.#scanner.resumeAfter?.(undefined)
  }

  /** The error of a page without memory. Its rows are kept, are read anew by the next call, or are lost with the scanner. */
  async #without(parts: PagePart[], bytes: number, room: PageRoom, error: unknown): Promise<unknown> {
    if (parts.length === 0) return error
    if (this.#canRestart) {
      await this.#restart(parts, room)
      return error
    }
    if (this.#memory.allowsAhead(bytes)) {
      room.release()
      await this.#ahead.putBack(parts)
      return error
    }
    this.#isLost = true
    for (const part of parts.splice(0)) giveBack(this.#lender, part)
    return lostScanner(error)
  }

  get #mayFetchAhead(): boolean {
    return this.#memory.allowsAhead(PREFETCH_BYTES)
  }

  /** The limits of a fetch ahead. Its cells must be one block, as it is handed out in parts. */
  #prefetchOf(rows: number, bytes: number): ScanLimits {
    return { rows, bytes, allowPartial: false, allowScattered: false }
  }

  /** Fetches. If that fails, puts back the results already taken for the answer, for the client's next attempt. */
  async #fetchBehind(taken: readonly PagePart[], limits: ScanLimits, call: Call): Promise<void> {
    try {
      await this.#fetch(limits, call)
    } catch (error) {
      await this.#ahead.putBack(taken)
      throw error
    }
  }

  async #fetch(limits: ScanLimits, call: Call): Promise<void> {
    const { results, partial, ended } = await this.#scanner.next(limits, call)
    this.#ahead.replace(partial === undefined ? results : { ...results, partial })
    this.#more = ended !== 'scan'
    const { cells, counts } = results
    if (counts.length > 0) this.#resultBytes = cells.byteLength / counts.length
  }
}

function nothing(): void {}
