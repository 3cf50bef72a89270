import { copyViewed, ViewedBytes, WORD_COPY_BYTES_MAX } from '../../../src/model/viewed-bytes.ts'

/**
 * Copies small cells by words, between buffers for which the caller has no views. Meant for many copies between the same buffers:
 * the first copy from a new source is native, since a view for one copy costs more than it saves.
 */
export class WordCopier {
  #lastSource: Buffer | undefined
  #source: ViewedBytes = ViewedBytes.EMPTY
  #target: ViewedBytes = ViewedBytes.EMPTY

  copy(source: Buffer, from: number, target: Buffer, to: number, bytes: number): void {
    if (!this.#isForWords(source, bytes)) {
      source.copy(target, to, from, from + bytes)
      return
    }
    if (target !== this.#target.buffer) this.#target = new ViewedBytes(target)
    copyViewed(this.#source, from, bytes, this.#target, to)
  }

  /** As copy, for callers that have a view of the target. */
  copyToViewed(source: Buffer, from: number, target: ViewedBytes, to: number, bytes: number): void {
    if (this.#isForWords(source, bytes)) copyViewed(this.#source, from, bytes, target, to)
    else source.copy(target.buffer, to, from, from + bytes)
  }

  /** True: #source is a view of the source. */
  #isForWords(source: Buffer, bytes: number): boolean {
    if (source !== this.#lastSource) {
      this.#source = ViewedBytes.EMPTY
      this.#lastSource = source
      return false
    }
    if (bytes > WORD_COPY_BYTES_MAX) return false
    if (source !== this.#source.buffer) this.#source = new ViewedBytes(source)
    return true
  }

  /** Forgets the buffers. */
  reset(): void {
    this.#lastSource = undefined
    this.#source = ViewedBytes.EMPTY
    this.#target = ViewedBytes.EMPTY
  }
}
