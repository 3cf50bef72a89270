/** Thrift over sockets: binary or compact, framed or unframed. */

import { BinaryScanner } from '../wire/thrift/binary-scanner.ts'
import { CompactScanner } from '../wire/thrift/compact-scanner.ts'
import {
  type Conversation,
  type Cutter,
  FrameCutter,
  Gathered,
  MESSAGE_BYTES_MAX,
  REFUSAL,
  type Wire,
  withoutTimes,
} from './protocol.ts'

const DEPTH_MAX = 64
const COMPACT = 0x82
const BINARY = 0x80
const MessageType = { call: 1, reply: 2, exception: 3, oneway: 4 } as const
const INTERNAL_ERROR = 6

/** The head of a message. Offsets count from the beginning of the message, including a frame's length. */
interface ThriftHead {
  readonly isFramed: boolean
  readonly isCompact: boolean
  readonly type: number
  readonly name: string
  /** The offsets of the sequence id, which the client chooses. */
  readonly idStart: number
  readonly idEnd: number
}

export const THRIFT: Wire = {
  name: 'thrift',
  hasStart: false,
  conversation: conversationOf,
  idOf: () => undefined,
  isAnswered: (request) => readHead(request).type !== MessageType.oneway,
  isEvent: () => false,
  redacted: (message) => message,
  keyOf: (request) => {
    const { isFramed, idStart, idEnd } = readHead(request)
    const start = isFramed ? 4 : 0
    return request.toString('latin1', start, idStart) + request.toString('latin1', idEnd)
  },
  answerTo: (request, { answer }) => {
    const asked = readHead(request)
    return withId(answer, request.subarray(asked.idStart, asked.idEnd))
  },
  refusal: (request) => {
    const head = readHead(request)
    return withId(applicationError(head), request.subarray(head.idStart, head.idEnd))
  },
  masked: (answer) => {
    const { idStart, idEnd, isFramed } = readHead(answer)
    const rest = withoutTimes(answer.subarray(idEnd))
    return Buffer.concat([answer.subarray(isFramed ? 4 : 0, idStart), rest])
  },
}

function conversationOf(begin: Buffer, bytesMax?: number): Conversation | 'more' | undefined {
  const [first, second] = begin
  if (first === undefined || (begin.length < 6 && first !== COMPACT)) return 'more'
  // A login by SASL begins with the status START.
  if (first === 1 && begin.readInt32BE(0) === 0x01000000) return undefined
  const compact = (): Cutter => new ScannedCutter(new CompactScanner(DEPTH_MAX, MESSAGE_BYTES_MAX), bytesMax)
  const binary = (): Cutter => new ScannedCutter(new BinaryScanner(DEPTH_MAX, MESSAGE_BYTES_MAX), bytesMax)
  if (first === COMPACT) return both(compact)
  if (first === BINARY && second === 1) return both(binary)
  const inner = begin[4]!
  if (first < 0x40 && (inner === COMPACT || inner === BINARY || inner === 0))
    return both(() => new FrameCutter(bytesMax))
  // An old client's unframed message begins with the length of a name.
  if (first === 0) return both(binary)
  return undefined
}

function both(cutter: () => Cutter): Conversation {
  return { requests: cutter(), answers: cutter() }
}

class ScannedCutter implements Cutter {
  readonly #scanner: BinaryScanner | CompactScanner
  readonly #gathered: Gathered

  constructor(scanner: BinaryScanner | CompactScanner, bytesMax?: number) {
    this.#scanner = scanner
    this.#gathered = new Gathered(bytesMax)
  }

  push(bytes: Buffer): Buffer[] {
    let waiting = this.#gathered.push(bytes) ?? this.#gathered.whole()
    const messages: Buffer[] = []
    while (waiting.length > 0) {
      const length = this.#scanner.scan(waiting, 0, waiting.length)
      if (length < 0) break
      messages.push(waiting.subarray(0, length))
      waiting = waiting.subarray(length)
    }
    this.#gathered.keep(waiting, 0)
    return messages
  }
}

function readHead(message: Buffer): ThriftHead {
  const isFramed = message.length >= 6 && message[0]! < 0x40 && [COMPACT, BINARY, 0].includes(message[4]!)
  const start = isFramed ? 4 : 0
  if (message[start] === COMPACT) return compactHead(message, start, isFramed)
  const isStrict = message[start] === BINARY
  const nameLength = message.readInt32BE(isStrict ? start + 4 : start)
  const nameStart = start + (isStrict ? 8 : 4)
  const nameEnd = nameStart + nameLength
  const idStart = isStrict ? nameEnd : nameEnd + 1
  const type = isStrict ? message[start + 3]! : message[nameEnd]!
  const name = message.toString('utf8', nameStart, nameEnd)
  return { isFramed, isCompact: false, type, name, idStart, idEnd: idStart + 4 }
}

function compactHead(message: Buffer, start: number, isFramed: boolean): ThriftHead {
  const type = message[start + 1]! >> 5
  const idStart = start + 2
  let idEnd = idStart
  while (message[idEnd]! >= 0x80) idEnd++
  idEnd++
  const nameLength = message[idEnd]!
  const name = message.toString('utf8', idEnd + 1, idEnd + 1 + nameLength)
  return { isFramed, isCompact: true, type, name, idStart, idEnd }
}

/** The message with another sequence id, which may have another length in compact messages. */
function withId(message: Buffer, id: Buffer): Buffer {
  const { isFramed, idStart, idEnd } = readHead(message)
  const inner = Buffer.concat([message.subarray(isFramed ? 4 : 0, idStart), id, message.subarray(idEnd)])
  return isFramed ? framed(inner) : inner
}

function framed(inner: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(inner.length)
  return Buffer.concat([length, inner])
}

/** A TApplicationException in the request's protocol and framing, with the sequence id 0. */
function applicationError({ isFramed, isCompact, name }: ThriftHead): Buffer {
  const nameBytes = Buffer.from(name)
  const text = Buffer.from(REFUSAL)
  const inner = isCompact
    ? Buffer.concat([
        Buffer.from([COMPACT, (MessageType.exception << 5) | 1, 0, nameBytes.length]),
        nameBytes,
        Buffer.from([0x18, text.length]),
        text,
        Buffer.from([0x15, INTERNAL_ERROR * 2, 0]),
      ])
    : Buffer.concat([
        Buffer.from([BINARY, 1, 0, MessageType.exception]),
        int32(nameBytes.length),
        nameBytes,
        int32(0),
        Buffer.from([11, 0, 1]),
        int32(text.length),
        text,
        Buffer.from([8, 0, 2]),
        int32(INTERNAL_ERROR),
        Buffer.from([0]),
      ])
  return isFramed ? framed(inner) : inner
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
