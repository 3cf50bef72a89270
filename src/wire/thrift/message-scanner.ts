import { ThriftProtocolError, tooManyElements } from './protocol.ts'

/**
 * Finds the end of a message that comes without its length, in any pieces. A scan goes on where the last one ended, so
 * that it passes a message of many pieces once. The scanner keeps a stack of the open containers, and no values. Offsets
 * count from the message's begin: the bytes may move between calls.
 *
 * The scanner refuses a size at once where it would take the message past its limits.
 */
export abstract class MessageScanner {
  /** Offset after the passed bytes; past the available bytes where a string's rest is still to come. */
  protected position = 0
  protected depth = 0
  /** For the container at each depth the types of its elements (of a map: keys, values); unused for a struct. */
  protected readonly keyTypes: Uint8Array
  protected readonly valueTypes: Uint8Array
  /** Number of values still to come; STRUCT where a STOP ends them. */
  protected readonly remaining: Float64Array
  /** Type of a value whose head has not come whole; 0: none. */
  protected pendingType = 0
  /** Most bytes of a message, unless it is only passed. */
  protected readonly bytesMax: number
  readonly #depthMax: number
  readonly #elementsMax: number
  /** The message is only passed: its size does not matter. */
  #isSkimming = false
  #elements = 0
  #headPassed = false

  constructor(depthMax: number, bytesMax: number, elementsMax: number = Number.POSITIVE_INFINITY) {
    this.#depthMax = depthMax
    this.bytesMax = bytesMax
    this.#elementsMax = elementsMax
    this.keyTypes = new Uint8Array(depthMax + 1)
    this.valueTypes = new Uint8Array(depthMax + 1)
    this.remaining = new Float64Array(depthMax + 1)
  }

  /**
   * Returns the length of the message that begins at buffer[start], and is then ready for the next message; -1 where the
   * message's end has not come.
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
    this.#begin(false)
    return length
  }

  /** Begins the message anew, whose end is to be found at any size. */
  skim(): void {
    this.#begin(true)
  }

  #begin(isSkimming: boolean): void {
    this.#headPassed = false
    this.#isSkimming = isSkimming
    this.position = 0
    this.depth = 0
    this.pendingType = 0
    this.#elements = 0
  }

  /** Bytes from the message's begin to the end of what was passed, some of which may still be to come. */
  get passed(): number {
    return this.position
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

  /** Returns the type of the next element and counts it as passed; 0 at the end of a container that is no struct. */
  protected nextElement(): number {
    const left = this.remaining[this.depth]!
    if (left === 0) {
      this.depth--
      return 0
    }
    this.remaining[this.depth] = left - 1
    return (left & 1) === 0 ? this.keyTypes[this.depth]! : this.valueTypes[this.depth]!
  }

  /** Passes `count` times `bytes`, of which some may still be to come. */
  protected passBytes(count: number, bytes: number): void {
    this.checkRoom(count, bytes)
    this.position += count * bytes
  }

  /** Counts the elements of a list or a map, of which each has at least `bytes`. */
  protected countElements(count: number, bytes: number): void {
    this.checkRoom(count, bytes)
    this.#elements += count
    if (this.#elements > this.#elementsMax && !this.#isSkimming) throw tooManyElements(this.#elementsMax)
  }

  protected checkRoom(count: number, bytes: number): void {
    if (count < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `Negative length: ${count}`)
    if (this.position + count * bytes > this.bytesMax && !this.#isSkimming) {
      throw new ThriftProtocolError(
        'SIZE_LIMIT',
        `a message of more than ${this.bytesMax} bytes: ${count} times ${bytes} at byte ${this.position}`,
      )
    }
  }
}

/** `remaining` of a struct. */
export const STRUCT = -1
