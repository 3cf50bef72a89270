import type { DecodeThreads } from '../../../gateway/requests/decoding/decode-threads.ts'
import { threadProgram } from '../../../gateway/requests/decoding/thread-program.ts'
import { alone } from '../../../model/moved-memory.ts'
import { type ArgumentsPart, ReceivedArguments } from '../../../wire/thrift/moved-arguments.ts'
import type { ProtocolName } from '../../../wire/thrift/protocol.ts'
import { ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import type { ThriftObject } from '../../../wire/thrift/value-codec.ts'
import type { CallInput, CallLimits, CallOutput } from './call-task.ts'

const TASK = threadProgram('./call-task', import.meta.url)

export interface LargeCall {
  /** The whole message. */
  readonly bytes: Buffer
  /** Nobody else uses the memory of the bytes. */
  readonly isAlone: boolean
  readonly protocol: ProtocolName
  readonly lastService: string | undefined
  readonly limits: CallLimits
  /** Takes memory for objects that are made of the message. Throws OVERLOADED. */
  readonly takeMemory: (bytes: number) => void
}

/** An object, number or view of bytes of an argument, with the part of a Get that a service makes of it. */
const VALUE_BYTES = 160

/** The arguments, or the error of bytes that break the protocol; and the service of the method that is meant. */
export type DecodedCall =
  | { readonly service: string; readonly args: ThriftObject; readonly error?: undefined }
  | { readonly service: string; readonly args?: undefined; readonly error: ThriftProtocolError }

/** Decodes a call of a method of idl/ in a thread. Throws as DecodeThreads.run, and as takeMemory. */
export async function decodeCall(
  threads: DecodeThreads,
  { bytes, isAlone, takeMemory, ...rest }: LargeCall,
): Promise<DecodedCall> {
  const call = isAlone ? alone(bytes) : new Uint8Array(bytes)
  const value: CallInput = { ...rest, call }
  const received = new ReceivedArguments()
  let refusal: unknown
  const output = await threads.run(TASK, { value, memory: [call.buffer] }, (moved) => {
    const part = moved as ArgumentsPart
    // The thread sends the other parts, too, which are dropped.
    if (refusal !== undefined) return
    try {
      if ('values' in part) takeMemory(part.values * VALUE_BYTES)
      received.take(part)
    } catch (error) {
      refusal = error
    }
  })
  if (refusal !== undefined) throw refusal
  const { service, args, error } = output as CallOutput
  if (error !== undefined) return { service, error: new ThriftProtocolError(error.kind, error.message) }
  return { service, args: received.finish(args) }
}
