/** Structs of idl/thrift2.thrift for reads and writes, in the form in which handlers get them. */

import type { AttributeMap } from '../mutation-arguments.ts'

export interface TTimeRange {
  readonly minStamp: bigint
  readonly maxStamp: bigint
}

export interface TColumn {
  readonly family: Buffer
  readonly qualifier?: Buffer
  readonly timestamp?: bigint
}

export interface TColumnValue {
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly value: Buffer
  readonly timestamp?: bigint
}

export interface TAuthorization {
  readonly labels?: readonly string[]
}

export interface TCellVisibility {
  readonly expression?: string
}

export interface TGet {
  readonly row: Buffer
  readonly columns?: readonly TColumn[]
  readonly timestamp?: bigint
  readonly timeRange?: TTimeRange
  readonly maxVersions?: number
  readonly filterString?: Buffer
  readonly filterBytes?: Buffer
  readonly attributes?: AttributeMap
  readonly cacheBlocks?: boolean
  readonly authorizations?: TAuthorization
  readonly storeLimit?: number
  readonly storeOffset?: number
  readonly existence_only?: boolean
  /** TConsistency. */
  readonly consistency?: number
  readonly targetReplicaId?: number
}

export interface TScan {
  readonly startRow?: Buffer
  readonly stopRow?: Buffer
  readonly columns?: readonly TColumn[]
  readonly caching?: number
  readonly maxVersions: number
  readonly timeRange?: TTimeRange
  readonly filterString?: Buffer
  readonly filterBytes?: Buffer
  readonly batchSize?: number
  readonly attributes?: AttributeMap
  readonly reversed?: boolean
  readonly cacheBlocks?: boolean
  readonly colFamTimeRangeMap?: readonly (readonly [Buffer, TTimeRange])[]
  readonly authorizations?: TAuthorization
  readonly limit?: number
  /** TConsistency. */
  readonly consistency?: number
  readonly targetReplicaId?: number
  /** TReadType. */
  readonly readType?: number
}

interface Written {
  readonly row: Buffer
  readonly attributes?: AttributeMap
  readonly durability?: number
}

export interface TPut extends Written {
  readonly columnValues: readonly TColumnValue[]
  readonly timestamp?: bigint
  readonly cellVisibility?: TCellVisibility
}

export interface TDelete extends Written {
  readonly columns?: readonly TColumn[]
  readonly timestamp?: bigint
  readonly deleteType?: number
}

export interface TIncrement extends Written {
  readonly columns: readonly { family: Buffer; qualifier: Buffer; amount: bigint }[]
  readonly cellVisibility?: TCellVisibility
  readonly returnResults?: boolean
}

export interface TAppend extends Written {
  readonly columns: readonly TColumnValue[]
  readonly cellVisibility?: TCellVisibility
  readonly returnResults?: boolean
}

export interface TRowMutations {
  readonly row: Buffer
  readonly mutations: readonly { readonly put?: TPut; readonly deleteSingle?: TDelete }[]
}
