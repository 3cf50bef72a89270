import { copyWords, WORD_COPY_BYTES_MAX } from '../../../src/model/copy-words.ts'

const NO_VIEW = new DataView(new ArrayBuffer(0))

/**
 * Copies bytes from one buffer to another, 32 bits at a time: for the usual small cell twice as fast as Buffer.copy. It
 * is for many copies between the same buffers; the first from a new one is native, since making a view costs more.
 */
export class WordCopier {
  #source: Buffer | undefined
  #sourceView: DataView = NO_VIEW
  #target: Buffer | undefined
  #targetView: DataView = NO_VIEW

  copy(source: Buffer, from: number, target: Buffer, to: number, bytes: number): void {
    if (bytes > WORD_COPY_BYTES_MAX || source !== this.#source) {
      if (source !== this.#source) this.#sourceView = NO_VIEW
      this.#source = source
      source.copy(target, to, from, from + bytes)
      return
    }
    if (this.#sourceView === NO_VIEW) this.#sourceView = viewOf(source)
    if (target !== this.#target) {
      this.#target = target
      this.#targetView = viewOf(target)
    }
    copyWords(this.#sourceView, from, this.#targetView, to, bytes)
  }

  /** Forgets the buffers. */
  reset(): void {
    this.#source = undefined
    this.#sourceView = NO_VIEW
    this.#target = undefined
    this.#targetView = NO_VIEW
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}
