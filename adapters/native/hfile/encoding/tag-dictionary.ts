import type { ByteOutput } from '../byte-output.ts'
import type { EncodedInput } from './encoded-input.ts'
import { writeVarint } from './varint.ts'

/** HBase: TagCompressionContext of a block, an LRUDictionary of Byte.MAX_VALUE entries. */
const ENTRIES_MAX = 127
/** Dictionary.NOT_IN_DICTIONARY as a byte. PERSISTED. */
const NEW_ENTRY = 0xff

/**
 * The tags that a block has had so far; one that comes again is written as its number, two bytes. When the dictionary is full
 * the tag that was used longest ago gives its number to the new one. Writer and reader keep the same dictionary.
 */
export class TagDictionary {
  readonly #byNumber: Buffer[] = []
  /** Numbers by the tag's bytes as latin1 text, the least recently used first. */
  readonly #numbers = new Map<string, number>()

  /** Writes the tags `length i16 | type i8 | value` in source[start..end). */
  write(source: Buffer, start: number, end: number, output: ByteOutput): void {
    for (let at = start; at < end; ) {
      const bytes = (source[at]! << 8) | source[at + 1]!
      at += 2
      if (at + bytes > end) throw new Error(`a tag of ${bytes} bytes is cut off`)
      const number = this.#take(source.toString('latin1', at, at + bytes))
      output.reserve(7 + bytes)
      if (number === undefined) {
        this.#add(source.subarray(at, at + bytes))
        output.buffer[output.length++] = NEW_ENTRY
        writeVarint(output, bytes)
        output.bytes(source, at, at + bytes)
      } else {
        output.buffer[output.length++] = number >>> 8
        output.buffer[output.length++] = number
      }
      at += bytes
    }
  }

  /** Writes plain tags of `bytes` bytes to the input's target. */
  read(input: EncodedInput, bytes: number): void {
    const end = input.out + bytes
    while (input.out < end) {
      const first = input.byte()
      if (first === NEW_ENTRY) {
        const tagBytes = input.varint()
        putLength(input, tagBytes)
        input.copy(tagBytes)
        this.#add(input.target.subarray(input.out - tagBytes, input.out))
      } else {
        const tag = this.#byNumber[(first << 8) | input.byte()]
        if (tag === undefined) throw new Error('it has a tag that is not in the dictionary')
        this.#take(tag.toString('latin1'))
        putLength(input, tag.length)
        for (const byte of tag) input.put(byte)
      }
    }
    if (input.out !== end) throw new Error(`its tags do not end after ${bytes} bytes`)
  }

  /** The number of a known tag, which becomes the most recently used one. */
  #take(tag: string): number | undefined {
    const number = this.#numbers.get(tag)
    if (number === undefined) return undefined
    this.#numbers.delete(tag)
    this.#numbers.set(tag, number)
    return number
  }

  #add(tag: Buffer): void {
    if (tag.length === 0) return
    let number = this.#byNumber.length
    if (number === ENTRIES_MAX) {
      const [oldest] = this.#numbers.keys()
      number = this.#numbers.get(oldest!)!
      this.#numbers.delete(oldest!)
    }
    this.#byNumber[number] = Buffer.from(tag)
    this.#numbers.set(tag.toString('latin1'), number)
  }
}

function putLength(input: EncodedInput, bytes: number): void {
  if (bytes > 0xffff) throw new Error(`it has a tag of ${bytes} bytes`)
  input.put(bytes >>> 8)
  input.put(bytes & 0xff)
}
