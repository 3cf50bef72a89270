import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import type { RequestLog } from '../../../gateway/observing/logs/access-log.ts'
import type { RequestFailures } from '../../../gateway/observing/logs/request-failures.ts'
import type { DoorCounters, RequestCounts } from '../../../gateway/observing/metrics.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { ElementCount } from '../../../model/decode-limits.ts'
import { HBaseError } from '../../../model/errors.ts'
import { HandedOver } from '../../../model/handed-over.ts'
import type { Call } from '../../../store/call.ts'
import { MalformedMessage, MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { RequestFrame } from '../../../wire/rpc/request-frame.ts'
import { readyAnswer } from '../answers/answer-room.ts'
import { AnswerWriter } from '../answers/answer-writer.ts'
import type { ClientOutput } from '../answers/client-output.ts'
import { bytesOfLarge, isLarge, type PackedAnswer } from '../answers/packed-answer.ts'
import type { ClientRelease } from '../contract/client-release.ts'
import { LARGE_BYTES, type RpcAnswer, type RpcHandler, type RpcMethods } from '../contract/rpc-service.ts'
import { unknownMethod } from '../messages/exceptions.ts'
import { takeForCall } from './call-memory.ts'
import type { CallPace } from './call-pace.ts'
import type { ClientIdentity } from './connection-start.ts'
import type { Forwarding } from './forwarded-calls.ts'
import { NotedCall } from './noted-call.ts'
import { receivedCells } from './received-cells.ts'

const NO_LIMIT = Number.POSITIVE_INFINITY

export interface CallsContext {
  /** The port's name in logs and in the settings of TLS. */
  readonly door: string
  readonly limits: Limits
  readonly memory: MemoryBudget
  readonly counters: DoorCounters
  readonly failures: RequestFailures
  readonly access?: RequestLog | undefined
  /** Hands calls on to sibling processes; undefined where the server is one process. */
  readonly forwarding?: Forwarding | undefined
  readonly logger: Logger
}

/** The client of a connection, and the methods of the service that it has chosen. */
export interface Caller {
  readonly identity: ClientIdentity
  readonly methods: RpcMethods
  /** The connection header as received; undefined where no call is forwarded. */
  readonly header?: Buffer | undefined
}

/** The ends of a connection: the socket, and the way of answers to it. */
export interface CallsConnection {
  readonly socket: Socket
  readonly output: ClientOutput
}

/** State that all calls of one method share. */
interface Method {
  /** Undefined where the service has no such method. */
  readonly handler: RpcHandler | undefined
  readonly name: string
  readonly counts: RequestCounts
}

/** A call that has begun and has no answer yet. */
interface Running {
  readonly callId: number
  readonly method: Method
  readonly since: number
  readonly grant: MemoryGrant
  readonly noted: NotedCall | undefined
}

/** Runs the calls of a connection: from their frames to their answers. */
export class Calls {
  running = 0
  readonly #context: CallsContext
  readonly #caller: Caller
  readonly #pace: CallPace
  readonly #onAnswer: () => void
  readonly #socketCall: SocketCall
  readonly #call: Call
  readonly #writer: AnswerWriter
  readonly #methods = new Map<string, Method>()

  /** `pace` gets the length of each answer. `onAnswer` is called after each call has ended. */
  constructor(
    { socket, output }: CallsConnection,
    context: CallsContext,
    caller: Caller,
    pace: CallPace,
    onAnswer: () => void,
  ) {
    this.#context = context
    this.#caller = caller
    this.#pace = pace
    this.#onAnswer = onAnswer
    this.#socketCall = SocketCall.of(socket)
    const { user, realUser, compressor, takesTags: withTags } = caller.identity
    this.#writer = new AnswerWriter(output, context.memory, compressor)
    const { call } = this.#socketCall
    // Where clients must log in, the user that the connection header states does not count.
    const isStated = user !== undefined && call.principal === undefined
    const principal = isStated ? { user, realUser } : call.principal
    this.#call = isStated || withTags ? { ...call, principal, withTags } : call
  }

  /** Cancels the running calls: the client has hung up. */
  hangUp(): void {
    this.#socketCall.hangUp()
  }

  /** Begins a call. Never throws. `bytes`: the whole frame. `grant`: holds the memory of the call. */
  begin(frame: RequestFrame, bytes: Buffer, grant: MemoryGrant): void {
    const { access, forwarding } = this.#context
    this.running++
    const running: Running = {
      callId: frame.callId,
      method: this.#methodOf(frame.method),
      since: performance.now(),
      grant,
      noted: access && this.#note(access, frame, bytes),
    }
    if (forwarding !== undefined) void this.#forward(forwarding, frame, bytes, running)
    else this.#answer(frame, bytes, running)
  }

  get release(): ClientRelease {
    return this.#caller.identity.release
  }

  /** Answers a call with an error before it has begun. */
  refuse(callId: number, error: unknown): void {
    this.#context.failures.failed(error, {})
    this.#writer.exception(callId, error)
    this.#writer.flushSoon()
  }

  /** Sends the waiting answers now. */
  flush(): void {
    this.#writer.flush()
  }

  #methodOf(name: string): Method {
    const known = this.#methods.get(name)
    if (known !== undefined) return known
    const { identity, methods } = this.#caller
    const handler = methods.get(name)
    // A name that a client has made up must not become a label of a metric.
    const label = handler === undefined ? 'unknown' : name
    const counts = this.#context.counters.request(identity.service, label)
    const method = { handler, name: label, counts }
    if (handler !== undefined) this.#methods.set(name, method)
    return method
  }

  #note(access: RequestLog, frame: RequestFrame, buffer: Buffer): NotedCall {
    const { door } = this.#context
    return new NotedCall(access, door, this.#call, this.#caller.identity.service, frame, buffer)
  }

  /** Adds one reaction to the handler's own promise. Each further layer took some percent of a small call. */
  #answer(frame: RequestFrame, buffer: Buffer, running: Running): void {
    this.#run(frame, buffer, running).then(
      (answer) => {
        if (bytesOfLarge(answer) > LARGE_BYTES) void this.#answerLarge(new HandedOver(answer), running)
        else if (isLarge(answer)) void this.#answerInSteps(answer, running)
        else this.#answered(answer, running)
      },
      (error: unknown) => this.#failed(error, running),
    )
  }

  /** Answers a call once its large answer has memory. */
  async #answerLarge(answer: HandedOver<RpcAnswer>, running: Running): Promise<void> {
    let made: PackedAnswer
    try {
      const { compressor } = this.#caller.identity
      made = await readyAnswer(answer, running.grant, { gone: this.#call.signal, compressor })
    } catch (error) {
      this.#failed(error, running)
      return
    }
    if (isLarge(made)) void this.#answerInSteps(made, running)
    else this.#answered(made, running)
  }

  async #answerInSteps(answer: PackedAnswer, running: Running): Promise<void> {
    this.#pace.expects(bytesOfLarge(answer))
    try {
      this.#written(await this.#writer.inSteps(running.callId, answer), running)
    } catch (error) {
      this.#failed(error, running)
    }
  }

  #answered(answer: PackedAnswer, running: Running): void {
    let written: number
    try {
      written = this.#writer.answer(running.callId, answer)
    } catch (error) {
      this.#failed(error, running)
      return
    }
    this.#written(written, running)
  }

  #written(written: number, running: Running): void {
    const { method, since, noted } = running
    method.counts.ok++
    method.counts.latencies.add(performance.now() - since)
    noted?.end(written, undefined)
    this.#ended(written, running)
  }

  #failed(error: unknown, { callId, method, since, grant, noted }: Running): void {
    const { counters, failures } = this.#context
    const { counts, name } = method
    counts.latencies.add(performance.now() - since)
    if (error instanceof MalformedMessage) counters.malformed(counts)
    else {
      counters.threw(counts, error)
      failures.failed(error, { service: this.#caller.identity.service, method: name })
    }
    const written = this.#writer.exception(callId, error)
    noted?.end(written, error)
    this.#ended(0, { grant })
  }

  /** `length`: of the answer. */
  #ended(length: number, { grant }: Pick<Running, 'grant'>): void {
    this.running--
    grant.release()
    this.#writer.flushSoon()
    this.#pace.answered(length)
    this.#onAnswer()
  }

  /** Hands the call on to the sibling that has its scanner or procedure, and counts nothing then. Other calls are answered here. */
  async #forward(
    forwarding: Forwarding,
    frame: RequestFrame,
    buffer: Buffer,
    running: Running,
  ): Promise<void> {
    let answer: Buffer | undefined
    try {
      const { memory } = this.#context
      await takeForCall(running.grant, buffer, memory, this.#call.signal)
      const { header, identity } = this.#caller
      const address = forwarding.addressOf(frame, buffer, identity.service)
      if (address !== undefined && header !== undefined)
        answer = await forwarding.ask(address, header, buffer, this.#call)
      // The sibling may have made the change that the call asks for.
      if (answer === undefined && address !== undefined && this.#call.signal?.aborted === true)
        throw new HBaseError('CALLER_GONE', 'the client has hung up')
    } catch (error) {
      this.#failed(error, running)
      return
    }
    if (answer === undefined) {
      this.#answer(frame, buffer, running)
      return
    }
    const written = this.#writer.encoded(answer)
    running.noted?.end(written, undefined)
    this.#ended(written, running)
  }

  /** Takes the memory of the call, unless #forward has taken it, then runs the call. */
  #run(frame: RequestFrame, buffer: Buffer, running: Running): Promise<RpcAnswer> {
    const { grant } = running
    const waits =
      grant.bytes === 0 ? takeForCall(grant, buffer, this.#context.memory, this.#call.signal) : undefined
    return waits === undefined
      ? this.#runNow(frame, buffer, running)
      : waits.then(() => this.#runNow(frame, buffer, running))
  }

  #runNow(frame: RequestFrame, buffer: Buffer, { method, grant, noted }: Running): Promise<RpcAnswer> {
    try {
      const { limits } = this.#context
      const { handler } = method
      if (handler === undefined) throw unknownMethod(frame.method)
      if (frame.parameter === undefined) {
        throw new HBaseError('DO_NOT_RETRY', 'Invalid request header: should have param set in it')
      }
      const { start, end } = frame.parameter
      const { compressor, takesCellBlocks, takesTags, release } = this.#caller.identity
      const call = this.#callOf(frame, noted?.trace, grant)
      const received = receivedCells(frame.cells, compressor, { limits, grant })
      const takeMemory = (bytes: number): void => grant.take(bytes, 'what the call has')
      const elements = buffer.length >= LARGE_BYTES ? new ElementCount(limits, takeMemory) : undefined
      const parameter = new MessageReader(buffer, start, end, elements)
      const run = (cells: CellBlock): Promise<RpcAnswer> =>
        handler({ parameter, cells, call, takesCellBlocks, takesTags, release })
      return received instanceof CellBlock ? run(received) : received.then(run)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #callOf(
    { timeoutMs = 0, priority = 0 }: RequestFrame,
    trace: string | undefined,
    grant: MemoryGrant,
  ): Call {
    const isSmall = grant.bytes === 0 && grant.waits === undefined
    if (timeoutMs === 0 && priority === 0 && trace === undefined && isSmall) return this.#call
    const deadline = timeoutMs > 0 ? Date.now() + timeoutMs : NO_LIMIT
    return { ...this.#call, deadline, priority, trace, memory: grant }
  }
}
