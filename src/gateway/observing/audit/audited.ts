/**
 * A door's store that writes a line in the audit log for each change and each request of rows. A decorator below it refuses a call, for a
 * permission or a quota, by an error: the line then has the reason.
 */

import { type ErrorCode, type HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import { intercepted } from '../../../store/interceptors.ts'
import type { MutationFailure } from '../../../store/rows.ts'
import type { Store } from '../../../store/store.ts'
import type { LabelOutcome } from '../../../store/visibility-labels.ts'
import { auditedChange } from './audit-details.ts'
import type { AuditLog } from './audit-log.ts'

/** Codes of errors that say that the caller may not do it. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['ACCESS_DENIED', 'READ_ONLY', 'THROTTLED'])

/** Methods that return an outcome for each label. */
const LABEL_CHANGES: ReadonlySet<string> = new Set(['addLabels', 'setAuths', 'clearAuths'])

export function audited<Own extends Store>(
  store: Own,
  log: AuditLog,
  door: string,
): Store & Pick<Own, 'catalog'> {
  return intercepted(store, ({ method, audit }) => {
    if (audit === 'never') return undefined
    return (call, args, next) => {
      // The server's own calls are no actions of a client.
      if (call === undefined || call.isOwn) return next(call)
      return withLine({ log, door, call, method, isAlways: audit === 'always', args }, () => next(call))
    }
  })
}

interface AuditedCall {
  readonly log: AuditLog
  readonly door: string
  readonly call: Call
  readonly method: string
  /** False: the call has a line only where it is refused. */
  readonly isAlways: boolean
  readonly args: readonly unknown[]
}

async function withLine(audited: AuditedCall, work: () => unknown): Promise<unknown> {
  try {
    const value = await work()
    writeLine(audited, errorIn(audited.method, value))
    return value
  } catch (error) {
    writeLine(audited, error)
    throw error
  }
}

/** The error among those that a method returns for parts of a request. A refusal goes before other failures. */
function errorIn(method: string, value: unknown): HBaseError | undefined {
  let errors: (HBaseError | undefined)[] = []
  if (method === 'mutate') errors = (value as readonly MutationFailure[]).map(({ error }) => error)
  else if (LABEL_CHANGES.has(method)) errors = [...(value as readonly LabelOutcome[])]
  return errors.find((error) => error !== undefined && REFUSALS.has(error.code)) ?? errors.find(isHBaseError)
}

function writeLine({ log, door, call, method, isAlways, args }: AuditedCall, error: unknown): void {
  const isRefused = isHBaseError(error) && REFUSALS.has(error.code)
  if (!isRefused && !isAlways) return
  log.write({
    door,
    user: call.principal?.user,
    realUser: call.principal?.realUser,
    address: call.address,
    action: method,
    ...(auditedChange(method, args) ?? { scope: scopeOf(args[0]) }),
    allowed: !isRefused,
    ...(isRefused && { reason: error.message }),
    ...(error !== undefined && !isRefused && { failure: isHBaseError(error) ? error.code : 'INTERNAL' }),
  })
}

/** The name in the first argument of a method: of a table, a region's table, a namespace, a snapshot, or a quota's owner. */
function scopeOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return tableOfRegion(value)
  if (Array.isArray(value)) return value.length === 0 ? undefined : scopeOf(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  const { table, namespace, user, regionServer, name } = value as Readonly<Record<string, unknown>>
  const whose = typeof user === 'string' ? `user ${user}` : undefined
  const where = [table, namespace, regionServer, name].find((each) => typeof each === 'string')
  return [whose, where].filter((part) => part !== undefined).join(' ') || undefined
}

/** The table alone: a region's full name has a row key behind it. */
function tableOfRegion(region: Buffer): string {
  const text = region.toString('latin1')
  return text.includes(',') ? text.slice(0, text.indexOf(',')) : text
}
