/** Details of changes in the audit log: permissions, labels, quotas, switches. They have no values and no row keys. */

import { toStringBinary } from '../../../model/bytes.ts'
import {
  ACTION_LETTERS,
  ACTIONS,
  type PermissionScope,
  type UserPermission,
} from '../../../model/permission.ts'
import type { QuotaChange, ThrottleChange } from '../../../model/quota.ts'

export interface AuditedChange {
  readonly scope?: string | undefined
  readonly details?: string | undefined
}

/** Labels in one line. A client may name any number of them. */
const LABELS_MAX = 50

type Args = readonly unknown[]

/** The details for each method of the store. Each function gets the arguments of that method. */
const DETAILS: Readonly<Record<string, (args: Args) => AuditedChange>> = {
  grant: ([permission]) => permissionChange(permission as UserPermission),
  revoke: ([permission]) => permissionChange(permission as UserPermission),
  addLabels: ([labels]) => ({ details: labelsText(labels) }),
  setAuths: ([user, labels]) => ({ scope: userText(user), details: labelsText(labels) }),
  clearAuths: ([user, labels]) => ({ scope: userText(user), details: labelsText(labels) }),
  setQuota: ([change]) => quotaText(change as QuotaChange),
  switchExceeding: ([on]) => ({ details: onOff(on) }),
  turn: ([name, on]) => ({ scope: String(name), details: onOff(on) }),
}

/** Undefined for other methods, whose scope is their first argument. */
export function auditedChange(method: string, args: Args): AuditedChange | undefined {
  return Object.hasOwn(DETAILS, method) ? DETAILS[method]!(args) : undefined
}

function userText(user: unknown): string {
  return `user ${Buffer.isBuffer(user) ? toStringBinary(user) : String(user)}`
}

function labelsText(labels: unknown): string {
  const all = labels as readonly Buffer[]
  const names = all.slice(0, LABELS_MAX).map((label) => toStringBinary(label))
  return `labels ${names.join(', ')}${all.length > LABELS_MAX ? ` and ${all.length - LABELS_MAX} more` : ''}`
}

function permissionChange({ user, permission: { scope, actions } }: UserPermission): AuditedChange {
  const letters = actions.map((action) => ACTION_LETTERS[ACTIONS.indexOf(action)]).join('')
  return { scope: `user ${user} ${scopeText(scope)}`, details: `actions ${letters === '' ? 'all' : letters}` }
}

function scopeText(scope: PermissionScope): string {
  if (scope.kind === 'global') return 'everywhere'
  if (scope.kind === 'namespace') return `namespace ${scope.namespace}`
  const { table, family, qualifier } = scope
  const column = [family, qualifier].flatMap((part) => (part === undefined ? [] : [toStringBinary(part)]))
  return [table, ...(column.length > 0 ? [column.join(':')] : [])].join(' ')
}

function quotaText(change: QuotaChange): AuditedChange {
  const { user, table, namespace, regionServer } = change
  const scope = [
    user !== undefined && `user ${user}`,
    table,
    namespace !== undefined && `namespace ${namespace}`,
    regionServer !== undefined && `region server ${regionServer}`,
  ]
  const details = [
    change.removesAll === true && 'all removed',
    change.bypassesGlobals !== undefined && `bypasses globals ${change.bypassesGlobals}`,
    change.throttle !== undefined && throttleDetails(change.throttle),
    change.space !== undefined && spaceText(change.space),
  ]
  return { scope: joined(scope, ' '), details: joined(details, ', ') }
}

function throttleDetails({ type, limit }: ThrottleChange): string {
  const what = type ?? 'all throttles'
  if (limit === undefined) return `${what} removed`
  const { softLimit, share, timeUnit, scope } = limit
  const amount = softLimit ?? (share === undefined ? 'no limit' : `share ${share}`)
  return `${what} ${amount} per ${timeUnit}${scope === undefined ? '' : ` by ${scope}`}`
}

function spaceText({ quota }: NonNullable<QuotaChange['space']>): string {
  if (quota === undefined || quota.isRemoved === true) return 'space removed'
  return `space ${quota.limitBytes ?? 'without limit'}${quota.policy === undefined ? '' : ` ${quota.policy}`}`
}

function joined(parts: readonly (string | false | undefined)[], by: string): string | undefined {
  const present = parts.filter((part) => part !== undefined && part !== false)
  return present.length === 0 ? undefined : present.join(by)
}

function onOff(on: unknown): string {
  return on === true ? 'on' : 'off'
}
