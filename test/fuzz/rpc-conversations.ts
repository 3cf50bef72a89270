/** Connections of clients of native RPC: a request of each method of each service, every field of it set. */

import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescService,
  type Message,
  type MessageInitShape,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import { EMPTY } from '../../src/model/bytes.ts'
import { encodeConnectionStart } from '../../src/wire/rpc/connection-preamble.ts'
import { AdminService } from '../../src/wire/rpc/gen/admin_pb.ts'
import { AggregateService } from '../../src/wire/rpc/gen/aggregate_pb.ts'
import { ClientService } from '../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../src/wire/rpc/gen/hbase_pb.ts'
import { HbckService } from '../../src/wire/rpc/gen/hbck_pb.ts'
import { MasterService } from '../../src/wire/rpc/gen/master_pb.ts'
import { MultiRowMutationService } from '../../src/wire/rpc/gen/multi-row-mutation_pb.ts'
import { ClientMetaService, ConnectionRegistryService } from '../../src/wire/rpc/gen/registry_pb.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'

const SERVICES: readonly DescService[] = [
  ClientService,
  AdminService,
  MasterService,
  HbckService,
  ClientMetaService,
  ConnectionRegistryService,
]
/** Called through ExecService. */
const ENDPOINTS: readonly DescService[] = [AggregateService, MultiRowMutationService]
/** Messages hold messages of their own kind: filters hold filters. */
const DEPTH_MAX = 4

const LONGS: readonly ScalarType[] = [ScalarType.INT64, ScalarType.UINT64, ScalarType.FIXED64]

function scalar(type: ScalarType): string | number | bigint | boolean | Uint8Array {
  if (type === ScalarType.STRING) return 'healthy'
  if (type === ScalarType.BYTES) return Buffer.from('healthy')
  if (type === ScalarType.BOOL) return true
  return LONGS.includes(type) ? 7n : 1
}

function numberOf({ values }: DescEnum): number {
  return values.at(-1)!.number
}

function valueOf(field: DescField, depth: number): unknown {
  const kind = field.fieldKind === 'list' ? field.listKind : field.fieldKind
  if (kind === 'scalar') return scalar(field.scalar!)
  if (kind === 'enum') return numberOf(field.enum!)
  const isMade = depth < DEPTH_MAX || field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED
  return kind === 'message' && isMade ? example(field.message!, depth + 1) : undefined
}

/** A message with a value in each field, as deep as it may be. */
function example(type: DescMessage, depth = 0): Message {
  const fields = type.fields.map((field): [string, unknown] => {
    const value = valueOf(field, depth)
    return [field.localName, field.fieldKind === 'list' && value !== undefined ? [value] : value]
  })
  return create(type, Object.fromEntries(fields) as MessageInitShape<typeof type>)
}

function request(service: DescService, name: string, parameter: Uint8Array): Buffer {
  const writer = new MessageWriter()
  const method = {
    service: service.name,
    name,
    encode: (bytes: Uint8Array, to: MessageWriter): void => to.raw(Buffer.from(bytes)),
    decode: (): undefined => undefined,
  }
  writeRequest(writer, { callId: 1, priority: 10, timeoutMs: 5000 }, method, parameter, [])
  return Buffer.from(writer.take())
}

/** On hbase:meta, which every server has. */
function endpointCalls(): readonly Buffer[] {
  const start = encodeConnectionStart({ service: ClientService.name, user: 'ann' })
  const { input, name: exec } = ClientService.method.execService
  const region = {
    type: RegionSpecifier_RegionSpecifierType.REGION_NAME,
    value: Buffer.from('hbase:meta,,1'),
  }
  return ENDPOINTS.flatMap((service) =>
    service.methods.map(({ name: methodName, input: asked }) => {
      const call = {
        row: EMPTY,
        serviceName: service.name,
        methodName,
        request: toBinary(asked, example(asked)),
      }
      return Buffer.concat([
        start,
        request(ClientService, exec, toBinary(input, create(input, { region, call }))),
      ])
    }),
  )
}

export function rpcConversations(): readonly Buffer[] {
  const ofServices = SERVICES.flatMap((service) => {
    const start = encodeConnectionStart({ service: service.name, user: 'ann' })
    return service.methods.flatMap(({ name, input }) => {
      const messages = [toBinary(input, example(input)), Buffer.alloc(0)]
      return messages.map((message) => Buffer.concat([start, request(service, name, message)]))
    })
  })
  return [...ofServices, ...endpointCalls()]
}
