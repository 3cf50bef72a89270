import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import { takeBytes } from '../../../gateway/connections/direct-reading.ts'
import { type Deadlines, PeerClock } from '../../../gateway/connections/peer-clock.ts'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { isTooLarge, NoRoom } from '../../../gateway/limits/memory-line.ts'
import { AwaitedRoom } from '../../../gateway/requests/awaited-room.ts'
import { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { FrameTooLarge } from '../../../wire/rpc/frame-too-large.ts'
import { readCallId, readRequest } from '../../../wire/rpc/request-frame.ts'
import { TurnEnds } from '../answers/turn-ends.ts'
import type { RpcServices } from '../contract/rpc-service.ts'
import { CallPace } from './call-pace.ts'
import { type Caller, Calls, type CallsContext } from './calls.ts'
import {
  Beginning,
  type ClientIdentity,
  clusterIdAnswer,
  loadService,
  PREAMBLE_BYTES,
  readIdentity,
  refusalOf,
} from './connection-start.ts'
import { reportFatal, requestTooBig } from './fatal-errors.ts'
import { endWith } from './last-answer.ts'
import { RequestFrames } from './request-frames.ts'
import { RpcLogin, refusedLogin, STRANGER_BYTES_MAX, saslRefusal } from './rpc-login.ts'

/** Unsent bytes of answers. From so many on, the connection begins no further call and reads nothing. */
const UNSENT_BYTES_MAX = 4 * 1024 * 1024

const turnEnds = new TurnEnds()

export interface ConnectionContext extends CallsContext {
  readonly services: RpcServices
  readonly clusterId: () => Promise<string>
  /** As in DoorContext. */
  readonly guard?: Guard | undefined
}

/** A client's connection. Its calls run at the same time, and each is answered once it has ended. */
export class Connection {
  readonly #socket: Socket
  readonly #context: ConnectionContext
  readonly #queue: ByteQueue
  readonly #frames: RequestFrames
  readonly #clock: PeerClock
  readonly #pace = new CallPace()
  #turnIsDue = false
  readonly #turn = (): void => {
    this.#turnIsDue = false
    if (!this.#pace.turn(this.#running)) this.#awaitTurn()
    else if (this.#queue.length > 0 || this.#socket.isPaused()) this.#pump()
  }
  readonly #beginning = new Beginning()
  /** Undefined where clients need not log in. */
  readonly #login: RpcLogin | undefined
  /** True while the client's login is checked, or its service is loaded. Nothing is read meanwhile. */
  #isWaiting = false
  /** Undefined before the connection header has come. */
  #calls: Calls | undefined
  readonly #room: AwaitedRoom
  /** Number of calls received. */
  #received = 0
  #isClosing = false

  constructor(socket: Socket, context: ConnectionContext, nowMs: number) {
    this.#socket = socket
    this.#context = context
    this.#clock = new PeerClock(nowMs)
    this.#queue = new ByteQueue(context.memory)
    this.#room = new AwaitedRoom(socket, this.#queue, context.memory)
    const { guard, limits } = context
    this.#login = guard && new RpcLogin(guard, socket, context.door)
    const bytesMax = guard === undefined ? limits.requestBytesMax : STRANGER_BYTES_MAX
    this.#frames = new RequestFrames(this.#queue, bytesMax)
    takeBytes(socket, (chunk) => this.#receive(chunk))
    socket.on('drain', () => this.#pump())
    // HBase's server does the same: it does not wait for the calls that still run.
    socket.on('end', () => {
      this.#calls?.hangUp()
      this.close()
    })
    socket.on('close', () => {
      this.#isClosing = true
      this.#queue.clear()
    })
  }

  /** Ends the connection if its client is late. Called regularly. */
  expire(nowMs: number, deadlines: Deadlines): void {
    const begun = this.#calls === undefined ? 'headers' : 'request'
    // True where a preamble has come and the connection header has not.
    const hasBegun = this.#calls === undefined && this.#beginning.hasBegun
    const receives = this.#queue.length > 0 || hasBegun ? begun : 'nothing'
    const activity = { isRunning: this.#running > 0, calls: this.#received, receives } as const
    const lateness = this.#clock.lateness(nowMs, this.#socket, activity, deadlines)
    if (lateness === undefined) return
    this.#context.logger.debug({ unsent: this.#socket.writableLength }, `a client is late with ${lateness}`)
    this.#socket.destroy()
  }

  /** Takes no further call. Ends the connection once the running calls are answered. */
  close(): void {
    this.#isClosing = true
    this.#endIfDone()
  }

  get #running(): number {
    return this.#calls?.running ?? 0
  }

  get #mayGoOn(): boolean {
    if (this.#isWaiting) return false
    return this.#socket.writableLength < UNSENT_BYTES_MAX && this.#pace.mayBegin(this.#running)
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    if (!this.#room.keeps(chunk) && this.#take(chunk)) this.#pump()
  }

  /** Queues the chunk; without one, keeps the memory of the bytes that wait. False where the connection ends, or must wait for memory. */
  #take(chunk?: Buffer): boolean {
    try {
      if (chunk === undefined) this.#queue.keep()
      else this.#queue.push(chunk)
      return true
    } catch (error) {
      if (error instanceof NoRoom) this.#awaitRoom(error, chunk)
      else if (!isTooLarge(error)) this.#fatal(error)
      else if (this.#refuseFirst(error)) return this.#take(chunk)
      return false
    }
  }

  /** Reads nothing until other requests have given memory back. After a wait in vain, the first request is refused by its call id. */
  #awaitRoom(refusal: NoRoom, chunk: Buffer | undefined): void {
    void this.#room.after(refusal, chunk, ({ room, chunks }) => {
      if (room === 'gone') this.#leave()
      if (this.#isClosing || (room === 'refused' && !this.#refuseFirst(refusal))) return
      for (const waited of chunks) this.#receive(waited)
      if (!this.#room.isWaiting) this.#pump()
    })
  }

  /** Ends the connection of a client that does not wait for its answers. */
  #leave(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#finish()
  }

  /** Answers the first request in the queue with the error, and drops it. False where that has ended the connection. */
  #refuseFirst(error: unknown): boolean {
    try {
      const begun = this.#frames.skip()
      if (this.#calls === undefined || begun === undefined) throw error
      this.#calls.refuse(readCallId(begun), error)
      return true
    } catch (cause) {
      this.#fatal(cause)
      return false
    }
  }

  /** Begins calls as long as any have come and the connection may begin more. */
  #pump(): void {
    if (this.#isClosing || this.#room.isWaiting) return
    try {
      while (this.#mayGoOn) {
        if (this.#beginning.hasPreamble ? !this.#takeFrame() : !this.#takePreamble()) break
        if (this.#isClosing) return
      }
    } catch (error) {
      if (!(error instanceof FrameTooLarge) || this.#calls === undefined) this.#fatal(error)
      else if (this.#refuseFirst(requestTooBig(error, this.#calls.release))) this.#pump()
      return
    }
    if (!this.#take() || this.#isClosing) return
    if (!this.#mayGoOn) this.#socket.pause()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  /** False where the preamble has not come whole, or the connection ends. */
  #takePreamble(): boolean {
    if (this.#queue.length < PREAMBLE_BYTES) return false
    const outcome = this.#beginning.take(this.#queue.take(PREAMBLE_BYTES), this.#login?.answersSasl)
    if (outcome.kind === 'registry') {
      this.#isClosing = true
      this.#context.clusterId().then(
        (id) => this.#finish(clusterIdAnswer(id)),
        (error: unknown) => this.#finish(refusalOf(error)),
      )
      return false
    }
    if (outcome.kind === 'go on') this.#login?.byCertificate()
    if (outcome.answer !== undefined) this.#socket.write(outcome.answer)
    return true
  }

  #takeFrame(): boolean {
    const frame = this.#frames.next(this.#calls !== undefined)
    if (frame === undefined) return false
    const beginning = this.#beginning
    if (beginning.skipsFrame) beginning.skipsFrame = false
    else if (beginning.wantsSasl) void this.#logIn(this.#login!, frame)
    else if (this.#calls === undefined) this.#takeHeader(frame)
    else {
      const request = readRequest(frame, 0, frame.length)
      this.#received++
      this.#pace.began()
      this.#awaitTurn()
      this.#calls.begin(request, frame, this.#room.takeGrant())
    }
    return true
  }

  async #logIn(login: RpcLogin, message: Buffer): Promise<void> {
    this.#beginning.wantsSasl = false
    try {
      await this.#waitingFor(login.byPassword(message))
      this.#pump()
    } catch (error) {
      this.#isClosing = true
      this.#finish(saslRefusal(error))
    }
  }

  /** Waits for `work`, and takes nothing from the client meanwhile. */
  #waitingFor<T>(work: Promise<T>): Promise<T> {
    this.#isWaiting = true
    return work.finally(() => (this.#isWaiting = false))
  }

  #takeHeader(frame: Buffer): void {
    const identity = readIdentity(frame)
    const { forwarding, services } = this.#context
    const header = forwarding && Buffer.from(frame)
    const methods = this.#login === undefined ? loadService(services, identity) : undefined
    if (methods === undefined || methods instanceof Promise) void this.#welcome(identity, header)
    else this.#beginCalls({ identity, methods, header })
  }

  /** Finds the client's user where clients must log in, loads the service that it names, then begins its calls. */
  async #welcome(identity: ClientIdentity, header: Buffer | undefined): Promise<void> {
    try {
      const { services, limits } = this.#context
      if (this.#login !== undefined)
        SocketCall.loggedIn(this.#socket, await this.#waitingFor(this.#login.userOf(identity)))
      this.#frames.bytesMax = limits.requestBytesMax
      const methods = await this.#waitingFor(Promise.resolve(loadService(services, identity)))
      if (this.#isClosing) return
      this.#beginCalls({ identity, methods, header })
      this.#pump()
    } catch (error) {
      this.#fatal(refusedLogin(error))
    }
  }

  #beginCalls(caller: Caller): void {
    this.#calls = new Calls(this.#socket, this.#context, caller, this.#pace, () => {
      if (this.#isClosing) this.#endIfDone()
      else if (this.#socket.isPaused()) this.#pump()
    })
  }

  #awaitTurn(): void {
    if (this.#turnIsDue) return
    this.#turnIsDue = true
    turnEnds.add(this.#turn)
  }

  /** Sends an error that belongs to no call, and ends the connection. */
  #fatal(error: unknown): void {
    if (this.#isClosing) return
    this.#isClosing = true
    reportFatal(this.#context, error, ConnectionOrigin.of(this.#socket).address)
    this.#finish(refusalOf(error))
  }

  #endIfDone(): void {
    if (this.#isClosing && this.#running === 0) this.#finish()
  }

  /** Sends a last answer, if there is one, and ends the connection. */
  #finish(answer?: Buffer): void {
    this.#calls?.flush()
    this.#queue.clear()
    endWith(this.#socket, answer)
  }
}
