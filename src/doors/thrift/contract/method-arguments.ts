import { type ProtocolReader, WireType } from '../../../wire/thrift/protocol.ts'
import type { StructSchema } from '../../../wire/thrift/schema.ts'
import type { MethodCodec } from '../../../wire/thrift/service-codec.ts'
import { ValueCodecs } from '../../../wire/thrift/value-codec.ts'

/** The parts of a method that are needed to read its arguments. */
export interface MethodArguments {
  /** The service's name. */
  readonly service: string
  readonly codec: MethodCodec
  /** The wire type of each parameter, by its id. */
  readonly parameterTypes: ReadonlyMap<number, number>
  readonly requiredIds: readonly number[]
}

export function methodArguments(service: string, args: StructSchema, codec: MethodCodec): MethodArguments {
  const codecs = new ValueCodecs()
  return {
    service,
    codec,
    parameterTypes: new Map(args.fields.map(({ id, type }) => [id, codecs.of(type).wireType])),
    requiredIds: args.fields.filter((field) => field.requiredness === 'required').map((field) => field.id),
  }
}

/**
 * Chooses between methods of one name: the method whose parameters have the types of the arguments; else the one of the connection's last
 * service; else that of the first service. A method is ruled out where the call has its last required argument and lacks
 * another: Thrift 1's checkAndPut has no argument with the id of Thrift 2's qualifier. The reader stands before the arguments, and
 * does so again afterwards. Throws ThriftProtocolError.
 */
export function chooseMethod<Chosen extends MethodArguments>(
  methods: readonly Chosen[],
  reader: ProtocolReader,
  lastService: string | undefined,
): Chosen {
  const { position, depth } = reader
  const given = new Set<number>()
  let fitting = methods
  reader.readStructBegin()
  while (fitting.length > 1) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) break
    const id = reader.fieldId
    given.add(id)
    const better = fitting.filter((method) => method.parameterTypes.get(id) === type)
    if (better.length > 0) fitting = better
    reader.skip(type)
  }
  reader.rewind(position, depth)
  const meant = fitting.filter(({ requiredIds }) => !isHoled(requiredIds, given))
  const left = meant.length > 0 ? meant : fitting
  return left.find((method) => method.service === lastService) ?? left[0]!
}

function isHoled(requiredIds: readonly number[], given: ReadonlySet<number>): boolean {
  return given.has(requiredIds.at(-1) ?? -1) && requiredIds.some((id) => !given.has(id))
}
