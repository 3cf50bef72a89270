import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import { takeBytes } from '../../../gateway/connections/direct-reading.ts'
import { type Deadlines, PeerClock } from '../../../gateway/connections/peer-clock.ts'
import { isTooLarge, NoRoom } from '../../../gateway/limits/memory-line.ts'
import { AwaitedRoom } from '../../../gateway/requests/awaited-room.ts'
import { FrameTooLarge } from '../../../wire/rpc/frame-too-large.ts'
import { readCallId, readRequest } from '../../../wire/rpc/request-frame.ts'
import { LayerLine } from '../../../wire/sasl/layer-line.ts'
import type { SaslLayer } from '../../../wire/sasl/sasl.ts'
import { endWith } from '../answers/last-answer.ts'
import { TurnEnds } from '../answers/turn-ends.ts'
import { ProtectedOutput } from '../transport/protected-output.ts'
import { ReceivedFrames } from '../transport/received-frames.ts'
import { CallPace } from './call-pace.ts'
import { type Caller, Calls } from './calls.ts'
import { PREAMBLE_BYTES } from './connection-start.ts'
import { reportFatal, requestTooBig } from './fatal-errors.ts'
import { type Opened, Opening, type OpeningContext } from './opening.ts'

/** Unsent bytes of answers. From so many on, the connection begins no further call and reads nothing. */
const UNSENT_BYTES_MAX = 4 * 1024 * 1024

const turnEnds = new TurnEnds()

/** A client's connection. Its calls run at the same time, and each is answered once it has ended. */
export class Connection {
  readonly #socket: Socket
  readonly #context: OpeningContext
  readonly #frames: ReceivedFrames
  /** Undefined where the client's login has agreed on no protection: answers go to the socket. */
  #protected: ProtectedOutput | undefined
  readonly #clock: PeerClock
  readonly #pace = new CallPace()
  #turnIsDue = false
  readonly #turn = (): void => {
    this.#turnIsDue = false
    if (!this.#pace.turn(this.#running)) this.#awaitTurn()
    else if (this.#frames.length > 0 || this.#socket.isPaused()) this.#pump()
  }
  readonly #opening: Opening
  /** Undefined before the connection header has come. */
  #calls: Calls | undefined
  readonly #room: AwaitedRoom
  /** Number of calls received. */
  #received = 0
  #isClosing = false

  constructor(socket: Socket, context: OpeningContext, nowMs: number) {
    this.#socket = socket
    this.#context = context
    this.#clock = new PeerClock(nowMs)
    const { memory } = context
    this.#opening = new Opening(socket, context, this.#opened())
    this.#frames = new ReceivedFrames(memory, this.#opening.frameBytesMax, () => this.#pump())
    this.#room = new AwaitedRoom(socket, this.#frames, memory)
    takeBytes(socket, (chunk) => this.#receive(chunk))
    socket.on('drain', () => this.#pump())
    // HBase's server does the same: it does not wait for the calls that still run.
    socket.on('end', () => {
      this.#calls?.hangUp()
      this.close()
    })
    socket.on('close', () => {
      this.#isClosing = true
      this.#frames.clear()
      this.#opening.close()
    })
  }

  #opened(): Opened {
    return {
      send: (answer) => {
        if (!this.#isClosing) this.#output.write(answer)
      },
      protect: (layer) => this.#protect(layer),
      begin: (caller) => {
        if (!this.#isClosing) this.#beginCalls(caller)
      },
      goOn: () => this.#pump(),
      fail: (error) => this.#fatal(error),
      endWith: (answer) => {
        this.#isClosing = true
        void Promise.resolve(answer).then((last) => this.#finish(last))
      },
    }
  }

  /** Ends the connection if its client is late. Called regularly. */
  expire(nowMs: number, deadlines: Deadlines): void {
    const begun = this.#calls === undefined ? 'headers' : 'request'
    // True where a preamble has come and the connection header has not.
    const hasBegun = this.#calls === undefined && this.#opening.hasBegun
    const receives = this.#frames.length > 0 || hasBegun ? begun : 'nothing'
    const isRunning = this.#running > 0 || this.#frames.isReading
    const activity = { isRunning, calls: this.#received, receives } as const
    const lateness = this.#clock.lateness(nowMs, this.#socket, activity, deadlines)
    if (lateness === undefined) return
    this.#context.logger.debug({ unsent: this.#socket.writableLength }, `a client is late with ${lateness}`)
    this.#destroy()
  }

  #destroy(): void {
    // The socket's close is reported later: a login that ends until then must not go on.
    this.#isClosing = true
    this.#socket.destroy()
  }

  /** Takes no further call. Ends the connection once the running calls are answered. */
  close(): void {
    this.#isClosing = true
    this.#endIfDone()
  }

  get #output(): Socket | ProtectedOutput {
    return this.#protected ?? this.#socket
  }

  get #running(): number {
    return this.#calls?.running ?? 0
  }

  get #mayGoOn(): boolean {
    if (this.#opening.isWaiting || this.#frames.isReading) return false
    return this.#output.writableLength < UNSENT_BYTES_MAX && this.#pace.mayBegin(this.#running)
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    if (!this.#room.keeps(chunk) && this.#take(chunk)) this.#pump()
  }

  /** Queues the chunk; without one, keeps the memory of the bytes that wait. False where the connection ends, or must wait for memory. */
  #take(chunk?: Buffer): boolean {
    try {
      if (chunk === undefined) this.#frames.keep()
      else this.#frames.push(chunk)
      return true
    } catch (error) {
      return this.#goesOnAfter(error, chunk) && this.#take(chunk)
    }
  }

  /** Reacts to missing memory, `chunk` being the one that there is none for. True where the same may be tried again at once. */
  #goesOnAfter(error: unknown, chunk?: Buffer): boolean {
    if (isTooLarge(error)) return this.#refuseFirst(error)
    if (error instanceof NoRoom) this.#awaitRoom(error, chunk)
    else this.#fatal(error)
    return false
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
        if (this.#opening.hasPreamble ? !this.#takeFrame() : !this.#takePreamble()) break
        if (this.#isClosing) return
      }
    } catch (error) {
      if (this.#goesOnAfter(this.#ofCall(error))) this.#pump()
      return
    }
    if (!this.#take() || this.#isClosing) return
    if (!this.#mayGoOn) this.#socket.pause()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  /** The error of a request that is too big is answered by its call id. */
  #ofCall(error: unknown): unknown {
    if (!(error instanceof FrameTooLarge) || this.#calls === undefined) return error
    return requestTooBig(error, this.#calls.release)
  }

  /** False where the preamble has not come whole, or the connection ends. */
  #takePreamble(): boolean {
    const bytes = this.#frames.preamble(PREAMBLE_BYTES)
    return bytes !== undefined && this.#opening.takePreamble(bytes)
  }

  #takeFrame(): boolean {
    const frame = this.#frames.next(this.#calls !== undefined)
    if (frame === undefined) return false
    if (this.#calls === undefined) this.#opening.takeFrame(frame)
    else {
      const request = readRequest(frame, 0, frame.length)
      this.#received++
      this.#pace.began()
      this.#awaitTurn()
      this.#calls.begin(request, frame, this.#room.takeGrant())
    }
    return true
  }

  #protect(layer: SaslLayer): void {
    const { memory, limits, logger } = this.#context
    const line = new LayerLine(layer)
    this.#frames.protect(line, limits.requestBytesMax)
    if (this.#protected !== undefined) {
      this.#protected.line = line
      return
    }
    this.#protected = new ProtectedOutput(this.#socket, line, memory, {
      drained: () => this.#pump(),
      failed: (error) => {
        logger.warn({ err: error }, 'an answer could not be protected: its connection ends')
        this.#destroy()
      },
    })
  }

  #beginCalls(caller: Caller): void {
    this.#frames.bytesMax = this.#context.limits.requestBytesMax
    const connection = { socket: this.#socket, output: this.#output }
    this.#calls = new Calls(connection, this.#context, caller, this.#pace, () => {
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
    this.#finish(this.#opening.refusalOf(error))
  }

  #endIfDone(): void {
    if (this.#isClosing && this.#running === 0) this.#finish()
  }

  /** Sends a last answer, if there is one, and ends the connection. */
  #finish(answer?: Buffer): void {
    this.#calls?.flush()
    this.#frames.clear()
    if (this.#protected === undefined) endWith(this.#socket, answer)
    else this.#protected.end(answer)
  }
}
