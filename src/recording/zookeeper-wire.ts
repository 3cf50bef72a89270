/** ZooKeeper. In a recording, the passwords of sessions and the credentials of logins are zeros. */

import { FrameCutter, type Wire } from './protocol.ts'

const PING = -2
const EVENT = -1
const LOGIN_TYPES: ReadonlySet<number> = new Set([100, 102])
const XID = 4
const TYPE = 8
/** The offsets of the length of a session's password, in a frame with its own length. */
const PASSWORD_ASKED = 4 + 4 + 8 + 4 + 8
const PASSWORD_ANSWERED = 4 + 4 + 4 + 8
/** A header of an answer: xid, zxid, error. */
const ANSWER_HEAD = 4 + 4 + 8 + 4
const CONNECT = 'connect'

export const ZOOKEEPER: Wire = {
  name: 'zookeeper',
  hasStart: false,
  conversation: (begin, bytesMax) => {
    if (begin.length < 8) return 'more'
    const length = begin.readInt32BE(0)
    // The first message begins with the protocol's version, 0. A beginning of four letters is a command for a report.
    if (length < 0 || length > 1024 || begin.readInt32BE(4) !== 0) return undefined
    return { requests: new FrameCutter(bytesMax), answers: new FrameCutter(bytesMax) }
  },
  idOf: () => undefined,
  isAnswered: () => true,
  isEvent: (answer) => !isConnect(answer, 'answer') && answer.readInt32BE(XID) === EVENT,
  redacted: (message, side) => {
    if (isConnect(message, side))
      return withZeros(message, side === 'request' ? PASSWORD_ASKED : PASSWORD_ANSWERED)
    if (side === 'request' && LOGIN_TYPES.has(message.readInt32BE(TYPE))) return zeroed(message, TYPE + 4)
    return message
  },
  keyOf: (request) => {
    if (isConnect(request, 'request')) return CONNECT
    return request.readInt32BE(XID) === PING ? 'ping' : request.toString('latin1', TYPE)
  },
  answerTo: (request, { answer }) => {
    if (isConnect(request, 'request') || isConnect(answer, 'answer')) return answer
    const copy = Buffer.from(answer)
    copy.writeInt32BE(request.readInt32BE(XID), XID)
    return copy
  },
  refusal: (request) => {
    if (isConnect(request, 'request') || request.readInt32BE(XID) !== PING) return undefined
    const answer = Buffer.alloc(ANSWER_HEAD)
    answer.writeInt32BE(ANSWER_HEAD - 4)
    answer.writeInt32BE(PING, XID)
    return answer
  },
  masked: (answer) => {
    if (isConnect(answer, 'answer')) return Buffer.from(CONNECT)
    // The error only: the rest contains ids of transactions and addresses of servers.
    return answer.subarray(ANSWER_HEAD - 4, ANSWER_HEAD)
  },
}

/** True for the first message of a session, which has the version 0 in place of an xid. Only some clients use 0 as their first xid. */
function isConnect(message: Buffer, side: 'request' | 'answer'): boolean {
  const at = side === 'request' ? PASSWORD_ASKED : PASSWORD_ANSWERED
  if (message.length < at + 4 || message.readInt32BE(4) !== 0) return false
  const password = message.readInt32BE(at)
  const rest = message.length - at - 4 - password
  return password >= 0 && password <= 16 && (rest === 0 || rest === 1)
}

function withZeros(message: Buffer, at: number): Buffer {
  const copy = Buffer.from(message)
  const length = Math.max(0, copy.readInt32BE(at))
  copy.fill(0, at + 4, at + 4 + length)
  return copy
}

function zeroed(message: Buffer, from: number): Buffer {
  const copy = Buffer.from(message)
  copy.fill(0, from)
  return copy
}
