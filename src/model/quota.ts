/** Quotas: limits of requests and of space, as HBase's Admin.setQuota states them. Sizes are bytes, as signed 64-bit numbers. */

import type { TableName } from './table-name.ts'

export type QuotaTimeUnit =
  | 'NANOSECONDS'
  | 'MICROSECONDS'
  | 'MILLISECONDS'
  | 'SECONDS'
  | 'MINUTES'
  | 'HOURS'
  | 'DAYS'

/** The scope of a quota: the whole cluster together, or each of its servers. */
export type QuotaScope = 'CLUSTER' | 'MACHINE'

export type ThrottleType =
  | 'REQUEST_NUMBER'
  | 'REQUEST_SIZE'
  | 'WRITE_NUMBER'
  | 'WRITE_SIZE'
  | 'READ_NUMBER'
  | 'READ_SIZE'
  | 'REQUEST_CAPACITY_UNIT'
  | 'WRITE_CAPACITY_UNIT'
  | 'READ_CAPACITY_UNIT'

/** The treatment of a table that takes more space than it may. */
export type SpaceViolationPolicy = 'DISABLE' | 'NO_WRITES_COMPACTIONS' | 'NO_WRITES' | 'NO_INSERTS'

/** A field that is not stated is undefined: HBase does not store it. */
export interface TimedQuota {
  readonly timeUnit: QuotaTimeUnit
  readonly softLimit: bigint | undefined
  readonly share: number | undefined
  readonly scope: QuotaScope | undefined
}

/** Without a limit: the throttle of the type goes; without a type: all go. */
export interface ThrottleChange {
  readonly type: ThrottleType | undefined
  readonly limit: TimedQuota | undefined
}

export interface SpaceQuota {
  readonly limitBytes: bigint | undefined
  readonly policy: SpaceViolationPolicy | undefined
  readonly isRemoved: boolean | undefined
}

/** The limits of whom: one of them, or a user in a table or a namespace. */
export interface QuotaSubject {
  readonly user: string | undefined
  readonly table: TableName | undefined
  readonly namespace: string | undefined
  /** `all`: of every region server. */
  readonly regionServer: string | undefined
}

/** HBase: SetQuotaRequest. It states one of the changes; HBase refuses more. */
export interface QuotaChange extends QuotaSubject {
  readonly removesAll: boolean | undefined
  readonly bypassesGlobals: boolean | undefined
  readonly throttle: ThrottleChange | undefined
  readonly space: { readonly quota: SpaceQuota | undefined } | undefined
}

/** The space that a table or a namespace takes. HBase: SpaceQuotaSnapshot. */
export interface SpaceUse {
  readonly usedBytes: bigint
  readonly limitBytes: bigint
  /** The policy that takes effect; undefined within the limit. */
  readonly violated: SpaceViolationPolicy | undefined
}

export interface TableSpaceUse extends SpaceUse {
  readonly table: TableName
}

export interface NamespaceSpaceUse extends SpaceUse {
  readonly namespace: string
}
