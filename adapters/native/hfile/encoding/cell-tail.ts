/** The bytes after each cell's KeyValue in PREFIX, DIFF and FAST_DIFF: `tagsBytes varint | tags`, `sequenceId vlong`. */

import type { ByteOutput } from '../byte-output.ts'
import { vlongBytes } from '../vlong.ts'
import type { EncodedLayout } from './block-encoding.ts'
import type { EncodedInput } from './encoded-input.ts'
import { TagDictionary } from './tag-dictionary.ts'
import { writeVarint } from './varint.ts'

/** One for each block: the dictionary of tags begins anew. */
export class CellTail {
  readonly #layout: EncodedLayout
  readonly #dictionary: TagDictionary | undefined

  constructor(layout: EncodedLayout) {
    this.#layout = layout
    this.#dictionary = layout.tags && layout.tagsCompressed ? new TagDictionary() : undefined
  }

  /** Encodes what stands behind the KeyValue that ends at source[at]; returns where the next cell begins. */
  write(source: Buffer, at: number, output: ByteOutput): number {
    if (this.#layout.tags) {
      const bytes = (source[at]! << 8) | source[at + 1]!
      at += 2
      writeVarint(output, bytes)
      if (this.#dictionary !== undefined) this.#dictionary.write(source, at, at + bytes, output)
      else output.bytes(source, at, at + bytes)
      at += bytes
    }
    if (!this.#layout.sequenceId) return at
    const end = at + vlongBytes(source[at]!)
    output.bytes(source, at, end)
    return end
  }

  read(input: EncodedInput): void {
    if (this.#layout.tags) {
      const bytes = input.varint()
      if (bytes > 0xffff) throw new Error(`it has tags of ${bytes} bytes`)
      input.put(bytes >>> 8)
      input.put(bytes & 0xff)
      if (this.#dictionary !== undefined) this.#dictionary.read(input, bytes)
      else input.copy(bytes)
    }
    if (!this.#layout.sequenceId) return
    if (input.at >= input.end) throw new Error('it ends within a cell')
    input.copy(vlongBytes(input.source[input.at]!))
  }
}
