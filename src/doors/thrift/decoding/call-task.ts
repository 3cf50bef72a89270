/** Runs in a thread: decodes the arguments of a large call of Thrift 1 or Thrift 2. */

import type { Limits } from '../../../gateway/limits/limits.ts'
import type { PartedTask } from '../../../gateway/requests/decoding/task.ts'
import { asBuffer } from '../../../model/moved-memory.ts'
import { BinaryReader } from '../../../wire/thrift/binary-reader.ts'
import { CompactReader } from '../../../wire/thrift/compact-reader.ts'
import { loadSchema } from '../../../wire/thrift/idl-files.ts'
import { type ArgumentsPart, moveArguments } from '../../../wire/thrift/moved-arguments.ts'
import {
  type ProtocolErrorKind,
  type ProtocolName,
  ThriftProtocolError,
} from '../../../wire/thrift/protocol.ts'
import { serviceCodec } from '../../../wire/thrift/service-codec.ts'
import type { ThriftObject } from '../../../wire/thrift/value-codec.ts'
import { chooseMethod, type MethodArguments, methodArguments } from '../contract/method-arguments.ts'

export type CallLimits = Pick<Limits, 'depthMax' | 'elementsMax'>

export interface CallInput {
  readonly call: Uint8Array<ArrayBuffer>
  readonly protocol: ProtocolName
  readonly lastService: string | undefined
  readonly limits: CallLimits
}

export interface CallOutput {
  /** Name of the service whose method is called. */
  readonly service: string
  /** The packed arguments (wire/thrift/moved-arguments.ts); absent where the bytes break the protocol. */
  readonly args?: unknown
  readonly error?: { readonly kind: ProtocolErrorKind; readonly message: string }
}

/** IDL and service, in the order of the door's services. */
const SERVICES = [
  ['thrift1', 'Hbase'],
  ['thrift2', 'THBaseService'],
] as const

let table: ReadonlyMap<string, readonly MethodArguments[]> | undefined

function methodsOf(name: string): readonly MethodArguments[] {
  table ??= argumentsTable()
  return table.get(name)!
}

function argumentsTable(): ReadonlyMap<string, readonly MethodArguments[]> {
  const byName = new Map<string, MethodArguments[]>()
  for (const [idl, service] of SERVICES) {
    const schema = loadSchema(idl).services.get(service)!
    const codecs = serviceCodec(schema)
    for (const { name, args } of schema.methods.values()) {
      const method = methodArguments(service, args, codecs.get(name)!)
      byName.set(name, [...(byName.get(name) ?? []), method])
    }
  }
  return byName
}

export function* task({
  call,
  protocol,
  lastService,
  limits: { depthMax, elementsMax },
}: CallInput): PartedTask<CallOutput, ArgumentsPart> {
  const bytes = asBuffer(call)
  const reader =
    protocol === 'binary' ? new BinaryReader(depthMax, elementsMax) : new CompactReader(depthMax, elementsMax)
  reader.reset(bytes, 0, bytes.length)
  const methods = methodsOf(reader.readMessageBegin())
  let method = methods[0]!
  let args: ThriftObject
  try {
    if (methods.length > 1) method = chooseMethod(methods, reader, lastService)
    args = method.codec.readArguments(reader)
  } catch (error) {
    if (!(error instanceof ThriftProtocolError)) throw error
    const { kind, message } = error
    return { value: { service: method.service, error: { kind, message } }, memory: [] }
  }
  const { value, memory } = yield* moveArguments(args, bytes)
  return { value: { service: method.service, args: value }, memory }
}
