import { MalformedFile } from './cell-format.ts'

/** Takes the bytes of a stream, piece by piece. */
export class ByteFeed {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  /** The number of bytes that were taken. */
  offset = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async atEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more())
  }

  /** A copy of the next bytes. Throws MalformedFile where the stream ends before. */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let missing = length
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#more()))
        throw new MalformedFile(`byte ${this.offset}: the file ends, but ${missing} more bytes belong to it`)
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      this.offset += part.length
      missing -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  async int32(): Promise<number> {
    return (await this.take(4)).readInt32BE()
  }

  /** A number of variable length. Hadoop: WritableUtils.readVInt. */
  async vint(): Promise<number> {
    const first = (await this.take(1)).readInt8()
    if (first >= -112) return first
    const isNegative = first < -120
    const length = isNegative ? -120 - first : -112 - first
    let value = 0n
    for (const byte of await this.take(length)) value = (value << 8n) | BigInt(byte)
    return Number(isNegative ? ~value : value)
  }

  /** A text behind its length. Hadoop: Text.readString. */
  async text(): Promise<string> {
    const length = await this.vint()
    if (length < 0 || length > 0xffff)
      throw new MalformedFile(`byte ${this.offset}: a text of ${length} bytes`)
    return (await this.take(length)).toString()
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const { value, done } = await this.#chunks.next()
      if (done === true) return false
      if (value.length === 0) continue
      this.#rest = value
      return true
    }
  }
}

/** A number from 0 on, in variable length. Hadoop: WritableUtils.writeVInt. */
export function vintBytes(value: number): Buffer {
  if (value < 128) return Buffer.from([value])
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([256 - 112 - bytes.length, ...bytes])
}
