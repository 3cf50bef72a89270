/**
 * A case of the conformance suite is data: requests whose answers are recorded from a real HBase, never written by hand.
 */

import type { ThriftType } from '../../../src/wire/thrift/schema.ts'

/** One HTTP request, sent as it stands: no path is normalised, no header added but Host. */
export interface RestRequest {
  readonly door: 'rest'
  readonly method: string
  /** As on the request line. `{scanner}` stands for the path that the last Location header named. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** A value in the place of one of another type. */
export class Mistyped {
  readonly type: ThriftType
  readonly value: ThriftValue

  constructor(type: ThriftType, value: ThriftValue) {
    this.type = type
    this.value = value
  }
}

/** A value of a Thrift argument: Buffers for binary, bigints for i64. */
export type ThriftValue =
  | string
  | number
  | bigint
  | boolean
  | Buffer
  | undefined
  | typeof LAST_SCANNER
  | Mistyped
  | readonly ThriftValue[]
  | ReadonlyMap<ThriftValue, ThriftValue>
  | { readonly [field: string]: ThriftValue }

/** Stands for the scanner id that the last call of this scenario answered. */
export const LAST_SCANNER: unique symbol = Symbol('last scanner')

export interface ThriftRequest {
  readonly door: 'thrift1' | 'thrift2'
  readonly method: string
  readonly args: Readonly<Record<string, ThriftValue>>
}

/** Stands for the name of the region that holds a row now. */
export class RegionOf {
  readonly table: string
  readonly row: Buffer
  /** The MD5 of the name, as clients may send it instead. */
  readonly isEncoded: boolean
  /** The number of the region's copy; 0: the one that is written. */
  readonly replica: number

  constructor(
    table: string,
    row: Buffer,
    { isEncoded = false, replica = 0 }: Partial<Pick<RegionOf, 'isEncoded' | 'replica'>> = {},
  ) {
    this.table = table
    this.row = row
    this.isEncoded = isEncoded
    this.replica = replica
  }
}

/** Stands for what hbase:meta says of the region that holds a row now: a RegionInfo. */
export class RegionInfoOf {
  readonly table: string
  readonly row: Buffer
  readonly replica: number

  constructor(table: string, row: Buffer, replica = 0) {
    this.table = table
    this.row = row
    this.replica = replica
  }
}

/** A value of a field in protobuf: Buffers for bytes, bigints for 64 bits, numbers for enums. */
export type RpcValue =
  | string
  | number
  | bigint
  | boolean
  | Buffer
  | undefined
  | RegionOf
  | RegionInfoOf
  | typeof LAST_SCANNER
  | readonly RpcValue[]
  | { readonly [field: string]: RpcValue }

export type RpcFields = Readonly<Record<string, RpcValue>>

/** A cell of a cell block. `type`: HBase's KeyValue.Type. */
export interface RpcCell {
  readonly row: Buffer
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly timestamp: bigint
  readonly type: number
  readonly value: Buffer
}

export const RPC_SERVICES = ['ClientService', 'ClientMetaService', 'AdminService', 'MasterService'] as const
export type RpcServiceName = (typeof RPC_SERVICES)[number]

export interface RpcRequest {
  readonly door: 'rpc'
  readonly service: RpcServiceName
  /** As in idl/rpc: `Get`. */
  readonly method: string
  /** Fields by their names in the generated messages. */
  readonly message: RpcFields
  /** Behind the message. */
  readonly cells?: readonly RpcCell[]
  /** The client names no codec for cell blocks, so that cells stand in messages. */
  readonly withoutCodec?: boolean
  /** The client's release, as its connection header states it; undefined: 2.6.1. */
  readonly release?: RpcRelease
}

/** HBase's servers answer older clients otherwise. */
export type RpcRelease =
  /** The header says nothing of it, as those of clients before 1.0 and of many that are not Java. */
  | 'none'
  /** The text; `major` and `minor` as fields of their own, which clients have since 1.3. */
  | { readonly version: string; readonly major?: number; readonly minor?: number }

export type Request = RestRequest | ThriftRequest | RpcRequest

export interface Case {
  /** `area-slug`, unique in the suite; case-list.ts makes it. */
  readonly id: string
  readonly requests: readonly Request[]
}

/** Cases that share tables. They run in order, each on rows of its own or reading only. */
export interface Scenario {
  /** Also the name of its recording. */
  readonly name: string
  /** Full table names that are dropped before and after. */
  readonly tables: readonly string[]
  readonly namespaces: readonly string[]
  /** Must succeed; answers are not recorded. */
  readonly setup: readonly Request[]
  readonly cases: readonly Case[]
}

export function rest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | Buffer,
): RestRequest {
  return { door: 'rest', method, path, headers, body: typeof body === 'string' ? Buffer.from(body) : body }
}

export function rpc(
  service: RpcServiceName,
  method: string,
  message: RpcFields,
  more: Pick<RpcRequest, 'cells' | 'withoutCodec' | 'release'> = {},
): RpcRequest {
  return { door: 'rpc', service, method, message, ...more }
}

export function thrift1(method: string, args: ThriftRequest['args']): ThriftRequest {
  return { door: 'thrift1', method, args }
}

export function thrift2(method: string, args: ThriftRequest['args']): ThriftRequest {
  return { door: 'thrift2', method, args }
}
