import { ThriftProtocolError } from './protocol.ts'

/**
 * Finds where a message ends that comes without its length, in whatever pieces it arrives. It goes on where the bytes
 * ended the last time, so that a message of many pieces is gone over once; of what it passes it keeps a stack of the
 * containers that are open, no values. Offsets count from the message's begin: the bytes may move between calls.
 *
 * A claimed size that the message could not have within its limit is refused at once.
 */
export abstract class MessageScanner {
  /** Just after what has been passed; past the bytes at hand where a string's rest is still to come. */
  protected position = 0
  protected depth = 0
  /** Of the container at each depth: the types of its elements (of a map: keys, values), or of a struct nothing. */
  protected readonly keyTypes: Uint8Array
  protected readonly valueTypes: Uint8Array
  /** Values still to come; STRUCT where a STOP will tell. */
  protected readonly remaining: Float64Array
  /** Type of a value whose begin has not come whole; 0: none. */
  protected pendingType = 0
  readonly #depthMax: number
  readonly #bytesMax: number
  #headPassed = false

  constructor(depthMax: number, bytesMax: number) {
    this.#depthMax = depthMax
    this.#bytesMax = bytesMax
    this.keyTypes = new Uint8Array(depthMax + 1)
    this.valueTypes = new Uint8Array(depthMax + 1)
    this.remaining = new Float64Array(depthMax + 1)
  }

  /**
   * The length of the message that begins at buffer[start], or -1 where its end has not come. After a length it is
   * ready for the next message.
   */
  scan(buffer: Buffer, start: number, end: number): number {
    const available = end - start
    if (!this.#headPassed) {
      if (!this.passHead(buffer, start, available)) return -1
      this.#headPassed = true
      this.openStruct()
    }
    while (this.depth > 0) {
      if (this.position >= available && this.remaining[this.depth] !== 0) return -1
      if (!this.passNext(buffer, start, available)) return -1
    }
    const length = this.position
    this.#headPassed = false
    this.position = 0
    return length
  }

  /** Moves past the message's head; false where it has not come whole. */
  protected abstract passHead(buffer: Buffer, start: number, available: number): boolean
  /** Moves past one field, element or end of the container that is open; false where that has not come whole. */
  protected abstract passNext(buffer: Buffer, start: number, available: number): boolean

  protected openStruct(): void {
    this.open(STRUCT, 0, 0)
  }

  protected open(remaining: number, keyType: number, valueType: number): void {
    if (++this.depth > this.#depthMax) {
      throw new ThriftProtocolError('DEPTH_LIMIT', 'values are nested too deeply')
    }
    this.remaining[this.depth] = remaining
    this.keyTypes[this.depth] = keyType
    this.valueTypes[this.depth] = valueType
  }

  /** The type of the next element, which counts as passed; 0 where the container, not a struct, has ended. */
  protected nextElement(): number {
    const left = this.remaining[this.depth]!
    if (left === 0) {
      this.depth--
      return 0
    }
    this.remaining[this.depth] = left - 1
    return (left & 1) === 0 ? this.keyTypes[this.depth]! : this.valueTypes[this.depth]!
  }

  /** Passes `count` times `bytes`, of which some may not have come. */
  protected passBytes(count: number, bytes: number): void {
    this.checkRoom(count, bytes)
    this.position += count * bytes
  }

  protected checkRoom(count: number, bytes: number): void {
    if (count < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `Negative length: ${count}`)
    if (this.position + count * bytes > this.#bytesMax) {
      throw new ThriftProtocolError(
        'SIZE_LIMIT',
        `a message of more than ${this.#bytesMax} bytes: ${count} times ${bytes} at byte ${this.position}`,
      )
    }
  }
}

/** `remaining` of a struct. */
export const STRUCT = -1
