import type { DoorCounters, RequestCounts } from '../../../gateway/metrics.ts'
import { type ProtocolReader, WireType } from '../../../wire/thrift/protocol.ts'
import type { MethodSchema, ServiceSchema } from '../../../wire/thrift/schema.ts'
import { type MethodCodec, serviceCodec } from '../../../wire/thrift/service-codec.ts'
import { ValueCodecs } from '../../../wire/thrift/value-codec.ts'
import type { ThriftHandler, ThriftService } from '../thrift-service.ts'

/** A service and its declaration in the IDL. */
export interface DeclaredService {
  readonly schema: ServiceSchema
  readonly service: ThriftService
}

/** A method of one of the services. */
export interface Method {
  readonly name: string
  /** The service's name. */
  readonly service: string
  readonly oneway: boolean
  readonly codec: MethodCodec
  readonly handler: ThriftHandler
  readonly exceptionOf: (method: string, error: unknown) => unknown
  readonly counts: RequestCounts
  /** The wire type of each parameter, by its id. */
  readonly parameterTypes: ReadonlyMap<number, number>
  readonly requiredIds: readonly number[]
}

/** The methods of all services by name. Methods of one name stand in the order of their services. */
export type MethodTable = ReadonlyMap<string, readonly Method[]>

/** Throws where a service lacks a handler. */
export function methodTable(services: readonly DeclaredService[], counters: DoorCounters): MethodTable {
  const table = new Map<string, Method[]>()
  for (const { schema, service } of services) {
    const codecs = serviceCodec(schema)
    for (const declared of schema.methods.values()) {
      if (service.handlers[declared.name] === undefined)
        throw new TypeError(`${schema.name} has no handler of ${declared.name}`)
      const counts = counters.request(schema.name, declared.name)
      const method = compileMethod(declared, service, codecs.get(declared.name)!, counts)
      const namesakes = table.get(declared.name)
      if (namesakes === undefined) table.set(declared.name, [method])
      else namesakes.push(method)
    }
  }
  return table
}

function compileMethod(
  { name, oneway, args }: MethodSchema,
  service: ThriftService,
  codec: MethodCodec,
  counts: RequestCounts,
): Method {
  const codecs = new ValueCodecs()
  return {
    name,
    service: service.name,
    oneway,
    codec,
    handler: service.handlers[name]!,
    exceptionOf: service.exceptionOf ?? ((_, error): unknown => error),
    counts,
    parameterTypes: new Map(args.fields.map(({ id, type }) => [id, codecs.of(type).wireType])),
    requiredIds: args.fields.filter((field) => field.requiredness === 'required').map((field) => field.id),
  }
}

/**
 * Chooses between methods of one name: the method that the arguments' types fit; else the one of the connection's last
 * service; else that of the first service. A method is not meant where the call has its last required argument and lacks
 * another: Thrift 1's checkAndPut leaves out the id of Thrift 2's qualifier. The reader stands before the arguments, also
 * afterwards. Throws ThriftProtocolError.
 */
export function chooseMethod(
  methods: readonly Method[],
  reader: ProtocolReader,
  lastService: string | undefined,
): Method {
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
