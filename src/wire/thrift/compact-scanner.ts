import { COMPACT_PROTOCOL_ID, COMPACT_VERSION, CompactType } from './compact-types.ts'
import { MessageScanner, STRUCT } from './message-scanner.ts'
import { ThriftProtocolError } from './protocol.ts'

/** Names of methods are shorter: a longer one shows that the bytes are not Thrift. */
const NAME_BYTES_MAX = 1024
const VARINT_BYTES_MAX = 10

/** Finds the end of messages in the compact protocol. */
export class CompactScanner extends MessageScanner {
  /** The low 32 bits of the last varint. */
  #varint = 0

  protected passHead(buffer: Buffer, start: number, available: number): boolean {
    if (available < 2) return false
    if (buffer[start] !== COMPACT_PROTOCOL_ID || (buffer[start + 1]! & 0x1f) !== COMPACT_VERSION) {
      throw new ThriftProtocolError('BAD_VERSION', 'Bad version in readMessageBegin')
    }
    const sequenceId = this.#varintEnd(buffer, start, 2, available)
    if (sequenceId < 0) return false
    const name = this.#varintEnd(buffer, start, sequenceId, available)
    if (name < 0) return false
    if (this.#varint < 0 || this.#varint > NAME_BYTES_MAX) {
      throw new ThriftProtocolError('SIZE_LIMIT', `a name of ${this.#varint} bytes`)
    }
    this.position = name + this.#varint
    return true
  }

  protected passNext(buffer: Buffer, start: number, available: number): boolean {
    let type = this.pendingType
    if (type === 0) {
      if (this.remaining[this.depth] === STRUCT) return this.#passField(buffer, start, available)
      type = this.nextElement()
      if (type === 0) return true
    }
    return this.#passPending(type, buffer, start, available)
  }

  /** Passes the field's head, and its value as far as it has come. */
  #passField(buffer: Buffer, start: number, available: number): boolean {
    const head = buffer[start + this.position]!
    if ((head & 0x0f) === 0) {
      this.position++
      this.depth--
      return true
    }
    const type = checkType(head & 0x0f)
    const end =
      head >>> 4 === 0 ? this.#varintEnd(buffer, start, this.position + 1, available) : this.position + 1
    if (end < 0) return false
    this.position = end
    // The head carries the bool's value.
    if (type <= CompactType.BOOL_FALSE) return true
    return this.#passPending(type, buffer, start, available)
  }

  #passPending(type: number, buffer: Buffer, start: number, available: number): boolean {
    this.pendingType = 0
    if (this.#passValue(type, buffer, start, available)) return true
    this.pendingType = type
    return false
  }

  #passValue(type: number, buffer: Buffer, start: number, available: number): boolean {
    const fixed = fixedBytes(type)
    if (fixed > 0) {
      this.passBytes(1, fixed)
      return true
    }
    if (type === CompactType.STRUCT) {
      this.openStruct()
      return true
    }
    if (this.position >= available) return false
    if (type === CompactType.LIST || type === CompactType.SET) return this.#passList(buffer, start, available)
    const end = this.#varintEnd(buffer, start, this.position, available)
    if (end < 0) return false
    if (type === CompactType.MAP) return this.#passMap(end, buffer, start, available)
    this.position = end
    if (type === CompactType.BINARY) this.passBytes(this.#varint, 1)
    return true
  }

  #passList(buffer: Buffer, start: number, available: number): boolean {
    const head = buffer[start + this.position]!
    let end = this.position + 1
    let count = head >>> 4
    if (count === 15) {
      end = this.#varintEnd(buffer, start, end, available)
      if (end < 0) return false
      count = this.#varint
    }
    this.position = end
    if (count === 0) return true
    const type = checkType(head & 0x0f)
    const fixed = fixedBytes(type)
    this.countElements(count, 1)
    if (fixed > 0) this.passBytes(count, fixed)
    else this.open(count, type, type)
    return true
  }

  #passMap(end: number, buffer: Buffer, start: number, available: number): boolean {
    const count = this.#varint
    if (count === 0) {
      this.position = end
      return true
    }
    if (end >= available) return false
    const types = buffer[start + end]!
    const keyType = checkType(types >>> 4)
    const valueType = checkType(types & 0x0f)
    this.position = end + 1
    const fixedKey = fixedBytes(keyType)
    const fixedValue = fixedBytes(valueType)
    this.countElements(count, 2)
    if (fixedKey > 0 && fixedValue > 0) this.passBytes(count, fixedKey + fixedValue)
    else this.open(count * 2, keyType, valueType)
    return true
  }

  /** Puts the varint at `position` into #varint. Returns the offset after it; -1 where it has not come whole. */
  #varintEnd(buffer: Buffer, start: number, position: number, available: number): number {
    let value = 0
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      if (position + i >= available) return -1
      const byte = buffer[start + position + i]!
      if (i < 5) value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) {
        this.#varint = value
        return position + i + 1
      }
    }
    throw new ThriftProtocolError('INVALID_DATA', 'a varint of more than 10 bytes')
  }
}

/** Bytes of a value outside of fields, where its type has a fixed size. */
function fixedBytes(type: number): number {
  if (type === CompactType.DOUBLE) return 8
  return type === CompactType.I8 || type <= CompactType.BOOL_FALSE ? 1 : 0
}

function checkType(type: number): number {
  if (type === 0 || type > CompactType.STRUCT) {
    throw new ThriftProtocolError('INVALID_DATA', `Unrecognized type ${type}`)
  }
  return type
}
