import { readInt32 } from '../../../model/bytes.ts'
import { CELL_PREFIX_BYTES, CellBlock } from '../../../model/cell-block.ts'
import { NO_RESULTS, type Results } from '../../../model/results.ts'
import type { Scanner } from '../../../store.ts'
import { partialResults } from './partial-results.ts'

/** Results that one fetch brings where the client states no `caching`. */
const CACHING_DEFAULT = 100
/** Bytes after which a fetch ahead ends. HBase: hbase.client.scanner.max.result.size. */
const PREFETCH_BYTES = 2 * 1024 * 1024

export interface PartialPage {
  readonly results: Results
  readonly partial: readonly boolean[]
}

/**
 * The results of a scan in the portions that a client asks for, fetched from the store in portions of `caching`: a
 * client that asks for row after row costs the store one call for many. As in HBase, results fetched ahead do not show
 * what is written meanwhile.
 */
export class ScannerPages {
  readonly #scanner: Scanner
  readonly #caching: number
  readonly #answerBytesMax: number
  /** Fetched and not handed out yet; `#next` is the first result's index in its counts. */
  #ahead: Results = NO_RESULTS
  #next = 0
  #more = true
  /** The end of the line of calls: a scanner takes one at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(scanner: Scanner, options: { caching: number | undefined; answerBytesMax: number }) {
    this.#scanner = scanner
    this.#caching = options.caching !== undefined && options.caching > 0 ? options.caching : CACHING_DEFAULT
    this.#answerBytesMax = options.answerBytesMax
  }

  /** As next, with what Thrift 2 says of each result: whether its row goes on in the one after it. */
  nextWithPartial(count: number): Promise<PartialPage> {
    return this.#inTurn(async () => {
      const results = await this.#page(count)
      if (results.counts.length > 0 && this.#next === this.#ahead.counts.length && this.#more) {
        await this.#fetchBehind([results], Math.max(count, this.#caching), PREFETCH_BYTES)
      }
      return { results, partial: partialResults(results, this.#ahead.cells) }
    })
  }

  /**
   * The next `count` results; fewer at the scan's end, where it closes the store's scanner, and where their cells exceed
   * the bytes that an answer may have. Only no results at all says that the scan is over.
   */
  next(count: number): Promise<Results> {
    return this.#inTurn(() => this.#page(count))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #page(count: number): Promise<Results> {
    const parts: Results[] = []
    let missing = count
    let bytes = 0
    while (missing > 0 && bytes < this.#answerBytesMax) {
      if (this.#next === this.#ahead.counts.length) {
        if (!this.#more) break
        const bytesLeft = this.#answerBytesMax - bytes
        // Who asks for many at a time gets them in whole fetches: no rest of one is to be joined to the next.
        if (count >= this.#caching) await this.#fetchBehind(parts, missing, bytesLeft)
        else await this.#fetchBehind(parts, this.#caching, Math.min(PREFETCH_BYTES, bytesLeft))
        continue
      }
      const part = this.#take(missing)
      parts.push(part)
      missing -= part.counts.length
      bytes += part.cells.byteLength
    }
    return joined(parts)
  }

  /** Where it fails, the results that were taken for the same answer are ahead again: whoever asks once more gets them. */
  async #fetchBehind(taken: readonly Results[], rows: number, bytes: number): Promise<void> {
    try {
      await this.#fetch(rows, bytes)
    } catch (error) {
      this.#ahead = joined(taken)
      this.#next = 0
      throw error
    }
  }

  async #fetch(rows: number, bytes: number): Promise<void> {
    const { results, more } = await this.#scanner.next({ rows, bytes, allowPartial: false })
    this.#ahead = results
    this.#next = 0
    this.#more = more
    if (!more) await this.#scanner.close()
  }

  /** The first `count` of the results ahead, or all of them where there are fewer: a view of their block. */
  #take(count: number): Results {
    const { cells, counts, release } = this.#ahead
    const first = this.#next
    const last = Math.min(first + count, counts.length)
    this.#next = last
    if (last === counts.length) {
      this.#ahead = NO_RESULTS
      this.#next = 0
      // What was handed out before from the same block may not have been read yet.
      return first === 0
        ? { cells, counts, ...(release && { release }) }
        : { cells, counts: counts.slice(first) }
    }
    let end = cells.start
    for (let result = first; result < last; result++) {
      for (let cell = 0; cell < counts[result]!; cell++) {
        end += CELL_PREFIX_BYTES + readInt32(cells.buffer, end)
      }
    }
    this.#ahead = { cells: new CellBlock(cells.buffer, end, cells.end), counts }
    return { cells: new CellBlock(cells.buffer, cells.start, end), counts: counts.slice(first, last) }
  }
}

function joined(parts: readonly Results[]): Results {
  const [first] = parts
  if (first === undefined) return NO_RESULTS
  if (parts.length === 1) return first
  const bytes = Buffer.concat(parts.map(({ cells }) => cells.buffer.subarray(cells.start, cells.end)))
  for (const { release } of parts) release?.()
  return { cells: new CellBlock(bytes), counts: parts.flatMap(({ counts }) => counts) }
}
