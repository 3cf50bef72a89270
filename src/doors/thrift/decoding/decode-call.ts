import type { DecodeThreads } from '../../../gateway/requests/decoding/decode-threads.ts'
import { threadProgram } from '../../../gateway/requests/decoding/thread-program.ts'
import { alone } from '../../../model/moved-memory.ts'
import { type ArgumentsPart, ReceivedArguments } from '../../../wire/thrift/moved-arguments.ts'
import { type ProtocolName, ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import type { ThriftObject } from '../../../wire/thrift/value-codec.ts'
import type { CallInput, CallLimits, CallOutput } from './call-task.ts'

const TASK = threadProgram('./call-task', import.meta.url)

export interface LargeCall {
  /** The whole message. */
  readonly bytes: Buffer
  /** True where no other buffer uses the memory of the bytes: it may then move to the thread. */
  readonly isAlone: boolean
  readonly protocol: ProtocolName
  readonly lastService: string | undefined
  readonly limits: CallLimits
  /** Takes memory for the objects made of the message. Throws OVERLOADED. */
  readonly takeMemory: (bytes: number) => void
}

/** Bytes of memory for an object, number or view of bytes in an argument, and for the part of a Get that a service makes of it. */
const VALUE_BYTES = 160

/** The arguments, or the error where the bytes break the protocol; with the name of the service whose method is called. */
export type DecodedCall =
  | { readonly service: string; readonly args: ThriftObject; readonly error?: undefined }
  | { readonly service: string; readonly args?: undefined; readonly error: ThriftProtocolError }

/** Decodes a call of a method of idl/ in a thread. Rejects as DecodeThreads.run does, and with the errors of `takeMemory`. */
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
    // After a refusal, the thread still sends its other parts: drop them.
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
