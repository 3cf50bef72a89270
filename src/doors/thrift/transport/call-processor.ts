import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { RequestLog } from '../../../gateway/observing/logs/access-log.ts'
import type { RequestFailures } from '../../../gateway/observing/logs/request-failures.ts'
import type { DoorCounters } from '../../../gateway/observing/metrics.ts'
import { type DecodeThreads, LARGE_BODY_BYTES } from '../../../gateway/requests/decoding/decode-threads.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { Output } from '../../../wire/thrift/output.ts'
import { type ProtocolName, ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import { RowResults } from '../../../wire/thrift/row-results.ts'
import { ApplicationError, isLargeValue, writeApplicationError } from '../../../wire/thrift/service-codec.ts'
import { ThriftException } from '../../../wire/thrift/thrift-exception.ts'
import type { ThriftObject } from '../../../wire/thrift/value-codec.ts'
import { chooseMethod } from '../contract/method-arguments.ts'
import type { Method, MethodTable } from '../contract/method-table.ts'
import type { CallLimits } from '../decoding/call-task.ts'
import { type DecodedCall, decodeCall } from '../decoding/decode-call.ts'
import type { CallProcessorParts } from './call-processor-parts.ts'
import type { Caller } from './caller.ts'
import type { ForwardedScans } from './forwarded-scans.ts'
import { settleLarge } from './large-reply.ts'
import { countDuration, type Message } from './message.ts'
import { NotedCaller } from './noted-caller.ts'
import { type Protocol, protocolsOf } from './protocols.ts'
import { LENGTH_BYTES, writeLengths } from './reply-lengths.ts'

/**
 * Runs calls: from the bytes of a message to the bytes of its reply. One reader and one writer of each protocol, and one output, serve all
 * connections. A message that is read or written in steps has its own.
 */
export class CallProcessor {
  readonly #methods: MethodTable
  readonly #counters: DoorCounters
  readonly failures: RequestFailures
  readonly #output = new Output()
  readonly #protocols: Readonly<Record<ProtocolName, Protocol>>
  readonly #limits: CallLimits
  readonly #memory: MemoryBudget
  readonly #decoding: DecodeThreads | undefined
  readonly access: RequestLog | undefined
  readonly #forwarding: ForwardedScans | undefined

  constructor(parts: CallProcessorParts) {
    const { methods, limits, memory, counters, failures, access, decoding, forwarding } = parts
    this.#memory = memory
    this.#forwarding = forwarding
    this.#methods = methods
    this.#limits = limits
    this.#decoding = decoding
    this.access = access
    this.#counters = counters
    this.failures = failures
    this.#protocols = protocolsOf(limits, this.#output)
  }

  /**
   * Runs the call of a message. `isAlone`: no other buffer uses the memory of the bytes, so that it may move to a thread. Throws
   * ThriftProtocolError for a message with an illegal head, and for one that ends too early.
   */
  call(bytes: Buffer, sender: Caller, isAlone: boolean): void {
    const since = performance.now()
    const { reader, writer } = this.#protocols[sender.protocol]
    reader.reset(bytes, 0, bytes.length)
    const name = reader.readMessageBegin()
    const access = this.access
    const caller = access === undefined ? sender : new NotedCaller(sender, access, name, bytes.length)
    const message: Message = { caller, writer, sequenceId: reader.sequenceId, since }
    const methods = this.#methods.get(name)
    if (methods === undefined) {
      this.#counters.malformed()
      const text = `Invalid method name: '${name}'`
      caller.settle(this.#applicationError(message, name, ApplicationError.UNKNOWN_METHOD, text))
      return
    }
    if (this.#decoding !== undefined && bytes.length >= LARGE_BODY_BYTES) {
      this.#callLarge(this.#decoding, message, methods, bytes, isAlone)
      return
    }
    let method = methods[0]!
    let args: ThriftObject
    try {
      if (methods.length > 1) method = chooseMethod(methods, reader, caller.session.lastService)
      args = method.codec.readArguments(reader)
    } catch (error) {
      if (!(error instanceof ThriftProtocolError) || error.kind === 'UNDERFLOW') throw error
      this.#counters.malformed(method.counts)
      caller.settle(this.#applicationError(message, name, ApplicationError.PROTOCOL_ERROR, error.message))
      return
    }
    caller.session.lastService = method.service
    const forwarding = this.#forwarding
    if (forwarding === undefined) this.#run(message, method, args)
    else {
      const run = (): void => this.#run(message, method, args)
      if (!forwarding.takes({ method, args, bytes, caller }, run)) run()
    }
  }

  #callLarge(
    decoding: DecodeThreads,
    message: Message,
    methods: readonly Method[],
    bytes: Buffer,
    isAlone: boolean,
  ): void {
    const { caller } = message
    const { protocol, session } = caller
    const { lastService } = session
    const takeMemory = (made: number): void => caller.takeMemory(made)
    decodeCall(decoding, { bytes, isAlone, protocol, lastService, limits: this.#limits, takeMemory }).then(
      (decoded) => this.#runDecoded(message, methods, decoded),
      (error: unknown) => {
        const { name } = methods[0]!
        caller.settle(this.#errorReply(message, this.#methodFor(name, caller)!, error))
      },
    )
  }

  #runDecoded(message: Message, methods: readonly Method[], { service, args, error }: DecodedCall): void {
    const { caller } = message
    const method = methods.find((each) => each.service === service) ?? methods[0]!
    if (args !== undefined) {
      caller.session.lastService = method.service
      this.#run(message, method, args)
    } else if (error.kind === 'UNDERFLOW') {
      caller.fail(error)
    } else {
      this.#counters.malformed(method.counts)
      caller.settle(
        this.#applicationError(message, method.name, ApplicationError.PROTOCOL_ERROR, error.message),
      )
    }
  }

  /** The reply to an illegal message; undefined where its head is illegal, too. */
  refusal(start: Buffer, caller: Caller, error: ThriftProtocolError): Buffer | undefined {
    const { reader, writer } = this.#protocols[caller.protocol]
    reader.reset(start, 0, start.length)
    try {
      const name = reader.readMessageBegin()
      const message: Message = { caller, writer, sequenceId: reader.sequenceId, since: performance.now() }
      return this.#applicationError(message, name, ApplicationError.PROTOCOL_ERROR, error.message)
    } catch {
      return undefined
    }
  }

  /**
   * The reply that refuses a message before it is read. At least its head must have come. Undefined where that is illegal.
   * `isFaultReported`: true where the error is logged already.
   */
  refuse(start: Buffer, caller: Caller, error: unknown, isFaultReported = false): Buffer | undefined {
    const { reader, writer } = this.#protocols[caller.protocol]
    reader.reset(start, 0, start.length)
    let name: string
    try {
      name = reader.readMessageBegin()
    } catch {
      return undefined
    }
    const { sequenceId } = reader
    const message: Message = { caller, writer, sequenceId, since: performance.now(), isFaultReported }
    const method = this.#methodFor(name, caller)
    if (method !== undefined) return this.#errorReply(message, method, error)
    return this.#applicationError(message, name, ApplicationError.INTERNAL_ERROR, String(error))
  }

  /** The method with this name, of the connection's last service if that has one. The arguments are not looked at. */
  #methodFor(name: string, { session }: Caller): Method | undefined {
    const methods = this.#methods.get(name)
    return methods?.find(({ service }) => service === session.lastService) ?? methods?.[0]
  }

  #run(message: Message, method: Method, args: ThriftObject): void {
    const { caller } = message
    caller.began?.(method.service, args)
    let result: unknown
    try {
      result = method.handler(args as never, caller.call)
    } catch (error) {
      caller.settle(this.#errorReply(message, method, error))
      return
    }
    if (!(result instanceof Promise)) {
      this.#succeed(message, method, result)
      return
    }
    void result.then(
      (value) => this.#succeed(message, method, value),
      (error: unknown) => caller.settle(this.#errorReply(message, method, error)),
    )
  }

  #succeed(message: Message, method: Method, value: unknown): void {
    if (isLargeValue(value)) {
      void settleLarge(message, method, value, this.#memory, (error) =>
        this.#errorReply(message, method, error),
      )
    } else message.caller.settle(this.#success(message, method, value))
  }

  #success(message: Message, method: Method, value: unknown): Buffer | undefined {
    if (method.oneway) {
      method.counts.ok++
      countDuration(message, method)
      return undefined
    }
    const before = this.#begin(message)
    try {
      method.codec.writeReply(message.writer, message.sequenceId, value)
      method.counts.ok++
      return this.#end(message)
    } catch (error) {
      this.#countFailure(method, error)
      this.#output.rewind(before)
      return this.#internalError(message, method, error)
    } finally {
      countDuration(message, method)
      if (value instanceof RowResults) value.release()
    }
  }

  #countFailure({ counts, service, name }: Method, error: unknown, isFaultReported = false): void {
    this.#counters.threw(counts, error)
    // A declared exception without a cause is the service's own answer, not a failure.
    if (isFaultReported || (error instanceof ThriftException && error.cause === undefined)) return
    this.failures.failed(error, { service, method: name })
  }

  /** The reply to a call whose handler has thrown an error. */
  #errorReply(message: Message, method: Method, cause: unknown): Buffer | undefined {
    const error = method.exceptionOf(method.name, cause)
    countDuration(message, method)
    message.caller.failed?.(error)
    this.#countFailure(method, error, message.isFaultReported)
    if (!(error instanceof ThriftException)) return this.#internalError(message, method, error)
    if (method.oneway) return undefined
    const before = this.#begin(message)
    try {
      if (method.codec.writeThrown(message.writer, message.sequenceId, error)) return this.#end(message)
    } catch (cause) {
      this.failures.failed(cause, { service: method.service, method: method.name })
      this.#output.rewind(before)
      return this.#internalError(message, method, cause)
    }
    this.#output.rewind(before)
    return this.#internalError(message, method, error)
  }

  /** The reply to an error that the IDL does not declare: a bug, or an HBaseError that HBase does not declare either. */
  #internalError(message: Message, method: Method, error: unknown): Buffer | undefined {
    const { name } = method
    if (method.oneway) return undefined
    const text = internalErrorText(name, error)
    return this.#applicationError(message, name, ApplicationError.INTERNAL_ERROR, text)
  }

  #applicationError(message: Message, name: string, type: number, text: string): Buffer {
    message.caller.refused?.()
    this.#begin(message)
    writeApplicationError(message.writer, name, message.sequenceId, type, text)
    return this.#end(message)
  }

  /** Begins a reply. Returns the position to rewind the output to. */
  #begin({ caller }: Message): number {
    const output = this.#output
    const { pending } = output
    const bytes = caller.lengths * LENGTH_BYTES
    output.reserve(bytes)
    output.length += bytes
    return pending
  }

  /** Logs a message that breaks the protocol. */
  logMalformed(
    { kind, message }: ThriftProtocolError,
    action: 'closing' | 'refused',
    protocol: ProtocolName,
  ): void {
    this.failures.malformed(kind, `${action}: ${message}`, { reason: kind, protocol })
  }

  /** Counts a message that is no call. */
  countMalformed(): void {
    this.#counters.malformed()
  }

  /** Takes back the memory of a sent reply that had a slab of its own. */
  giveBack(reply: Buffer): void {
    this.#output.giveBack(reply)
  }

  #end({ caller }: Message): Buffer {
    const reply = this.#output.take()
    writeLengths(reply, caller.lengths)
    return reply
  }
}

/** The message of an internal error. HBase sends only its first words. Tidegate adds the reason, as clients may show it to users. */
function internalErrorText(method: string, error: unknown): string {
  const reason = isHBaseError(error) ? `: ${error.javaClass}: ${error.message}` : ''
  return `Internal error processing ${method}${reason}`
}
