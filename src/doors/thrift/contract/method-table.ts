import type { DoorCounters, RequestCounts } from '../../../gateway/observing/metrics.ts'
import type { MethodSchema, ServiceSchema } from '../../../wire/thrift/schema.ts'
import { type MethodCodec, serviceCodec } from '../../../wire/thrift/service-codec.ts'
import { type MethodArguments, methodArguments } from './method-arguments.ts'
import type { ThriftHandler, ThriftService } from './thrift-service.ts'

/** A service and its declaration in the IDL. */
export interface DeclaredService {
  readonly schema: ServiceSchema
  readonly service: ThriftService
}

/** A method of one of the services. */
export interface Method extends MethodArguments {
  readonly name: string
  readonly oneway: boolean
  readonly handler: ThriftHandler
  readonly exceptionOf: (method: string, error: unknown) => unknown
  readonly counts: RequestCounts
  /** The argument that has the id of an open scanner; undefined where the method has none. */
  readonly scannerArgument: string | undefined
}

/** The methods of all services by name. Methods of one name stand in the order of their services. */
export type MethodTable = ReadonlyMap<string, readonly Method[]>

/** Compiles the methods of all services. Throws where a service lacks a handler. */
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
  return {
    ...methodArguments(service.name, args, codec),
    name,
    oneway,
    handler: service.handlers[name]!,
    exceptionOf: service.exceptionOf ?? ((_, error): unknown => error),
    counts,
    scannerArgument: service.scannerArguments?.[name],
  }
}
