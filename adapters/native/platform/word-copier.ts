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
    if (bytes > WORD_COPY_BYTES_MAX || source !== this.#lastSource) {
      if (source !== this.#lastSource) this.#source = ViewedBytes.EMPTY
      this.#lastSource = source
      source.copy(target, to, from, from + bytes)
      return
    }
    if (source !== this.#source.buffer) this.#source = new ViewedBytes(source)
    if (target !== this.#target.buffer) this.#target = new ViewedBytes(target)
    copyViewed(this.#source, from, bytes, this.#target, to)
  }

  /** Forgets the buffers. */
  reset(): void {
    this.#lastSource = undefined
    this.#source = ViewedBytes.EMPTY
    this.#target = ViewedBytes.EMPTY
  }
}
