import { EndOfTurn } from '../../../src/model/end-of-turn.ts'
import { isBefore, type ThreadWords } from '../platform/thread-words.ts'
import type { MessageToWriter } from '../threads/reader-messages.ts'
import { RequestsToWriter } from './requests-to-writer.ts'

/** The memory and the versions that reads need. */
interface Needs {
  readonly epoch: number
  readonly oldest: number
  readonly newest: number
}

/** Needs of a turn that go on until the writer has a message. */
interface Asked extends Needs {
  readonly message: number
}

export interface ReaderTurnParts {
  readonly words: ThreadWords
  /** The number of this reader. */
  readonly reader: number
  readonly post: (message: MessageToWriter) => void
}

/**
 * The turns of the event loop in which a thread reads. Within a turn everything that was published when it began, or later, stays where it is, and so do
 * the versions of its read points. What is needed for longer is asked of the writer at the end of the turn, and kept until the writer has it.
 */
export class ReaderTurn {
  /** The greatest sequence id that reads see, since the last `begin`. */
  readPoint = 0
  readonly requests: RequestsToWriter
  readonly #parts: ReaderTurnParts
  readonly #end = new EndOfTurn(() => this.#ended())
  /** The epoch of the read point. */
  #epoch = 0
  #needs: Needs | undefined
  /** Oldest first. */
  #asked: Asked[] = []
  #lastMessage = 0

  constructor(parts: ReaderTurnParts) {
    this.#parts = parts
    this.requests = new RequestsToWriter(() => this.#end.ask())
  }

  /**
   * Begins a read: it sees all that was answered before. Views and roots must be looked up after that. See docs/engine.md, "Threads".
   */
  begin(): void {
    const { words } = this.#parts
    if (this.#needs !== undefined && words.epoch === this.#epoch) return
    this.#end.ask()
    for (;;) {
      const { epoch } = words
      if (this.#needs === undefined) {
        // Before the read point is looked up, and with it all that is published.
        this.#needs = { epoch, oldest: Number.POSITIVE_INFINITY, newest: -1 }
        this.#say()
      }
      const readPoint = words.readPointOf(epoch)
      if (words.epoch !== epoch) continue
      const { oldest, newest } = this.#needs
      this.#needs = {
        epoch: this.#needs.epoch,
        oldest: Math.min(oldest, readPoint),
        newest: Math.max(newest, readPoint),
      }
      this.#say()
      // The writer has not gone on meanwhile, so that it will see the read point before it drops a version.
      if (words.epoch !== epoch) continue
      this.#epoch = epoch
      this.readPoint = readPoint
      return
    }
  }

  /** Says what this turn needs, and earlier ones still do. */
  #say(): void {
    const { words, reader } = this.#parts
    const first = this.#needs ?? this.#asked[0]
    if (first === undefined) {
      words.end(reader)
      return
    }
    let { epoch, oldest, newest } = first
    for (const each of this.#asked) {
      if (isBefore(each.epoch, epoch)) epoch = each.epoch
      oldest = Math.min(oldest, each.oldest)
      newest = Math.max(newest, each.newest)
    }
    words.pin(reader, epoch)
    words.setReadPoints(reader, oldest, newest)
  }

  #ended(): void {
    const needs = this.#needs
    this.#needs = undefined
    const requests = this.requests.take()
    if (requests !== undefined) {
      const message = ++this.#lastMessage
      if (requests.keeps && needs !== undefined) this.#asked.push({ ...needs, message })
      this.#parts.post({ message, list: requests.list })
    }
    this.#say()
  }

  /** The writer has the message. */
  kept(message: number): void {
    const before = this.#asked.length
    this.#asked = this.#asked.filter((asked) => asked.message > message)
    if (this.#asked.length < before) this.#say()
  }
}
