/** Quotas as the master takes and keeps them. HBase: QuotaSettings.buildFromProto, ProtobufUtil.toTimedQuota. */

import { create, type DescField, isFieldSet, type Message, type MessageInitShape } from '@bufbuild/protobuf'
import type {
  QuotaChange,
  SpaceQuota,
  SpaceUse,
  SpaceViolationPolicy,
  ThrottleChange,
  TimedQuota,
} from '../../model/quota.ts'
import { parseTableName } from '../../model/table-name.ts'
import { TimeUnit } from './gen/hbase_pb.ts'
import {
  QuotaScope,
  type SetQuotaRequest,
  SetQuotaRequestSchema,
  SpaceViolationPolicy as SpacePolicy,
  type SpaceQuota as SpaceQuotaMessage,
  SpaceQuotaSchema,
  type SpaceQuotaSnapshot,
  type SpaceQuotaSnapshotSchema,
  type ThrottleRequest,
  ThrottleRequestSchema,
  ThrottleType,
  type TimedQuota as TimedQuotaMessage,
  TimedQuotaSchema,
} from './gen/quota_pb.ts'
import { tableNameFromMessage, tableNameMessage } from './table-name-message.ts'

/** Throws ILLEGAL_ARGUMENT for a table's name that is none. */
export function quotaChangeFromMessage(message: SetQuotaRequest): QuotaChange {
  const { field } = SetQuotaRequestSchema
  return {
    user: stated(message, field.userName, message.userName),
    table: message.tableName && parseTableName(tableNameFromMessage(message.tableName)),
    namespace: stated(message, field.namespace, message.namespace),
    regionServer: stated(message, field.regionServer, message.regionServer),
    removesAll: stated(message, field.removeAll, message.removeAll),
    bypassesGlobals: stated(message, field.bypassGlobals, message.bypassGlobals),
    throttle: message.throttle && throttleFromMessage(message.throttle),
    space: message.spaceLimit && {
      quota: message.spaceLimit.quota && spaceFromMessage(message.spaceLimit.quota),
    },
  }
}

export function quotaChangeMessage(change: QuotaChange): MessageInitShape<typeof SetQuotaRequestSchema> {
  const { user, table, namespace, regionServer, removesAll, bypassesGlobals, throttle, space } = change
  return {
    ...(user !== undefined && { userName: user }),
    ...(table !== undefined && { tableName: tableNameMessage(table) }),
    ...(namespace !== undefined && { namespace }),
    ...(regionServer !== undefined && { regionServer }),
    ...(removesAll !== undefined && { removeAll: removesAll }),
    ...(bypassesGlobals !== undefined && { bypassGlobals: bypassesGlobals }),
    ...(throttle !== undefined && {
      throttle: {
        ...(throttle.type !== undefined && { type: ThrottleType[throttle.type] }),
        ...(throttle.limit !== undefined && { timedQuota: timedQuotaMessage(throttle.limit) }),
      },
    }),
    ...(space !== undefined && {
      spaceLimit: space.quota === undefined ? {} : { quota: spaceQuotaMessage(space.quota) },
    }),
  }
}

function throttleFromMessage(message: ThrottleRequest): ThrottleChange {
  const { type, timedQuota } = message
  const isTyped = isFieldSet(message, ThrottleRequestSchema.field.type)
  return {
    type: isTyped ? nameOf(ThrottleType, type) : undefined,
    limit: timedQuota && timedQuotaFromMessage(timedQuota),
  }
}

function timedQuotaFromMessage(message: TimedQuotaMessage): TimedQuota {
  const { field } = TimedQuotaSchema
  const { timeUnit, softLimit, share, scope } = message
  return {
    timeUnit: nameOf(TimeUnit, timeUnit),
    softLimit: stated(message, field.softLimit, BigInt.asIntN(64, softLimit)),
    share: stated(message, field.share, share),
    scope: isFieldSet(message, field.scope) ? nameOf(QuotaScope, scope) : undefined,
  }
}

export function timedQuotaMessage({
  timeUnit,
  softLimit,
  share,
  scope,
}: TimedQuota): MessageInitShape<typeof TimedQuotaSchema> {
  return {
    timeUnit: TimeUnit[timeUnit],
    ...(softLimit !== undefined && { softLimit: BigInt.asUintN(64, softLimit) }),
    ...(share !== undefined && { share }),
    ...(scope !== undefined && { scope: QuotaScope[scope] }),
  }
}

export function spaceFromMessage(message: SpaceQuotaMessage): SpaceQuota {
  const { field } = SpaceQuotaSchema
  const { softLimit, violationPolicy, remove } = message
  return {
    limitBytes: stated(message, field.softLimit, BigInt.asIntN(64, softLimit)),
    policy: isFieldSet(message, field.violationPolicy) ? nameOf(SpacePolicy, violationPolicy) : undefined,
    isRemoved: stated(message, field.remove, remove),
  }
}

export function spaceQuotaMessage({ limitBytes, policy, isRemoved }: SpaceQuota): SpaceQuotaMessage {
  return create(SpaceQuotaSchema, {
    ...(limitBytes !== undefined && { softLimit: BigInt.asUintN(64, limitBytes) }),
    ...(policy !== undefined && { violationPolicy: SpacePolicy[policy] }),
    ...(isRemoved !== undefined && { remove: isRemoved }),
  })
}

export function spaceUseMessage({
  usedBytes,
  limitBytes,
  violated,
}: SpaceUse): MessageInitShape<typeof SpaceQuotaSnapshotSchema> {
  return {
    quotaStatus: {
      inViolation: violated !== undefined,
      ...(violated !== undefined && { violationPolicy: SpacePolicy[violated] }),
    },
    quotaUsage: BigInt.asUintN(64, usedBytes),
    quotaLimit: BigInt.asUintN(64, limitBytes),
  }
}

export function spaceUseFromMessage({ quotaStatus, quotaUsage, quotaLimit }: SpaceQuotaSnapshot): SpaceUse {
  const violated: SpaceViolationPolicy | undefined =
    quotaStatus?.inViolation === true ? nameOf(SpacePolicy, quotaStatus.violationPolicy) : undefined
  return {
    usedBytes: BigInt.asIntN(64, quotaUsage),
    limitBytes: BigInt.asIntN(64, quotaLimit),
    violated,
  }
}

function stated<Value>(message: Message, field: DescField, value: Value): Value | undefined {
  return isFieldSet(message, field) ? value : undefined
}

/** The name of an enum's value. protobuf reads no value that the enum does not have. */
function nameOf<Name extends string>(names: Readonly<Record<Name, number>>, value: number): Name {
  return (Object.keys(names) as Name[]).find((name) => names[name] === value)!
}
