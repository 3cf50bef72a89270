/** Applies a change to the settings of quotas. HBase: QuotaSettings.buildFromProto, GlobalQuotaSettingsImpl.merge. */

import { clearField, create, isFieldSet } from '@bufbuild/protobuf'
import { HBaseError } from '../../../model/errors.ts'
import type {
  QuotaChange,
  QuotaSubject,
  SpaceQuota,
  ThrottleChange,
  ThrottleType,
} from '../../../model/quota.ts'
import { QuotasSchema, ThrottleSchema, TimedQuotaSchema } from '../../../wire/rpc/gen/quota_pb.ts'
import { spaceQuotaMessage, timedQuotaMessage } from '../../../wire/rpc/quota-messages.ts'
import { addressee } from './quota-rows.ts'
import type { Quotas } from './quota-table.ts'

const FIELDS = {
  REQUEST_NUMBER: 'reqNum',
  REQUEST_SIZE: 'reqSize',
  WRITE_NUMBER: 'writeNum',
  WRITE_SIZE: 'writeSize',
  READ_NUMBER: 'readNum',
  READ_SIZE: 'readSize',
  REQUEST_CAPACITY_UNIT: 'reqCapacityUnit',
  WRITE_CAPACITY_UNIT: 'writeCapacityUnit',
  READ_CAPACITY_UNIT: 'readCapacityUnit',
} as const satisfies Record<ThrottleType, string>

const THROTTLES = Object.values(FIELDS)

/**
 * The new settings; undefined: nothing is left, and they are removed. Throws DO_NOT_RETRY for a limit below 1, REFUSED for a change that
 * states no limit or several.
 */
export function mergedQuotas(before: Quotas | undefined, change: QuotaChange): Quotas | undefined {
  checkChange(change)
  checkSubject(change, addressee(change))
  const merged = create(QuotasSchema, {
    throttle: before?.throttle,
    space: before?.space,
    ...(before !== undefined && hasBypass(before) && { bypassGlobals: before.bypassGlobals }),
  })
  if (change.bypassesGlobals !== undefined) merged.bypassGlobals = change.bypassesGlobals
  else if (change.space !== undefined) merged.space = newSpace(change.space.quota!)
  else merged.throttle = mergedThrottle(merged.throttle, change.throttle!)
  const isEmpty = merged.throttle === undefined && merged.space === undefined && !hasBypass(merged)
  return isEmpty ? undefined : merged
}

function hasBypass(quotas: Quotas): boolean {
  return isFieldSet(quotas, QuotasSchema.field.bypassGlobals)
}

function checkChange({ bypassesGlobals, throttle, space, table, namespace }: QuotaChange): void {
  const stated = [bypassesGlobals, throttle, space].filter((limit) => limit !== undefined).length
  if (stated === 0) throw refused('Unhandled SetRequestRequest state')
  if (stated > 1) throw refused('SetQuotaRequest has multiple limits')
  if (space === undefined) return
  if (space.quota === undefined) throw refused('SpaceLimitRequest is missing the expected SpaceQuota.')
  if ((table === undefined) === (namespace === undefined))
    throw refused('Can only construct SpaceLimitSettings for a table or namespace.')
  checkSpace(space.quota)
}

/** A change must name only the owner of the settings. HBase: QuotaSettings.validateQuotaTarget. */
function checkSubject(change: QuotaChange, subject: QuotaSubject | undefined): void {
  const isSpace = change.space !== undefined
  const [user, server] = isSpace ? [undefined, undefined] : [change.user, change.regionServer]
  if (user !== subject?.user) throw refused('Mismatched user names on settings to merge')
  if (change.table !== subject?.table) throw refused('Mismatched table names on settings to merge')
  if (change.namespace !== subject?.namespace) throw refused('Mismatched namespace on settings to merge')
  if (server !== subject?.regionServer) throw refused('Mismatched region server on settings to merge')
}

function checkSpace({ limitBytes, policy, isRemoved }: SpaceQuota): void {
  if (isRemoved === true) return
  if (limitBytes === undefined) throw refused('Cannot handle SpaceQuota without a soft limit')
  if (policy === undefined) throw refused('Cannot handle SpaceQuota without a violation policy')
  if (limitBytes < 0n) throw refused('Size limit must be a non-negative value.')
}

/** The new quota of space. A change states both its limit and its policy. */
function newSpace(quota: SpaceQuota): Quotas['space'] {
  const { limitBytes, policy } = quota
  return quota.isRemoved === true
    ? undefined
    : spaceQuotaMessage({ limitBytes, policy, isRemoved: undefined })
}

function mergedThrottle(before: Quotas['throttle'], { type, limit }: ThrottleChange): Quotas['throttle'] {
  if (type === undefined) return undefined
  const merged = create(ThrottleSchema, before)
  if (limit === undefined) {
    clearField(merged, ThrottleSchema.field[FIELDS[type]])
    return THROTTLES.some((field) => merged[field] !== undefined) ? merged : undefined
  }
  const softLimit = limit.softLimit ?? 0n
  if (softLimit < 1n) {
    throw new HBaseError(
      'DO_NOT_RETRY',
      `java.lang.UnsupportedOperationException: The throttle limit must be greater then 0, got ${softLimit}`,
    )
  }
  merged[FIELDS[type]] = create(TimedQuotaSchema, timedQuotaMessage(limit))
  return merged
}

/** HBase's master wraps other exceptions in an IOException with the same message. */
function refused(message: string): HBaseError {
  return new HBaseError('REFUSED', message)
}
