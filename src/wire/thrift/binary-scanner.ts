import { readInt32 } from '../../model/bytes.ts'
import { BINARY_BYTES_MIN } from './binary-reader.ts'
import { MessageScanner, STRUCT } from './message-scanner.ts'
import { ThriftProtocolError, WireType } from './protocol.ts'

/** Bytes of the types of fixed size; 0 for other types. */
const FIXED_BYTES: readonly number[] = [0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 0, 0, 0, 0, 0]
/** Names of methods are shorter: a longer one shows that the bytes are not Thrift. */
const NAME_BYTES_MAX = 1024
const FIELD_HEAD_BYTES = 3
/** Of a string's length. */
const LENGTH_BYTES = 4
const VERSION_1 = 0x8001
/** Stands for the key type of lists and sets. No byte has this value. */
const NO_KEYS = 256

/** Finds the end of messages in the binary protocol, strict and old. */
export class BinaryScanner extends MessageScanner {
  protected passHead(buffer: Buffer, start: number, available: number): boolean {
    if (available < 8) return false
    const first = readInt32(buffer, start)
    if (first >= 0) {
      checkName(first)
      this.position = 4 + first + 1 + 4
    } else {
      if (first >>> 16 !== VERSION_1) {
        throw new ThriftProtocolError('BAD_VERSION', 'Bad version in readMessageBegin')
      }
      const name = readInt32(buffer, start + 4)
      checkName(name)
      this.position = 8 + name + 4
    }
    return true
  }

  protected passNext(buffer: Buffer, start: number, available: number): boolean {
    let type = this.pendingType
    if (type === 0) {
      if (this.remaining[this.depth] === STRUCT) {
        if (this.#passFields(buffer, start, available)) return true
        if (this.position === available) return false
        type = buffer[start + this.position]!
        this.position += FIELD_HEAD_BYTES
      } else {
        type = this.nextElement()
        if (type === 0) return true
      }
    }
    this.pendingType = 0
    if (this.#passValue(type, buffer, start, available)) return true
    this.pendingType = type
    return false
  }

  /**
   * Passes a struct's next fields as long as they are strings and values of fixed size that have come whole: a batch is little else. True: the
   * struct has ended.
   */
  #passFields(buffer: Buffer, start: number, available: number): boolean {
    const end = Math.min(available, this.bytesMax)
    let at = this.position
    while (at + FIELD_HEAD_BYTES <= end) {
      const type = buffer[start + at]!
      let next = at + FIELD_HEAD_BYTES
      if (type === WireType.STRING) {
        if (next + LENGTH_BYTES > end) break
        const length = readInt32(buffer, start + next)
        if (length < 0) break
        next += LENGTH_BYTES + length
      } else {
        const fixed = FIXED_BYTES[type] ?? 0
        if (fixed === 0) break
        next += fixed
      }
      if (next > end) break
      at = next
    }
    const isEnd = at < available && buffer[start + at] === WireType.STOP
    this.position = isEnd ? at + 1 : at
    if (isEnd) this.depth--
    return isEnd
  }

  #passValue(type: number, buffer: Buffer, start: number, available: number): boolean {
    const fixed = FIXED_BYTES[type] ?? 0
    if (fixed > 0) {
      this.passBytes(1, fixed)
      return true
    }
    if (type === WireType.STRUCT) {
      this.openStruct()
      return true
    }
    const head = BINARY_BYTES_MIN[type] ?? 0
    if (head === 0) throw new ThriftProtocolError('INVALID_DATA', `Unrecognized type ${type}`)
    if (this.position + head > available) return false
    const at = start + this.position
    const size = readInt32(buffer, at + head - 4)
    this.position += head
    if (type === WireType.STRING) this.passBytes(size, 1)
    else if (type === WireType.MAP) this.#openElements(size, buffer[at]!, buffer[at + 1]!)
    else this.#openElements(size, NO_KEYS, buffer[at]!)
    return true
  }

  /** Passes all elements at once where their size is fixed. */
  #openElements(count: number, keyType: number, valueType: number): void {
    if (count === 0) return
    const isMap = keyType !== NO_KEYS
    const valueBytes = BINARY_BYTES_MIN[valueType] ?? 0
    const keyBytes = BINARY_BYTES_MIN[keyType] ?? 0
    if (valueBytes === 0 || (isMap && keyBytes === 0)) {
      throw new ThriftProtocolError('INVALID_DATA', 'unknown type of elements')
    }
    const bytes = keyBytes + valueBytes
    this.countElements(count, bytes)
    if (FIXED_BYTES[valueType]! > 0 && (!isMap || FIXED_BYTES[keyType]! > 0)) {
      this.passBytes(count, bytes)
      return
    }
    if (isMap) this.open(count * 2, keyType, valueType)
    else this.open(count, valueType, valueType)
  }
}

function checkName(length: number): void {
  if (length < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `Negative length: ${length}`)
  if (length > NAME_BYTES_MAX) throw new ThriftProtocolError('SIZE_LIMIT', `a name of ${length} bytes`)
}
