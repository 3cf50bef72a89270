/**
 * A connection of one client. It carries a four-letter word, or the start of a session and then its requests, which are answered in
 * their order. Bytes that are no message end this connection only.
 */

import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../gateway/connections/connection-origin.ts'
import { takeBytes } from '../../gateway/connections/direct-reading.ts'
import { LoginPlace } from '../../gateway/identity/guard/login-place.ts'
import { MemoryGrant } from '../../gateway/limits/memory-grant.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { isHBaseError } from '../../model/errors.ts'
import { isProxyProtocol, PROXY_PROTOCOL } from '../../wire/proxy-protocol.ts'
import { ERROR_CODE, OP_CODE, SPECIAL_XID, STATE_CONNECTED } from '../../wire/zookeeper/codes.ts'
import { encodeFrame, FrameCutter, type FramePart, part } from '../../wire/zookeeper/frames.ts'
import { JuteReader } from '../../wire/zookeeper/jute-reader.ts'
import {
  CONNECT_REQUEST,
  CONNECT_RESPONSE,
  REPLY_HEADER,
  REQUEST_HEADER,
  type RequestHeader,
  WATCHER_EVENT,
} from '../../wire/zookeeper/records.ts'
import type { ConnectionContext } from './connection-context.ts'
import type { AuthInfo, OperationContext } from './operations/operation.ts'
import { type Outcome, runOperation } from './operations/run-operation.ts'
import { answerWord, type ListedConnection, WORD_BYTES } from './session/four-letter-words.ts'
import { SaslSession } from './session/sasl-session.ts'
import type { Session, SessionHolder } from './session/session-table.ts'
import type { Watcher } from './tree/watch-table.ts'

/** Most bytes of a request. ZooKeeper: jute.maxbuffer. */
export const REQUEST_BYTES_MAX = 0xfffff
/** Unread bytes of answers. From so many on, no further request of the client is read. */
const UNREAD_BYTES_MAX = 1024 * 1024
/** Unread bytes at which the connection ends. Events come without a request: a client that leaves so many of them unread hangs. */
const UNREAD_EVENT_BYTES_MAX = 4 * UNREAD_BYTES_MAX
/** Longest time before a session begins, in milliseconds. ZooKeeper: zookeeper.sessionlessCnxnTimeout. */
const HANDSHAKE_MS_MAX = 10_000

export class Connection implements Watcher, SessionHolder {
  readonly watchMemory: MemoryGrant
  readonly #socket: Socket
  readonly #context: ConnectionContext
  readonly #operationContext: OperationContext
  readonly #login: SaslSession
  readonly #frames = new FrameCutter(REQUEST_BYTES_MAX)
  /** Holds the memory of requests that are incomplete or wait. */
  readonly #received: MemoryGrant
  readonly #since: number
  readonly #origin: ConnectionOrigin
  #head: Buffer | undefined = Buffer.alloc(0)
  #waiting: Buffer[] = []
  #isBusy = false
  #endingSince: number | undefined
  #session: Session | undefined
  #receivedCount = 0
  #sentCount = 0
  /** Frames of this turn of the event loop, which go to the socket together. */
  #outgoing: Buffer[] = []
  #outgoingBytes = 0

  constructor(socket: Socket, context: ConnectionContext) {
    this.#socket = socket
    this.#context = context
    this.#since = context.now()
    this.#received = new MemoryGrant(context.memory)
    this.watchMemory = new MemoryGrant(context.memory, true)
    this.#origin = ConnectionOrigin.of(socket)
    const users: AuthInfo[] = [{ scheme: 'ip', user: this.#origin.address ?? '' }]
    this.#login = new SaslSession(context.guard, new LoginPlace(this.#origin, 'zookeeper'))
    this.#operationContext = { ...context.znodes, watcher: this, users, login: this.#login }
    takeBytes(socket, (chunk) => this.#receive(chunk))
    socket.on('drain', () => this.#work())
    socket.on('end', () => this.close())
    socket.once('close', () => this.#onClose())
  }

  get #isEnding(): boolean {
    return this.#endingSince !== undefined
  }

  get #unreadBytes(): number {
    return this.#socket.writableLength + this.#outgoingBytes
  }

  get listed(): ListedConnection {
    const { address = '', port = 0 } = this.#origin
    return {
      remote: `${address}:${port}`,
      hasSession: this.#session !== undefined,
      received: this.#receivedCount,
      sent: this.#sentCount,
    }
  }

  /** Ends the connection if it has not begun a session in time, or if its client keeps an ended one open. */
  sweep(): void {
    const since = this.#endingSince ?? (this.#session === undefined ? this.#since : Number.POSITIVE_INFINITY)
    if (this.#context.now() - since >= HANDSHAKE_MS_MAX) this.#socket.destroy()
  }

  disconnect(): void {
    this.#socket.destroy()
  }

  /** Ends the connection once the running answers are sent. */
  close(): void {
    if (this.#isBusy) this.#endSoon()
    else this.#finish()
  }

  event(type: number, path: string): void {
    const event = part(WATCHER_EVENT, { type, state: STATE_CONNECTED, path })
    this.#send(encodeFrame(header(SPECIAL_XID.watcherEvent, -1n, ERROR_CODE.ok), event))
    if (this.#unreadBytes > UNREAD_EVENT_BYTES_MAX) this.#socket.destroy()
  }

  #onClose(): void {
    this.#endSoon()
    this.#context.znodes.watches.removeAll(this)
    this.#received.release()
    this.watchMemory.release()
    this.#login.close()
    if (this.#session !== undefined) this.#context.sessions.detach(this.#session, this)
  }

  #receive(chunk: Buffer): void {
    if (this.#isEnding) return
    try {
      this.#received.take(chunk.length, 'a ZooKeeper request')
      if (this.#head !== undefined) {
        this.#head = Buffer.concat([this.#head, chunk])
        if (this.#head.length < WORD_BYTES) return
        const word = answerWord(this.#head.toString('latin1', 0, WORD_BYTES), this.#context.words)
        if (word !== undefined) {
          this.#receivedCount++
          this.#context.statistics.received++
          this.#endSoon()
          this.#socket.end(word)
          return
        }
        this.#waiting.push(...this.#frames.push(this.#head))
        this.#head = undefined
      } else {
        this.#waiting.push(...this.#frames.push(chunk))
      }
    } catch (error) {
      this.#end(error, 'bytes that are no message')
      return
    }
    this.#work()
  }

  /** Answers the waiting requests one after the other, as long as the client takes the answers. */
  #work(): void {
    while (!this.#isBusy && !this.#isEnding && this.#unreadBytes < UNREAD_BYTES_MAX) {
      const frame = this.#waiting.shift()
      if (frame === undefined) break
      this.#received.give(Math.min(frame.length + WORD_BYTES, this.#received.bytes))
      this.#serve(frame)
    }
    if (this.#waiting.length > 0) this.#socket.pause()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  #serve(frame: Buffer): void {
    const reader = new JuteReader(frame)
    this.#receivedCount++
    this.#context.statistics.received++
    try {
      if (this.#session === undefined) this.#begin(reader)
      else this.#request(REQUEST_HEADER.read(reader), reader, this.#session)
    } catch (error) {
      this.#end(error, 'a message that cannot be read')
    }
  }

  /** Begins a session, or continues one. */
  #begin(reader: JuteReader): void {
    const { sessions, counters } = this.#context
    const asked = CONNECT_REQUEST.read(reader)
    const isNew = asked.sessionId === 0n
    const session = isNew
      ? sessions.open(asked.timeOut, this)
      : sessions.resume(asked.sessionId, asked.passwd ?? Buffer.alloc(0), asked.timeOut, this)
    const counts = counters.request('ZooKeeper', isNew ? 'createSession' : 'resumeSession')
    if (session === undefined) {
      counts.refused++
      // A client whose session has ended gets that answer, and begins a new one. A client without a session retries later.
      if (!isNew) this.#send(encodeFrame(part(CONNECT_RESPONSE, EXPIRED)))
      this.#finish()
      return
    }
    counts.ok++
    this.#session = session
    this.#context.onSession()
    const { id: sessionId, password: passwd, timeoutMs: timeOut } = session
    this.#send(
      encodeFrame(
        part(CONNECT_RESPONSE, { protocolVersion: 0, timeOut, sessionId, passwd, readOnly: false }),
      ),
    )
  }

  #request({ xid: asked, type }: RequestHeader, reader: JuteReader, session: Session): void {
    const { sessions, operations, counters } = this.#context
    sessions.touch(session)
    const operation = operations.get(type)
    if (operation === undefined) {
      counters.malformed(counters.request('ZooKeeper', 'unknown'))
      this.#send(encodeFrame(header(asked, -1n, ERROR_CODE.unimplemented)))
      this.#finish()
      return
    }
    const startedAt = performance.now()
    const xid = answeredXid(asked, type)
    const answer = ({ err, response }: Outcome): void => {
      this.#context.statistics.answered(performance.now() - startedAt)
      this.#reply(xid, type, err, response)
      if (type === OP_CODE.closeSession) sessions.close(session)
      if (type === OP_CODE.closeSession || err === ERROR_CODE.authFailed) this.#finish()
    }
    const outcome = runOperation(operation, reader, this.#operationContext, this.#context)
    if (!(outcome instanceof Promise)) {
      answer(outcome)
      return
    }
    this.#isBusy = true
    void outcome.then((late) => {
      this.#isBusy = false
      answer(late)
      if (this.#isEnding) this.#finish()
      else this.#work()
    })
  }

  #reply(xid: number, type: number, err: number, response: FramePart | undefined): void {
    const zxid = type === OP_CODE.auth || type === OP_CODE.sasl ? 0n : this.#context.znodes.tree.zxid
    const parts = response === undefined || err !== ERROR_CODE.ok ? [] : [response]
    this.#send(encodeFrame(header(xid, zxid, err), ...parts))
  }

  #send(frame: Buffer): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    this.#sentCount++
    this.#context.statistics.sent++
    if (this.#outgoing.length === 0) queueMicrotask(() => this.#flush())
    this.#outgoing.push(frame)
    this.#outgoingBytes += frame.length
  }

  #flush(): void {
    const frames = this.#outgoing
    this.#outgoing = []
    this.#outgoingBytes = 0
    if (frames.length === 0 || this.#socket.destroyed) return
    this.#socket.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames))
  }

  /** Ends the connection once the sent frames have left. */
  #finish(): void {
    this.#endSoon()
    this.#flush()
    this.#socket.end()
  }

  /** Takes no more requests, and ends the connection soon. */
  #endSoon(): void {
    this.#endingSince ??= this.#context.now()
    this.#waiting = []
    // A paused socket would never report that the client has ended its side.
    this.#socket.resume()
  }

  #end(error: unknown, what: string): void {
    const { counters, failures } = this.#context
    if (isHBaseError(error) && error.code === 'OVERLOADED') failures.failed(error, { action: 'closing' })
    else {
      counters.malformed()
      const reason = isProxyProtocol(this.#head) ? `it begins with ${PROXY_PROTOCOL}` : reasonOf(error)
      const message = `closing a ZooKeeper connection: ${what}: ${reason}`
      failures.malformed(what, message, { remote: this.#origin.address })
    }
    this.#socket.destroy()
  }
}

/** The answer to a client whose session has ended. */
const EXPIRED = { protocolVersion: 0, timeOut: 0, sessionId: 0n, passwd: Buffer.alloc(16), readOnly: false }

function header(xid: number, zxid: bigint, err: number): FramePart {
  return part(REPLY_HEADER, { xid, zxid, err })
}

/** The id of an answer. Pings and restored watches have fixed ids of their own. */
function answeredXid(asked: number, type: number): number {
  if (type === OP_CODE.ping) return SPECIAL_XID.ping
  return type === OP_CODE.setWatches || type === OP_CODE.setWatches2 ? SPECIAL_XID.setWatches : asked
}
